// The Print Center of simulated printers.

import FoundationEssentials
import Glibc
import IPP
import IPPServer
import Logging
import PrintCenter
import PrintIPP
import PrintModel
import PrintWork
import PrinterSimulator
import SimulatorServer
import Synchronization

/// The Print Center of the simulated printers of one process.
///
/// Simulated printers have no users: every client on the port can print. The Print Center controls the printers.
/// Therefore a browser requires a session of the user who runs `printsim`. A one-time address creates the session.
///
/// The Print Center sends its requests to the printers directly. Therefore people can clear a fault that prevents
/// responses, and can switch a printer on.
struct SimulatorCenter: Sendable {
    let center: PrintCenter
    private let address = ServerAddress()
    private let scheme: String

    /// The lifetime of a one-time address, in seconds.
    private static let tokenSeconds = 600.0

    struct Parts {
        var printers: [SimulatedPrinter]
        /// The secret with which programs use the HTTP API without a session.
        var controlToken: ControlToken?
        /// The workers that read the text of documents.
        var viewer: PageViewer
        /// The responder applies no faults.
        var responder: any IPPResponder
        var log: SimulatorLog
        var hostNames: [String]
        var listeners: [ListenAddress]
        /// Whether the port accepts only TLS connections.
        var isTLSOnly: Bool
        var noteWaiting: @Sendable () -> (@Sendable () -> Void)
        var logger: Logger
    }

    init(_ parts: Parts) {
        let address = address
        scheme = parts.isTLSOnly ? "https" : "http"
        let (printers, responder, log) = (parts.printers, parts.responder, parts.log)
        var ports = Ports(printerPage: { await printers.page(of: $0) }, noteWaiting: parts.noteWaiting)
        ports.homePage = { await printers.listPage }
        ports.isSilent = { await printers.isSilent($0) }
        ports.latestEvent = { (try? await log.latestEvent()) ?? 0 }
        ports.metrics = { await printers.metricFamilies() }
        let (peer, clock) = (Self.peer, { @Sendable () -> UnixTime in Date().timeIntervalSince1970 })
        ports.simulators = SimulatorPort { message in
            try await responder.answer(to: IPPRequest(message: message, peer: peer)).whole()
        }
        ports.simulatedJobs = PrinterJobPages(printers: printers, texts: DocumentTexts(parts.viewer))
        ports.program = { [controlToken = parts.controlToken] token in
            controlToken?.matches(token) == true ? await Self.user : nil
        }
        center = PrintCenter(
            PrintCenter.Configuration(
                service: "printsim", onlyPrinter: printers.count == 1 ? printers[0].description.name : nil,
                hostNames: parts.hostNames, listeners: parts.listeners,
                address: { () async throws(AddressError) in
                    guard let value = address.value else {
                        throw AddressError("printsim has no TCP port for browsers; start printsim without --no-tcp")
                    }
                    return value
                }),
            responder: responder, sessions: Sessions(clock: clock), ports: ports, clock: clock, logger: parts.logger)
    }

    private static let peer = Peer.unix(uid: geteuid(), gid: getegid(), pid: getpid())

    func listen(at addresses: [ListenAddress]) {
        for case .tcp(let host, let port) in addresses {
            let name = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
            address.value = "\(scheme)://\(name):\(port)"
            return
        }
    }

    /// The user that runs `printsim`.
    private static var user: SessionUser {
        get async {
            let name = try? await UserAccounts.system.name(of: geteuid())
            return SessionUser(uid: geteuid(), gid: getegid(), name: name ?? "uid-\(geteuid())")
        }
    }

    /// The address of the web pages; nil if the server does not listen on a TCP port.
    var pages: String? { address.value.map { "\($0)/" } }

    /// Returns a one-time address that signs in a browser; nil if the server does not listen on a TCP port.
    func invitation() async -> String? {
        guard let address = address.value else { return nil }
        let (token, _) = center.sessions.makeToken(for: await Self.user, seconds: Self.tokenSeconds)
        return "\(address)/open?token=\(token)"
    }
}

/// The storage for the server's address, which is unknown until the server listens.
private final class ServerAddress: Sendable {
    private let text = Mutex<String?>(nil)

    /// The address; nil until the server listens.
    var value: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
