// Where clients reach the spooler: the Unix socket, and the loopback interface when that is asked for.

import FoundationEssentials
import Glibc
import IPP
import IPPServer
import IPPServerTLS
import Logging
import PrintIPP
import Synchronization

/// The addresses the spooler listens on; it prints the ready line when clients can connect to all of them.
final class Listeners: Sendable {
    private let settings: SpoolerDaemon.Settings
    /// The addresses of TCP, with the ports that are listened on.
    let listening: Listening
    /// The certificate for clients of TCP that speak TLS; nil when they cannot.
    private let identity: TLSIdentity?
    /// Why there is no TLS although there was to be; nil when all is well.
    let tlsProblem: String?
    private let logger: Logger
    private let bound = Mutex<[ListenAddress]>([])

    /// Finds out where to listen, and with which certificate.
    ///
    /// - Throws: `StartError` when an address that was asked for cannot be listened on, or the certificate that the settings
    ///   name cannot be used.
    init(settings: SpoolerDaemon.Settings, logger: Logger) throws(SpoolerDaemon.StartError) {
        self.settings = settings
        self.logger = logger
        let named = try Self.namedIdentity(settings.kept.tls)
        listening = try Listening(at: settings.tcp, isDispensable: settings.tcpIsDispensable)
        guard !listening.addresses.isEmpty, settings.kept.tls != .off, named == nil else {
            (identity, tlsProblem) = (named, nil)
            return
        }
        do throws(TLSError) {
            identity = try Self.ownIdentity(in: settings.spool, for: settings.tcp)
            tlsProblem = nil
        } catch {
            // A full disk is no reason not to print: clients that want TLS are told by the handshake.
            logger.warning("clients cannot use TLS", metadata: ["reason": "\(error.message)"])
            (identity, tlsProblem) = (nil, error.message)
        }
    }

    private static func namedIdentity(_ setting: TLSSetting) throws(SpoolerDaemon.StartError) -> TLSIdentity? {
        guard case .files(let certificate, let key) = setting else { return nil }
        do throws(TLSError) {
            return try TLSIdentity(certificateFile: certificate, keyFile: key)
        } catch {
            throw SpoolerDaemon.StartError(description: "tls in 'printd.json5': \(error.message)", exitCode: 78)
        }
    }

    /// The certificate that printd has made for this spool; it is in the folder `tls`.
    private static func ownIdentity(in spool: String, for address: TCPAddress?) throws(TLSError) -> TLSIdentity {
        let folder = "\(spool)/tls"
        // What is wrong with the folder is said where the files are written.
        mkdir(folder, 0o700)
        return try TLSIdentity.kept(in: folder, for: .loopback(and: address?.host))
    }

    /// The Unix socket.
    var socket: String { "\(settings.spool)/printd.sock" }

    /// The TCP addresses in use; none when only the Unix socket is.
    var tcp: [ListenAddress] {
        // In the order of the settings, whichever came first.
        let bound = Set(bound.withLock { $0 })
        return listening.addresses.filter(bound.contains)
    }

    /// How connections of TCP may be secured.
    var security: [URISecurity] { identity == nil ? [.none] : [.none, .tls] }

    /// Where clients reach the spooler, for `printq status`.
    var attributes: [Attribute] {
        let addresses = [socket] + tcp.map(\.description)
        return [
            Attribute("printq-spool", .text(settings.spool)),
            Attribute("printq-process", .integer(getpid())),
            Attribute("printq-listening", addresses.map { .text($0) }),
            Attribute("printq-listening-security", security.map { .keyword($0.rawValue) }),
        ]
            + [listening.problem, tlsProblem].compactMap(\.self).map {
                Attribute("printq-listening-problem", .text($0))
            }
            .prefix(1)
    }

    /// Whether a device URI of somebody else's (`ipp://localhost:8631/printers/laser`) leads to us: whoever prints there
    /// prints here.
    func isOurs(_ deviceURI: String) -> Bool {
        guard let parts = URLComponents(string: deviceURI), let host = parts.host?.lowercased(),
            ["ipp", "ipps", "http", "https"].contains(parts.scheme?.lowercased() ?? "")
        else { return false }
        let isOurPort = tcp.contains { address in
            if case .tcp(_, let port) = address { port == parts.port ?? 631 } else { false }
        }
        let names = ["localhost", "127.0.0.1", "::1", "[::1]", ProcessInfo.processInfo.hostName.lowercased()]
        return isOurPort && (names.contains(host) || host == settings.tcp?.host)
    }

    /// The servers to run, one for each address: when one of them cannot listen, the others stop in order.
    ///
    /// - Parameter pages: What browsers are shown on TCP.
    func servers(for responder: any IPPResponder, pages: [WebPage]) -> [IPPServer] {
        var configurations = [IPPServer.Configuration(listeners: [.unix(path: socket, mode: 0o666)])]
        for address in listening.addresses {
            guard case .tcp(let host, _) = address else { continue }
            var configuration = IPPServer.Configuration(listeners: [address], hostNames: [host])
            if let identity { configuration.front = TLSFront(identity).stand }
            configurations.append(configuration)
        }
        let count = configurations.count
        return configurations.map { configuration in
            IPPServer(
                configuration: configuration, responder: responder, logger: logger, pages: pages,
                onListening: { [self] in note($0, of: count) })
        }
    }

    /// Notes the addresses of a server; when all servers listen, says so.
    private func note(_ addresses: [ListenAddress], of count: Int) {
        let isComplete = bound.withLock { bound in
            bound += addresses
            return bound.count == count
        }
        guard isComplete else { return }
        keepOptions()
        let tcp = tcp.map(\.description)
        let places = ([socket] + tcp).joined(separator: " and ")
        let ways = tcp.isEmpty || identity == nil ? "" : " (ipp: and ipps:)"
        Notice.write("printd: listening on \(places)\(ways)" + (tcp.isEmpty ? ", on no TCP port" : ""))
        if let problem = listening.problem { Notice.write("printd: \(problem)") }
        ReadyLine(socket: socket, tcp: tcp, problem: listening.problem).print()
    }

    /// Keeps the options for the printd that comes after us when we are killed, with the port that is listened on.
    private func keepOptions() {
        var options = settings.options
        if options.listen != nil, let wanted = settings.tcp, case .tcp(_, let port)? = tcp.first {
            options.listen = ListenAddress.tcp(host: wanted.host, port: port).description
        }
        guard !options.keep(in: settings.spool) else { return }
        logger.warning("the options cannot be kept for a restart", metadata: ["folder": "\(settings.spool)"])
    }
}

/// Lines on standard error.
enum Notice {
    /// Writes a line in one piece.
    static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
