// Starts, kills and finds the programs of one trial.

import Foundation
import Glibc
import IPPClient
package import IPPNetworkClient
import PrintTestSupport
package import ProcessLaunch
import Synchronization

/// A spool with a printd that can be killed.
///
/// All processes of the spool have the folder in an environment variable, so they are found even if their parent has
/// died. The variable is `LD_LIBRARY_PATH`, one of the few variables that workers inherit.
package final class TrialSpooler: Sendable {
    /// The trial's folder, which contains the spool.
    package let folder: String
    private let arguments: [String]
    private let heldSocket: HeldSocket?
    private let daemon = Mutex<DetachedProcess?>(nil)

    /// Creates a spool in an existing folder, without starting printd.
    ///
    /// - Parameters:
    ///   - arguments: Additional arguments for printd.
    ///   - holdsSocket: Whether this process holds printd's socket. The socket then stays open while printd restarts.
    package init(folder: String, arguments: [String] = [], holdsSocket: Bool = false) throws {
        self.folder = folder
        self.arguments = arguments
        try FileManager.default.createDirectory(atPath: "\(folder)/spool", withIntermediateDirectories: true)
        heldSocket = holdsSocket ? try HeldSocket(path: "\(folder)/spool/printd.sock") : nil
        Self.markProcesses(of: folder)
    }

    /// Marks the processes that this process starts from now on, so that `endAll(of:)` finds them.
    package static func markProcesses(of folder: String) {
        let others = getenv("LD_LIBRARY_PATH").map { ":" + String(cString: $0) } ?? ""
        setenv("LD_LIBRARY_PATH", "\(mark(of: folder))\(others)", 1)
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
    }

    /// The path of the spool.
    package var spool: String { "\(folder)/spool" }
    /// The path of printd's socket.
    package var socket: String { "\(spool)/printd.sock" }
    /// The path of printd's standard error output.
    package var log: String { "\(folder)/printd.err" }
    /// The process ID of printd while it runs.
    package var pid: Int32? { daemon.withLock { $0?.pid } }
    /// Whether printd was started and has not ended.
    package var isRunning: Bool { pid.map { Process(pid: $0, parent: getpid(), program: "printd").isAlive } ?? false }

    // MARK: - Life

    /// The error when printd does not start.
    package struct StartError: Error, CustomStringConvertible {
        /// The error message.
        package var description: String
    }

    /// The first line of printd's output.
    package struct ReadyLine: Decodable, Sendable {
        /// Whether printd listens.
        package var ready: Bool
        /// The reason why printd does not listen.
        package var message: String?
    }

    /// Starts printd without waiting.
    @discardableResult
    package func launch() throws -> DetachedProcess {
        let program = Programs.beside("printd")
        let arguments = ["--spool", spool, "--no-tcp"] + arguments
        let process =
            if let heldSocket {
                try DetachedProcess(
                    program: "/bin/sh", arguments: heldSocket.shellArguments(program, arguments),
                    input: heldSocket.descriptor, log: log)
            } else {
                try DetachedProcess(program: program, arguments: arguments, log: log)
            }
        daemon.withLock { $0 = process }
        return process
    }

    /// Starts printd and waits until it listens.
    ///
    /// - Throws: `StartError` when printd reports an error, or prints nothing for 30 seconds.
    package func start() async throws {
        guard let line = await Self.firstLine(of: try launch()) else {
            reap()
            throw StartError(description: "printd printed no first line; its log: \(text(of: log).suffix(2000))")
        }
        let ready = try JSONDecoder().decode(ReadyLine.self, from: Data(line.utf8))
        guard ready.ready else {
            reap()
            throw StartError(description: ready.message ?? line)
        }
    }

    private static func firstLine(of process: DetachedProcess) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: process.readLine(deadline: 30)) }
        }
    }

    /// Kills programs of this spool, and waits for their end.
    ///
    /// - Returns: The number of killed processes of each program.
    @discardableResult
    package func kill(_ victims: Set<Journal.Victim>) async throws -> [Journal.Victim: Int] {
        let doomed = processes.filter { process in process.victim.map(victims.contains) ?? false }
        for process in doomed { Glibc.kill(process.pid, SIGKILL) }
        if victims.contains(.printd) { reap() }
        // Poll, because most of the processes are not children of this process.
        try await eventually("\(doomed) are gone", every: .milliseconds(1)) { !doomed.contains(where: \.isAlive) }
        if victims.contains(.printd) { try await Self.waitUntilUnlocked(spool) }
        return Dictionary(grouping: doomed) { $0.victim ?? .workers }.mapValues(\.count)
    }

    /// Waits until no process holds the lock of a spool.
    ///
    /// Otherwise a trial would kill daemons beside the one that prints. A child of a killed daemon can hold the lock
    /// until it executes its program.
    ///
    /// - Throws: `NeverSo` after five seconds.
    package static func waitUntilUnlocked(_ spool: String) async throws {
        let file = open("\(spool)/lock", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        try await eventually("no printd holds the spool", within: .seconds(5), every: .milliseconds(1)) {
            flock(file, LOCK_SH | LOCK_NB) == 0
        }
    }

    /// Waits for the end of printd after it was terminated.
    package func reap() {
        guard let process = daemon.withLock({ $0.take() }) else { return }
        var status: Int32 = 0
        while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Sends a signal to printd and waits for its end.
    package func stop(_ signal: Int32 = SIGTERM) {
        guard let pid else { return }
        Glibc.kill(pid, signal)
        reap()
    }

    /// Returns a client for printd.
    package func client() -> IPPClient { IPPClient(address: .unix(path: socket)) }

    /// Returns a client for printd that waits for each response for a number of seconds at most.
    package func client(answerLimit seconds: Int64) -> IPPClient {
        var bounds = IPPClient.Bounds()
        bounds.answer = .seconds(seconds)
        return IPPClient(address: .unix(path: socket), bounds: bounds)
    }

    // MARK: - Processes

    /// A process of this spool.
    package struct Process: Sendable, CustomStringConvertible {
        /// The process ID.
        package var pid: Int32
        /// The process ID of the parent.
        package var parent: Int32
        /// The name of the program.
        package var program: String

        /// The kind of the program for killing; nil for other programs.
        package var victim: Journal.Victim? {
            switch program {
            case "printd": .printd
            case "printsim": .printsim
            case "print-worker", "prlimit": .workers
            case "cupsd": .cupsd
            default: nil
            }
        }

        /// Whether the process still holds its memory, files and locks.
        package var isAlive: Bool {
            let state = text(of: "/proc/\(pid)/stat").split(separator: ")").last?.first { $0 != " " }
            return state != nil && state != "Z" && state != "X"
        }

        /// `print-worker 123 of 45`.
        package var description: String { "\(program) \(pid) of \(parent)" }
    }

    /// All processes of this spool that have not ended.
    package var processes: [Process] { Self.processes(of: folder) }

    /// Returns all processes of the spool in a folder that have not ended.
    package static func processes(of folder: String) -> [Process] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { pid in
            guard pid != getpid(), text(of: "/proc/\(pid)/environ").contains(mark(of: folder)) else { return nil }
            // The format is: pid (program) state parent …
            let stat = text(of: "/proc/\(pid)/stat")
            guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"),
                let parent = stat[close...].split(separator: " ").dropFirst(2).first.flatMap({ Int32($0) })
            else { return nil }
            return Process(pid: pid, parent: parent, program: String(stat[stat.index(after: open)..<close]))
        }
    }

    /// The orphaned processes: workers whose owner has ended, and additional instances of programs that run only once.
    package var strays: [Process] {
        let all = processes
        let owners = Set(all.filter { $0.victim == .printd || $0.victim == .printsim }.map(\.pid))
        let simulators = all.filter { $0.victim == .printsim }.map(\.pid)
        return all.filter { process in
            switch process.victim {
            case .printd: process.pid != pid
            case .printsim: process.pid != simulators.max()
            case .workers: !owners.contains(process.parent)
            case .cupsd: false
            case nil: true
            }
        }
    }

    /// Kills all processes of the spool in a folder.
    package static func endAll(of folder: String) {
        for process in processes(of: folder) { Glibc.kill(process.pid, SIGKILL) }
    }

    private static func mark(of folder: String) -> String { "\(folder)/none" }
}
