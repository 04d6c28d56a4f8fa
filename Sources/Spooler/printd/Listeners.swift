// Creates the listeners of the spooler: the Unix socket and, if configured, the loopback interface.

import FoundationEssentials
import Glibc
import IPP
import IPPServer
import IPPServerTLS
import Logging
import PrintIPP
import Synchronization

/// The addresses that the spooler listens on.
///
/// `printd` prints the ready line when all addresses accept connections.
final class Listeners: Sendable {
    private let settings: SpoolerDaemon.Settings
    /// The TCP addresses with their actual ports.
    let listening: Listening
    /// The certificate for TLS clients on TCP; nil if TLS is unavailable.
    private let identity: TLSIdentity?
    /// The reason why TLS is unavailable although the settings enable TLS; nil if there is no problem.
    let tlsProblem: String?
    private let logger: Logger
    private let bound = Mutex<[ListenAddress]>([])

    /// Selects the addresses and the certificate.
    ///
    /// - Throws: `StartError` if the spooler cannot listen on a configured address or cannot use the configured
    ///   certificate.
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
            // A full disk must not prevent printing. Clients that require TLS fail in the handshake.
            logger.warning("TLS is unavailable", metadata: ["reason": "\(error.message)"])
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

    /// Reads or creates the spool's own certificate in the folder `tls`.
    private static func ownIdentity(in spool: String, for address: TCPAddress?) throws(TLSError) -> TLSIdentity {
        let folder = "\(spool)/tls"
        // If the folder cannot be created, the error is reported when the files are written.
        mkdir(folder, 0o700)
        return try TLSIdentity.kept(in: folder, for: .loopback(and: address?.host))
    }

    /// The path of the Unix socket.
    var socket: String { "\(settings.spool)/printd.sock" }

    /// The TCP addresses in use; empty if only the Unix socket is used.
    var tcp: [ListenAddress] {
        // Servers start in any order. Sort the addresses in the order of the settings.
        let bound = Set(bound.withLock { $0 })
        return listening.addresses.filter(bound.contains)
    }

    /// The security modes of TCP connections.
    var security: [URISecurity] { identity == nil ? [.none] : [.none, .tls] }

    /// The addresses of the spooler as attributes for `printq status`.
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

    /// Returns whether a device URI (`ipp://localhost:8631/printers/laser`) refers to this spooler.
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

    /// Creates one server per address.
    ///
    /// If one server cannot listen, all other servers shut down in order.
    ///
    /// - Parameter pages: The web pages for browsers on TCP.
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

    /// Records the addresses of a server.
    ///
    /// Prints the ready line after the last server.
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
        Notice.write("printd: listening on \(places)\(ways)" + (tcp.isEmpty ? ", no TCP port" : ""))
        if let problem = listening.problem { Notice.write("printd: \(problem)") }
        ReadyLine(socket: socket, tcp: tcp, problem: listening.problem).print()
    }

    /// Stores the options and the actual port for the `printd` process that replaces this process after a crash.
    private func keepOptions() {
        var options = settings.options
        if options.listen != nil, let wanted = settings.tcp, case .tcp(_, let port)? = tcp.first {
            options.listen = ListenAddress.tcp(host: wanted.host, port: port).description
        }
        guard !options.keep(in: settings.spool) else { return }
        logger.warning("cannot store the options for a restart", metadata: ["folder": "\(settings.spool)"])
    }
}

/// The messages on standard error.
enum Notice {
    /// Writes a line with a single system call.
    static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
