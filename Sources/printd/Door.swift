// Where clients reach the spooler: the Unix socket, and the loopback when its port is free.

import FoundationEssentials
import IPPServer
import Logging
import PrintIPP
import ServiceLifecycle
import Synchronization

/// The addresses the spooler listens on; says so once, in the ready line, when both are settled.
final class Door: Sendable {
    private struct State {
        var socketIsOpen = false
        var tcpIsSettled: Bool
        var tcp: String?
        var tcpProblem: String?
        var hasSpoken = false
    }

    private let settings: Daemon.Settings
    private let logger: Logger
    private let state: Mutex<State>

    init(settings: Daemon.Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        state = Mutex(State(tcpIsSettled: settings.tcp == nil))
    }

    /// The Unix socket.
    var socket: String { "\(settings.spool)/printd.sock" }

    /// The TCP address in use, or why there is none.
    var tcp: (address: String?, problem: String?) { state.withLock { ($0.tcp, $0.tcpProblem) } }

    /// Whether a device URI of somebody else's (`ipp://localhost:8631/printers/laser`) leads to us: whoever prints there
    /// prints here.
    func isOurs(_ deviceURI: String) -> Bool {
        guard let tcp = tcp.address, let port = tcp.split(separator: ":").last.flatMap({ Int($0) }),
            let parts = URLComponents(string: deviceURI), let host = parts.host?.lowercased(),
            ["ipp", "ipps", "http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            (parts.port ?? 631) == port
        else { return false }
        let names = ["localhost", "127.0.0.1", "::1", "[::1]", ProcessInfo.processInfo.hostName.lowercased()]
        if names.contains(host) || host == settings.tcp?.host { return true }
        guard let listening = settings.tcp?.host, ["0.0.0.0", "::", "[::]"].contains(listening) else { return false }
        return NetworkAddresses.own.contains(host.trimmingCharacters(in: ["[", "]"]))
    }

    /// The servers to run.
    func servers(for responder: any IPPResponder) -> [any Service] {
        var servers: [any Service] = [
            IPPServer(
                configuration: .init(listeners: [.unix(path: socket, mode: 0o666)]), responder: responder,
                logger: logger,
                onListening: { [self] _ in settle { $0.socketIsOpen = true } })
        ]
        if let (host, port) = settings.tcp {
            var configuration = IPPServer.Configuration(listeners: [.tcp(host: host, port: port)])
            configuration.hostNames += [host]
            let server = IPPServer(
                configuration: configuration, responder: responder, logger: logger,
                onListening: { [self] addresses in
                    settle {
                        $0.tcpIsSettled = true
                        $0.tcp = addresses.first?.description
                    }
                })
            servers.append(settings.tcpIsRequired ? server : OptionalServer(server: server, door: self))
        }
        return servers
    }

    /// The TCP port is somebody else's: the socket alone will do.
    fileprivate func tcpFailed(_ problem: String) {
        logger.notice("listening on the Unix socket only", metadata: ["reason": "\(problem)"])
        settle {
            $0.tcpIsSettled = true
            $0.tcpProblem = problem
        }
    }

    private func settle(_ change: (inout State) -> Void) {
        let line = state.withLock { state -> ReadyLine? in
            change(&state)
            guard state.socketIsOpen, state.tcpIsSettled, !state.hasSpoken else { return nil }
            state.hasSpoken = true
            return ReadyLine(socket: socket, tcp: state.tcp)
        }
        line?.print()
    }
}

/// A server that may do without its address when somebody else has it.
private struct OptionalServer: Service {
    let server: IPPServer
    let door: Door

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IPPServerError where error.code == .addressInUse {
            door.tcpFailed(error.message)
            try await gracefulShutdown()
        }
    }
}
