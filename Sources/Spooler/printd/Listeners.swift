// Creates the listeners of the spooler: the Unix socket and, if configured, the loopback interface.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import IPP
import IPPServer
import IPPServerTLS
import Logging
import PrintCenter
import PrintIPP
import PrintModel
import PrintSpool
import SpoolConfiguration
import Synchronization

/// The addresses on which the spooler listens.
///
/// When all addresses accept connections, `printd` writes the ready line to standard output.
final class Listeners: Sendable {
    private let settings: SpoolerDaemon.Settings
    /// The TCP addresses, in which the actual port replaces a configured port of 0.
    let listening: Listening
    /// The certificate for TCP connections with TLS.
    let certificate: ServerCertificate
    private let logger: Logger
    private let bound = Mutex<[ListenAddress]>([])
    /// The signal that fires when all servers listen.
    private let ready = Signal()
    /// The time at which this process started, in seconds since 1970.
    private let startTime = time(nil)

    /// Selects the listening addresses and the certificate.
    ///
    /// - Throws: `StartError` if the spooler cannot listen on a configured address or cannot use the configured
    ///   certificate.
    init(settings: SpoolerDaemon.Settings, logger: Logger) throws(SpoolerDaemon.StartError) {
        self.settings = settings
        self.logger = logger
        listening = try Listening(
            at: settings.tcp, isDispensable: settings.tcpIsDispensable, passed: settings.sockets.tcp,
            network: settings.options.noTCP ? [] : settings.spoolSettings.networkAddresses)
        certificate = try ServerCertificate(settings, listening, logger)
    }

    /// The path of the Unix socket.
    var socket: String {
        settings.sockets.paths.first ?? settings.options.socket ?? "\(settings.spool)/printd.sock"
    }

    /// The paths of all Unix sockets.
    private var paths: [String] { settings.sockets.paths.isEmpty ? [socket] : settings.sockets.paths }

    /// Whether a client that connects to any of the addresses can start `printd` again after `printd` has exited.
    ///
    /// Nothing starts `printd` for a client on the network. If the service manager passed sockets, only a connection to
    /// one of these sockets starts `printd`. Without passed
    /// sockets, `printq` starts `printd`.
    var restartsOnDemand: Bool {
        listening.network.isEmpty
            && (settings.sockets.inherited.isEmpty
                || listening.addresses.allSatisfy { settings.sockets.inherited[$0] != nil })
    }

    /// The TCP addresses in use; empty if only the Unix socket is used.
    var tcp: [ListenAddress] {
        // Servers start in any order. Sort the addresses in the order of the settings.
        let bound = Set(bound.withLock { $0 })
        return listening.addresses.filter(bound.contains)
    }

    /// The addresses for clients on the network on which servers listen.
    var network: [ListenAddress] {
        let bound = Set(bound.withLock { $0 })
        return listening.network.filter(bound.contains)
    }

    /// Returns the address of the web pages.
    ///
    /// The address contains the numeric host of the first TCP address. A browser sends the cookie of a session only to
    /// this host.
    ///
    /// - Parameter port: The port to open if the settings contain no TCP address, or another program uses the address.
    /// - Throws: `AddressError` if the command line disables TCP, or the port cannot be opened.
    func webAddress(orAt port: CenterPort) async throws(AddressError) -> String {
        if !listening.addresses.isEmpty {
            // A client of the Unix socket can connect before the other servers listen.
            await ready.wait()
            if let address = tcp.first { return "http://\(address)" }
        }
        guard !settings.options.noTCP else {
            throw AddressError(
                "printd was started with --no-tcp, so browsers cannot connect; use 'printq center --terminal', or restart "
                    + "printd without --no-tcp")
        }
        return try await port.open()
    }

    /// Waits until all servers listen, or until the task is canceled.
    func waitUntilReady() async { await ready.wait() }

    /// The security modes that TCP clients of this machine can use.
    var security: [URISecurity] { offersTLSOnThisMachine ? [.none, .tls] : [.none] }

    private var offersTLSOnThisMachine: Bool { certificate.identity != nil && settings.spoolSettings.tls != .off }

    /// Returns the attributes for `printq status`: the spool, the process, the version, the start time and the
    /// addresses.
    ///
    /// - Parameter centerAddress: The address of the open port that serves only the Print Center; nil if it is closed.
    func attributes(centerAddress: String?) -> [Attribute] {
        let addresses = paths + (tcp + network).map(\.description)
        return [
            Attribute("printq-spool", .text(settings.spool)),
            Attribute("printq-process", .integer(getpid())),
            Attribute("printq-version", .text(Release.version)),
            Attribute("printq-start-time", .dateTime(DateTime(unixTime: Int(startTime)))),
            Attribute("printq-listening", addresses.map { .text($0) }),
            Attribute("printq-listening-security", security.map { .keyword($0.rawValue) }),
        ]
            + [listening.problem, listening.networkProblem, certificate.problem].compactMap(\.self).map {
                Attribute("printq-listening-problem", .text($0))
            }
            .prefix(1)
            + (centerAddress.map { [Attribute("printq-center-address", .uri($0))] } ?? [])
    }

    /// Returns whether a device URI (`ipp://localhost:8631/printers/laser`) refers to this spooler.
    func isOurs(_ deviceURI: String) -> Bool {
        guard let parts = URLComponents(string: deviceURI), let host = parts.host?.lowercased(),
            ["ipp", "ipps", "http", "https"].contains(parts.scheme?.lowercased() ?? "")
        else { return false }
        let isOurPort = (tcp + network).contains { address in
            if case .tcp(_, let port) = address { port == parts.port ?? 631 } else { false }
        }
        let names = ["localhost", "127.0.0.1", "::1", "[::1]", ProcessInfo.processInfo.hostName.lowercased()]
        let network =
            ServerCertificate.networkNames(settings).map { $0.lowercased() }
            + settings.spoolSettings.networkAddresses.map(\.host)
        return isOurPort && (names.contains(host) || host == settings.tcp?.host || network.contains(host))
    }

    /// Creates one server per address.
    ///
    /// If one server cannot listen, all other servers shut down gracefully.
    ///
    /// - Parameters:
    ///   - pages: The web pages about printers.
    ///   - center: The web pages and the JSON API of the Print Center.
    ///   - logins: The logins of users on the network, who reach the Print Center over TLS.
    func servers(
        for responder: any IPPResponder, pages: [WebPage], center: PrintCenter, logins: NetworkLogins
    ) -> [IPPServer] {
        var configurations = paths.map {
            IPPServer.Configuration(listeners: [.unix(path: $0, mode: PassedSockets.mode)])
        }
        for address in listening.addresses {
            guard case .tcp(let host, _) = address else { continue }
            var configuration = IPPServer.Configuration(listeners: [address], hostNames: [host])
            if let identity = certificate.identity, offersTLSOnThisMachine {
                configuration.channelSetup = OptionalTLS(identity: identity).stand
            }
            configurations.append(configuration)
        }
        for index in configurations.indices { configurations[index].inherited = settings.sockets.inherited }
        let network = networkConfigurations
        let networkCenter = center.onNetwork(
            names: ServerCertificate.networkNames(settings), listeners: listening.network, logins: logins)
        let count = configurations.count + network.count
        let local = configurations.map { configuration in
            IPPServer(
                configuration: configuration, responder: responder, logger: logger, pages: pages,
                content: { await center.content(for: $0) },
                onListening: { [self] in note($0, of: count) })
        }
        return local
            + network.map { configuration in
                IPPServer(
                    configuration: configuration, responder: responder, logger: logger, pages: pages,
                    content: { await networkCenter.content(for: $0) }, onListening: { [self] in note($0, of: count) })
            }
    }

    /// The servers for clients on the network, each with its own limits, so that these clients cannot use up the limits
    /// of local clients.
    private var networkConfigurations: [IPPServer.Configuration] {
        guard let identity = certificate.identity else { return [] }
        let allowed = settings.spoolSettings.allowedNetworks
        var limits = IPPServer.Limits()
        limits.connections = 1024
        limits.connectionsPerPeer = 64
        limits.attributeBytesPerPeer = 2 << 20
        limits.attributeBytesInAll = 16 << 20
        return listening.network.map { address in
            var configuration = IPPServer.Configuration(
                listeners: [address], hostNames: ServerCertificate.networkNames(settings), limits: limits)
            configuration.channelSetup = OptionalTLS(identity: identity).stand
            configuration.requiresTLS = true
            // The clients of this machine also reach the addresses of the network.
            configuration.admits = { address in
                Peer.tcp(address: address, port: 0).isOnThisMachine || allowed.contains { $0.contains(address) }
            }
            return configuration
        }
    }

    /// Creates a server for the Print Center on a free port of the loopback interface.
    ///
    /// The server serves no IPP requests, because no setting enables IPP over TCP. It requires no TLS, as the other
    /// TCP ports.
    func centerServer(
        pages: [WebPage], center: PrintCenter, onListening: @escaping @Sendable ([ListenAddress]) async -> Void
    ) -> IPPServer {
        IPPServer(
            configuration: .init(listeners: [.tcp(host: "127.0.0.1", port: 0)]), responder: BrowsersOnly(),
            logger: logger, pages: pages, content: { await center.content(for: $0) }, onListening: onListening)
    }

    /// Records the addresses of a server.
    ///
    /// The function writes the ready line when the addresses of all servers are recorded.
    private func note(_ addresses: [ListenAddress], of count: Int) {
        let isComplete = bound.withLock { bound in
            bound += addresses
            return bound.count == count
        }
        guard isComplete else { return }
        keepOptions()
        let tcp = tcp.map(\.description)
        let places = (paths + tcp + network.map { "\($0) (network)" }).joined(separator: " and ")
        let schemes = tcp.isEmpty || !offersTLSOnThisMachine ? "" : " (ipp: and ipps:)"
        Notice.write("printd: listening on \(places)\(schemes)" + (tcp.isEmpty ? ", no TCP port" : ""))
        for problem in [listening.problem, listening.networkProblem].compactMap(\.self) {
            Notice.write("printd: \(problem)")
        }
        let withoutTLS = certificate.problem.map { "TLS is unavailable: \($0)" }
        let problems = [listening.problem, listening.networkProblem, withoutTLS]
            .compactMap(\.self)
        ReadyLine(
            socket: socket, tcp: tcp, problem: problems.isEmpty ? nil : problems.joined(separator: "; ")
        ).print()
        settings.notifier.send(.ready)
        ready.give()
    }

    /// Stores the options and the actual port for the `printd` process that replaces this process after a crash.
    private func keepOptions() {
        var options = settings.options
        let own = tcp.first { settings.sockets.inherited[$0] == nil }
        if options.listen != nil, let wanted = settings.tcp, case .tcp(_, let port)? = own {
            options.listen = ListenAddress.tcp(host: wanted.host, port: port).description
        }
        // A printd that a person started does not exit when it is idle. Its successor must not exit either.
        if options.idleExit == nil, !settings.isOnDemand,
            settings.configuration.origin(of: .idleExitSeconds) == .standard
        {
            options.idleExit = 0
        }
        guard !options.keep(in: settings.spool) else { return }
        logger.warning("cannot store the options for a restart", metadata: ["folder": "\(settings.spool)"])
    }
}

/// A responder that refuses IPP requests on the port that `printd` opens for the Print Center.
private struct BrowsersOnly: IPPResponder {
    func answer(to request: IPPRequest) async -> IPPAnswer {
        let refusal = IPPFailure.notAuthorized(
            "this port serves only the Print Center; for IPP over TCP, set 'listen' in printd.json5")
        return IPPAnswer(request.message.reply(refusal))
    }
}

/// A namespace for functions that write messages to standard error.
enum Notice {
    /// Returns whether standard error refers to the given file.
    static func isWritten(to path: String) -> Bool {
        var (own, other) = (stat(), stat())
        return fstat(2, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev
            && own.st_ino == other.st_ino
    }

    /// Writes a line with a single system call.
    static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
