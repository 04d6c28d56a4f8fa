// Starts printd when nobody listens on the spool's socket.

import FoundationEssentials
import Glibc
import ProcessLaunch

/// The daemon of a spool, as its clients see it: a socket that somebody listens on, or a program to start.
///
/// Two that start it at once both get there: the one that comes second finds the lock taken and waits for the first.
package struct DaemonLauncher: Sendable {
    private let place: SpoolLocation
    private let program: String?
    private let patience: Duration
    private let onStart: @Sendable (Start) -> Void

    /// What a printd that was started here says of where it can be reached.
    package struct Start: Sendable, Hashable {
        /// Its socket and its addresses of TCP.
        package var addresses: [String]
        /// Why an address is missing that was to be there; nil when none is.
        package var problem: String?

        /// The addresses, or what is wrong with them, in one line.
        package var words: String {
            let places = addresses.map(\.printable).joined(separator: " and ")
            let problem = problem.map { "; \($0.printable)" } ?? ""
            return "printd is started and listens on \(places)\(problem)"
        }
    }

    /// The daemon of a spool.
    ///
    /// - Parameters:
    ///   - program: the path of printd; nil when it was not found.
    ///   - patience: how long it may take to listen.
    ///   - onStart: told when a printd has been started here.
    package init(
        place: SpoolLocation, program: String?, patience: Duration = .seconds(20),
        onStart: @escaping @Sendable (Start) -> Void = { _ in }
    ) {
        self.place = place
        self.program = program
        self.patience = patience
        self.onStart = onStart
    }

    /// The path of printd: beside this program, else in `PATH`; nil when it is in neither.
    package static func program() -> String? { Programs.find("printd") }

    /// Whether somebody listens on the socket.
    ///
    /// - Throws: `SpoolerClientError` with `noPermission` when the socket is somebody else's.
    package func answers() throws(SpoolerClientError) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.socket.utf8.prefix(107)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0, errno == EACCES {
            throw SpoolerClientError(
                .noPermission, "the spool '\(place.path)' belongs to somebody else; choose another with --spool")
        }
        return result == 0
    }

    /// Returns when somebody listens on the socket, having started printd if need be.
    ///
    /// - Throws: `SpoolerClientError` with `unavailable` when printd is not there, will not start, or takes too long.
    package func start() throws(SpoolerClientError) {
        let deadline = ContinuousClock.now + patience
        var failures = 0
        repeat {
            if try answers() { return }
            if isLocked {
                // Another one is starting, or going; nothing tells which.
                usleep(20_000)
                continue
            }
            if case .failed(let message) = try launch(deadline: deadline), !isLocked {
                failures += 1
                guard failures < 2 else { throw unavailable(message) }
            }
        } while ContinuousClock.now < deadline
        if try answers() { return }
        throw unavailable("it does not listen on '\(place.socket)' after \(patience.components.seconds) seconds")
    }

    private enum Launch {
        case ready
        case failed(String)
    }

    /// What printd says of itself on its standard output, in one line.
    private struct ReadyLine: Decodable {
        var ready: Bool
        var message: String?
        var socket: String?
        var addresses: [String]?
        var problem: String?
    }

    private func launch(deadline: ContinuousClock.Instant) throws(SpoolerClientError) -> Launch {
        guard let program else {
            throw SpoolerClientError(
                .unavailable, "printd is neither beside printq nor in PATH; install it, or start it by hand")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: place.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SpoolerClientError(
                .unavailable, "the spool '\(place.path)' cannot be made; choose another folder with --spool",
                cause: error)
        }
        let process: DetachedProcess
        do throws(LaunchError) {
            process = try DetachedProcess(
                program: program, arguments: ["--spool", place.path, "--idle-exit", "600", "--as-before"],
                log: place.log)
        } catch {
            throw SpoolerClientError(.unavailable, error.description, cause: error)
        }
        let left = (deadline - .now).components
        let line = process.readLine(deadline: Double(left.seconds) + Double(left.attoseconds) / 1e18)
        guard let line, let ready = try? JSONDecoder().decode(ReadyLine.self, from: Data(line.utf8)) else {
            return .failed("it ended without saying why")
        }
        guard ready.ready else { return .failed(ready.message ?? "it gives no reason") }
        onStart(Start(addresses: [ready.socket ?? place.socket] + (ready.addresses ?? []), problem: ready.problem))
        return .ready
    }

    /// Whether a printd holds the lock of the spool.
    private var isLocked: Bool {
        let descriptor = open(place.lock, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private func unavailable(_ reason: String) -> SpoolerClientError {
        SpoolerClientError(.unavailable, "printd does not start: \(reason.printable); see '\(place.log)'")
    }
}
