// A process that goes on when its starter is gone.

import Glibc

/// A process in a session of its own, started by `printq` (the spooler) and by `printd` (the simulated printers).
///
///     let daemon = try DetachedProcess(program: "/usr/bin/printd", arguments: ["--spool", folder], log: log)
///     let ready = daemon.readLine(deadline: 20)
public struct DetachedProcess: Sendable {
    /// The process.
    public let pid: Int32
    /// The reading end of its standard output.
    private let output: Int32

    /// Starts a program with nothing of ours open but its standard output, which can be read here.
    ///
    /// - Parameters:
    ///   - program: the path of the executable.
    ///   - arguments: its arguments, without its name.
    ///   - log: the file that its standard error is appended to.
    public init(program: String, arguments: [String], log: String) throws(LaunchError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchError(program, errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        do throws(LaunchError) {
            pid = try Launch(
                program: program, arguments: arguments, output: ends[1], log: log, hasOwnSession: true
            ).start()
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
    }

    /// The first line of the process's standard output, which is closed then; nil when it ends without one, or the
    /// deadline passes.
    ///
    /// It blocks the calling thread.
    ///
    /// - Parameter deadline: how long to wait, in seconds.
    public func readLine(deadline: Double) -> String? {
        defer { close(output) }
        return firstLine(of: output, deadline: deadline)
    }

    /// Takes note that the process has ended, if it has, so that none is left half dead.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    public func reap() -> Bool {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) != 0
    }
}
