// Where clients reach the spooler: the Unix socket, and the loopback interface when that is asked for.

import FoundationEssentials
import IPPServer
import Logging
import PrintIPP
import Synchronization

/// The addresses the spooler listens on; it prints the ready line when clients can connect to all of them.
final class Door: Sendable {
    private let settings: Daemon.Settings
    private let logger: Logger
    private let bound = Mutex<[ListenAddress]>([])

    init(settings: Daemon.Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// The Unix socket.
    var socket: String { "\(settings.spool)/printd.sock" }

    /// The TCP address in use; nil when only the Unix socket is.
    var tcp: String? {
        bound.withLock { bound in
            bound.first { if case .tcp = $0 { true } else { false } }?.description
        }
    }

    /// Whether a device URI of somebody else's (`ipp://localhost:8631/printers/laser`) leads to us: whoever prints there
    /// prints here.
    func isOurs(_ deviceURI: String) -> Bool {
        guard let tcp, let port = tcp.split(separator: ":").last.flatMap({ Int($0) }),
            let parts = URLComponents(string: deviceURI), let host = parts.host?.lowercased(),
            ["ipp", "ipps", "http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            (parts.port ?? 631) == port
        else { return false }
        let names = ["localhost", "127.0.0.1", "::1", "[::1]", ProcessInfo.processInfo.hostName.lowercased()]
        return names.contains(host) || host == settings.tcp?.host
    }

    /// The servers to run, one for each address: when one of them cannot listen, the others stop in order.
    ///
    /// - Parameter pages: What browsers are shown on TCP.
    func servers(for responder: any IPPResponder, pages: [WebPage]) -> [IPPServer] {
        var configurations = [IPPServer.Configuration(listeners: [.unix(path: socket, mode: 0o666)])]
        if let (host, port) = settings.tcp {
            configurations.append(.init(listeners: [.tcp(host: host, port: port)], hostNames: [host]))
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
        if isComplete { ReadyLine(socket: socket, tcp: tcp).print() }
    }
}
