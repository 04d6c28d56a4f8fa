// The real programs on a spool of a trial's own: started, killed, and found wherever they have gone.

import Foundation
import Glibc
package import IPPClient
import PrintTestSupport
package import ProcessLaunch
import Synchronization

/// A spool with a printd that can be killed.
///
/// Every process that comes of it bears the folder in its environment, and so is found though its parent died: in
/// `LD_LIBRARY_PATH`, one of the few variables that workers are given.
package final class TrialSpooler: Sendable {
    /// The trial's folder, which the spool is in.
    package let folder: String
    private let arguments: [String]
    private let daemon = Mutex<DetachedProcess?>(nil)

    /// A spool in an existing folder; nothing runs yet.
    ///
    /// - Parameter arguments: what printd is told beside its spool.
    package init(folder: String, arguments: [String] = []) throws {
        self.folder = folder
        self.arguments = arguments
        try FileManager.default.createDirectory(atPath: "\(folder)/spool", withIntermediateDirectories: true)
        let others = getenv("LD_LIBRARY_PATH").map { ":" + String(cString: $0) } ?? ""
        setenv("LD_LIBRARY_PATH", "\(Self.mark(of: folder))\(others)", 1)
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
    }

    /// The spool's folder.
    package var spool: String { "\(folder)/spool" }
    /// printd's socket.
    package var socket: String { "\(spool)/printd.sock" }
    /// What printd has said on standard error.
    package var log: String { "\(folder)/printd.err" }
    /// printd, while it runs.
    package var pid: Int32? { daemon.withLock { $0?.pid } }

    // MARK: - Life

    /// Why printd does not run.
    package struct StartError: Error, CustomStringConvertible {
        /// What it said.
        package var description: String
    }

    /// What printd says in its first line.
    package struct ReadyLine: Decodable, Sendable {
        /// Whether it listens.
        package var ready: Bool
        /// Why not.
        package var message: String?
    }

    /// Starts printd, and does not wait.
    @discardableResult
    package func launch() throws -> DetachedProcess {
        let process = try DetachedProcess(
            program: Programs.beside("printd"), arguments: ["--spool", spool, "--no-tcp"] + arguments, log: log)
        daemon.withLock { $0 = process }
        return process
    }

    /// Starts printd and waits until it listens.
    ///
    /// - Throws: `StartError` when it says that it cannot, or says nothing for half a minute.
    package func start() async throws {
        guard let line = await Self.firstLine(of: try launch()) else {
            reap()
            throw StartError(description: "printd said nothing; its log: \(text(of: log).suffix(2000))")
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

    /// Kills programs of this spool, and returns when they are gone.
    ///
    /// - Returns: how many processes were killed of each.
    @discardableResult
    package func kill(_ victims: Set<Journal.Victim>) async throws -> [Journal.Victim: Int] {
        let doomed = processes.filter { process in process.victim.map(victims.contains) ?? false }
        for process in doomed { Glibc.kill(process.pid, SIGKILL) }
        if victims.contains(.printd) { reap() }
        // Most are nobody's children: nothing tells that they have gone.
        try await eventually("\(doomed) are gone", every: .milliseconds(1)) { !doomed.contains(where: \.isAlive) }
        return Dictionary(grouping: doomed) { $0.victim ?? .workers }.mapValues(\.count)
    }

    /// Waits for printd's end, after it was told to end.
    package func reap() {
        guard let process = daemon.withLock({ $0.take() }) else { return }
        var status: Int32 = 0
        while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Sends printd a signal and waits until it is gone.
    package func stop(_ signal: Int32 = SIGTERM) {
        guard let pid else { return }
        Glibc.kill(pid, signal)
        reap()
    }

    /// A client of printd's.
    package func client() -> IPPClient { IPPClient(address: .unix(path: socket)) }

    // MARK: - Processes

    /// A process that came of this spool.
    package struct Process: Sendable, CustomStringConvertible {
        /// Its number.
        package var pid: Int32
        /// Its parent's number.
        package var parent: Int32
        /// Its program's name.
        package var program: String

        /// What killing it is called; nil for a process that nobody aims at.
        package var victim: Journal.Victim? {
            switch program {
            case "printd": .printd
            case "printsim": .printsim
            case "print-worker", "prlimit": .workers
            case "cupsd": .cupsd
            default: nil
            }
        }

        /// Whether it still has what it had: memory, files, locks.
        package var isAlive: Bool {
            let state = text(of: "/proc/\(pid)/stat").split(separator: ")").last?.first { $0 != " " }
            return state != nil && state != "Z" && state != "X"
        }

        /// `print-worker 123 of 45`.
        package var description: String { "\(program) \(pid) of \(parent)" }
    }

    /// All processes that came of this spool and have not ended.
    package var processes: [Process] { Self.processes(of: folder) }

    /// All processes that came of the spool in a folder and have not ended.
    package static func processes(of folder: String) -> [Process] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { pid in
            guard pid != getpid(), text(of: "/proc/\(pid)/environ").contains(mark(of: folder)) else { return nil }
            // pid (program) state parent …
            let stat = text(of: "/proc/\(pid)/stat")
            guard let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")"),
                let parent = stat[close...].split(separator: " ").dropFirst(2).first.flatMap({ Int32($0) })
            else { return nil }
            return Process(pid: pid, parent: parent, program: String(stat[stat.index(after: open)..<close]))
        }
    }

    /// Processes that nobody owns: workers of a program that is gone, and programs there should be one of.
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

    /// Ends every process that came of the spool in a folder, at once.
    package static func endAll(of folder: String) {
        for process in processes(of: folder) { Glibc.kill(process.pid, SIGKILL) }
    }

    private static func mark(of folder: String) -> String { "\(folder)/none" }
}
