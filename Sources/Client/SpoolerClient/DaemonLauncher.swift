// Starts printd if no process is listening on the spool's socket.

import FoundationEssentials
import Glibc
import ProcessLaunch

/// A launcher that starts the daemon of a spool if the daemon is not running.
///
/// If two clients start printd at the same time, the second printd exits because the spool is locked. The second client
/// then waits until the first printd listens.
package struct DaemonLauncher: Sendable {
    private let place: SpoolLocation
    private let program: String?
    private let timeout: Duration
    private let onStart: @Sendable (Start) -> Void
    private let onWait: @Sendable (String) -> Void

    /// The addresses of a printd that this launcher has started.
    package struct Start: Sendable, Hashable {
        /// The addresses of printd.
        ///
        /// The path of the socket comes first, followed by the TCP addresses.
        package var addresses: [String]
        /// The reason why printd does not listen on a configured address; nil if printd listens on all configured
        /// addresses.
        package var problem: String?

        /// The addresses and the problem as text on one line.
        package var text: String {
            let places = addresses.map(\.printable).joined(separator: " and ")
            let problem = problem.map { "; \($0.printable)" } ?? ""
            return "started printd, which listens on \(places)\(problem)"
        }
    }

    /// Creates a launcher for the daemon of a spool.
    ///
    /// - Parameters:
    ///   - program: The path of printd; nil if printd was not found.
    ///   - timeout: The maximum time to wait until printd listens on its socket.
    ///   - onStart: The function that is called after this launcher has started printd.
    ///   - onWait: The function that is called with an explanation when printd migrates the spool before it listens.
    ///     The launcher waits until the migration has ended.
    package init(
        place: SpoolLocation, program: String?, timeout: Duration = .seconds(20),
        onStart: @escaping @Sendable (Start) -> Void = { _ in },
        onWait: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.place = place
        self.program = program
        self.timeout = timeout
        self.onStart = onStart
        self.onWait = onWait
    }

    /// Returns the path of printd; nil if printd is not found.
    ///
    /// The function searches the folder of this program, then the installation of this program, and then `PATH`.
    package static func program() -> String? { Programs.find("printd") }

    /// Returns whether a process is listening on the spool's socket.
    ///
    /// - Throws: `SpoolerClientError` with `noPermission` if the socket belongs to another user.
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
                .noPermission,
                place.isSystem
                    ? "cannot connect to '\(place.socket)': permission denied; run 'systemctl restart printd.socket' "
                        + "as root"
                    : "permission denied: the spool '\(place.path)' belongs to another user; use another spool with "
                        + "--spool FOLDER")
        }
        return result == 0
    }

    /// Waits until a process is listening on the spool's socket.
    ///
    /// If no process is listening on the socket of a private spool, the function starts printd. Only systemd starts the
    /// system spooler.
    ///
    /// - Throws: `SpoolerClientError` with `unavailable` if printd is not installed, does not start, or does not listen
    ///   before the deadline. The function also throws this error if the spool belongs to the system spooler and the
    ///   system spooler is not running.
    package func start() throws(SpoolerClientError) {
        guard !place.isSystem else {
            if try answers() { return }
            throw SpoolerClientError(
                .unavailable,
                "the system spooler is not running: nothing listens on '\(place.socket)'; run 'systemctl start "
                    + "printd.socket' as root, or use a private spool (see 'printq init --help')")
        }
        var deadline = ContinuousClock.now + timeout
        var failures = 0
        var hasNoted = false
        /// Extends the deadline while printd migrates the spool.
        func waitForMigration() {
            guard isLocked, let migration else { return }
            if !hasNoted { onWait(migration.text) }
            (hasNoted, deadline) = (true, .now + timeout)
        }
        repeat {
            if try answers() { return }
            if isLocked {
                // Another printd is starting or stopping; the lock does not show whether it starts or stops.
                waitForMigration()
                usleep(20_000)
                continue
            }
            let result = try launch {
                waitForMigration()
                return deadline
            }
            if case .failed(let message) = result, !isLocked {
                failures += 1
                guard failures < 2 else { throw unavailable(message) }
            }
        } while ContinuousClock.now < deadline
        if try answers() { return }
        throw unavailable("printd did not listen on '\(place.socket)' within \(timeout.components.seconds) s")
    }

    private enum Launch {
        case ready
        case failed(String)
        /// The deadline passed before printd reported its start.
        case late
    }

    /// The line that printd writes to standard output after printd has started or has failed to start.
    private struct ReadyLine: Decodable {
        var ready: Bool
        var message: String?
        var socket: String?
        var addresses: [String]?
        var problem: String?
    }

    /// Starts printd, and waits for the line in which printd reports the start or the failure (`ReadyLine`).
    ///
    /// - Parameter deadline: The function that returns the current deadline. The function is called repeatedly, because
    ///   a migration extends the deadline.
    private func launch(deadline: () -> ContinuousClock.Instant) throws(SpoolerClientError) -> Launch {
        guard let program else {
            throw SpoolerClientError(
                .unavailable, "cannot find printd; install the package printd")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: place.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SpoolerClientError(
                .unavailable, "cannot create the spool '\(place.path)'; choose another folder with --spool",
                cause: error)
        }
        if let objection = FolderOwnership.objection(to: place.path) {
            throw SpoolerClientError(.noPermission, objection)
        }
        let process: DetachedProcess
        do throws(LaunchError) {
            process = try DetachedProcess(
                program: program, arguments: ["--spool", place.path, "--on-demand"], log: place.log)
        } catch {
            throw SpoolerClientError(.unavailable, error.description, cause: error)
        }
        while ContinuousClock.now < deadline(), !process.hasOutput(within: 0.1) {}
        let left = (deadline() - .now).components
        let line = process.readLine(deadline: Double(left.seconds) + Double(left.attoseconds) / 1e18)
        if line == nil, ContinuousClock.now >= deadline() { return .late }
        guard let line, let ready = try? JSONDecoder().decode(ReadyLine.self, from: Data(line.utf8)) else {
            return .failed("printd exited without a message")
        }
        guard ready.ready else { return .failed(ready.message ?? "unknown reason") }
        onStart(Start(addresses: [ready.socket ?? place.socket] + (ready.addresses ?? []), problem: ready.problem))
        return .ready
    }

    /// A migration that printd performs before it listens.
    ///
    /// The spool's `migration.json` describes the migration.
    private struct Migration: Decodable {
        var to: Int
        var jobs: Int

        var text: String {
            "printd is migrating the spool to schema \(to) (\(jobs) jobs) for this version of printq; waiting until the "
                + "migration is complete"
        }
    }

    /// The migration that `migration.json` describes; nil if the file does not exist.
    ///
    /// If printd is killed, `migration.json` remains. Therefore the migration is in progress only if a printd holds the
    /// lock of the spool (`isLocked`).
    private var migration: Migration? {
        FileManager.default.contents(atPath: "\(place.path)/migration.json")
            .flatMap { try? JSONDecoder().decode(Migration.self, from: $0) }
    }

    /// Whether a printd holds the lock of the spool.
    private var isLocked: Bool {
        let descriptor = open(place.lock, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private func unavailable(_ reason: String) -> SpoolerClientError {
        SpoolerClientError(.unavailable, "cannot start printd: \(reason.printable); see '\(place.log)'")
    }
}
