// Starts a process that continues after the process that started it has ended.

import Glibc

/// A process that runs in a separate session.
///
/// `printq` uses this type to start the spooler, and `printd` uses this type to start the simulated printers.
///
///     let daemon = try DetachedProcess(program: "/usr/bin/printd", arguments: ["--spool", folder], log: log)
///     let ready = daemon.readLine(deadline: 20)
public struct DetachedProcess: Sendable {
    /// The process ID.
    public let pid: Int32
    /// The read end of the process's standard output.
    private let output: Int32

    /// Starts a program with only the three standard streams open.
    ///
    /// `readLine` reads from the program's standard output.
    ///
    /// - Parameters:
    ///   - program: The path of the executable.
    ///   - arguments: The arguments, without the program name.
    ///   - input: The file descriptor for standard input; nil for `/dev/null`.
    ///   - log: The file to which standard error is appended.
    /// - Throws: `LaunchError` when the program cannot be started.
    public init(
        program: String, arguments: [String], input: Int32? = nil, log: String
    ) throws(LaunchError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchError(program, errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        do throws(LaunchError) {
            pid = try Launch(
                program: program, arguments: arguments, input: input, output: ends[1], log: log,
                hasOwnSession: true
            ).start()
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
    }

    /// Returns the first line of standard output, and closes the output.
    ///
    /// Returns nil if the output ends without a line, or after the deadline.
    ///
    /// This method blocks the calling thread.
    ///
    /// - Parameter deadline: The maximum time to wait, in seconds.
    public func readLine(deadline: Double) -> String? {
        defer { close(output) }
        return firstLine(of: output, deadline: deadline)
    }

    /// Waits until the process writes to its standard output or closes its standard output.
    ///
    /// Returns `false` at the end of the given time.
    ///
    /// This method blocks the calling thread. Do not call this method after `readLine`.
    ///
    /// - Parameter seconds: The maximum time to wait, in seconds.
    public func hasOutput(within seconds: Double) -> Bool {
        var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(clamping: Int(seconds * 1000))) > 0
    }

    /// Reaps the process if the process has ended, so that the process does not remain as a zombie.
    ///
    /// - Returns: Whether the process has ended.
    @discardableResult
    public func reap() -> Bool {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) != 0
    }
}
