// Starts a process and exchanges messages with it, in blocking calls.

import FoundationEssentials
import Glibc

/// A process that runs in a separate session.
///
/// One socket connects the standard input and standard output of the process to this process.
///
///     let process = try InteractiveProcess(program: "/usr/bin/bc", arguments: [], environment: [], errors: "/dev/null")
///     try process.send(Array("6 * 7\n".utf8), until: .now + .seconds(1))
///     let answer = try process.line(longest: 100, until: .now + .seconds(1))
///
/// The methods block the calling thread, and must not be called concurrently. The process is killed when the last
/// reference to this object is released.
public final class InteractiveProcess {
    /// The reason why a send or receive operation failed.
    public enum Interruption: Error, Hashable, Sendable {
        /// An error for a deadline that has passed.
        case late
        /// An error for a process that closed its side of the socket.
        case ended
        /// An error for a line that is longer than the limit.
        case tooLong
    }

    /// The way in which a process ended.
    public enum Ending: Hashable, Sendable {
        /// The exit code of a process that exited.
        case exited(Int32)
        case signaled(Int32)
    }

    /// The process ID, which is also the session ID.
    public let pid: Int32
    /// The socket that is connected to the process.
    ///
    /// A caller can wait for several such sockets with poll(2), and then read the available lines.
    public let socket: Int32
    private var input: [UInt8] = []
    private var ending: Ending?
    /// The process as a process of another user; nil for a child of this process.
    public let hosted: HostedProcess?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The path of the executable, or its name in `PATH`.
    ///   - arguments: The arguments, without the program name.
    ///   - environment: The complete environment, as `NAME=value` strings.
    ///   - errors: The file to which standard error is appended.
    ///   - host: The host that starts the process as another user; nil for a child of this process.
    /// - Throws: `LaunchError` when the program cannot be started.
    public convenience init(
        program: String, arguments: [String], environment: [String], errors: String, host: ProcessHost? = nil
    ) throws(LaunchError) {
        try self.init(program) { end throws(LaunchError) in
            if let host {
                let process = try host.start(
                    [program] + arguments, environment: environment, streams: [end, end], errors: errors)
                return (process.pid, process)
            }
            return (
                try Launch(
                    program: program, arguments: arguments, environment: environment, input: end, output: end,
                    log: errors, hasOwnSession: true
                ).start(), nil
            )
        }
    }

    /// Starts a program as a child of this process.
    ///
    /// - Parameters:
    ///   - program: The path of the executable, or its name in `PATH`.
    ///   - arguments: The arguments, without the program name.
    ///   - environment: The complete environment, as `NAME=value` strings.
    ///   - errors: The file descriptor for standard error.
    /// - Throws: `LaunchError` when the program cannot be started.
    public convenience init(
        program: String, arguments: [String], environment: [String], errors: Int32
    ) throws(LaunchError) {
        try self.init(program) { end throws(LaunchError) in
            (
                try Launch(
                    program: program, arguments: arguments, environment: environment, input: end, output: end,
                    errors: errors, hasOwnSession: true
                ).start(), nil
            )
        }
    }

    private init(
        _ program: String, start: (_ end: Int32) throws(LaunchError) -> (Int32, HostedProcess?)
    ) throws(LaunchError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw LaunchError(program, errno) }
        defer { close(ends[1]) }
        do throws(LaunchError) { (pid, hosted) = try start(ends[1]) } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
    }

    /// Takes over a running child process, the leader of a session, and the socket that is connected to the process.
    ///
    /// - Parameter host: The host whose child the process is; nil if the process is a child of this process.
    /// - Throws: `LaunchError` if the host has ended. The caller then closes the socket.
    public init(pid: Int32, socket: Int32, host: ProcessHost? = nil) throws(LaunchError) {
        if let host { hosted = try host.watch(pid) } else { hosted = nil }
        (self.pid, self.socket) = (pid, socket)
    }

    deinit {
        end()
        close(socket)
    }

    /// Sends all bytes to the process, or throws an error at the deadline `moment`.
    ///
    /// - Parameter files: Open files, of which the process receives copies with the first bytes.
    public func send(
        _ bytes: [UInt8], passing files: [Int32] = [], until moment: ContinuousClock.Instant
    ) throws(Interruption) {
        var sent = 0
        if !files.isEmpty {
            sent = bytes.withUnsafeBytes { DescriptorMessage.send(.init(rebasing: $0.prefix(1)), files, to: socket) }
            guard sent == 1 else { throw .ended }
        }
        while sent < bytes.count {
            try wait(for: POLLOUT, until: moment)
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket, buffer.baseAddress! + sent, min(buffer.count - sent, 1 << 20),
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
            guard count > 0 else { throw .ended }
            sent += count
        }
    }

    /// Closes the standard input of the process.
    ///
    /// The process can still read all bytes that were sent.
    public func finishSending() { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Receives the next line, without its line end, or throws an error at the deadline `moment`.
    ///
    /// - Parameter longest: The maximum length of the line, in bytes.
    public func line(longest: Int, until moment: ContinuousClock.Instant) throws(Interruption) -> [UInt8] {
        var searched = 0
        while true {
            if let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                guard end <= longest else { throw .tooLong }
                defer { input.removeFirst(end + 1) }
                return Array(input[..<end])
            }
            searched = input.count
            guard searched <= longest else { throw .tooLong }
            try receive(until: moment)
        }
    }

    /// Returns the complete lines that have arrived, without waiting for more bytes.
    ///
    /// The list is empty if no line is complete.
    ///
    /// - Parameter longest: The maximum length of a line, in bytes.
    public func availableLines(longest: Int) throws(Interruption) -> [[UInt8]] {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 0) > 0 { try receive(until: .now + .seconds(1)) }
        var lines: [[UInt8]] = []
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            guard end <= longest else { throw .tooLong }
            lines.append(Array(input[..<end]))
            input.removeFirst(end + 1)
        }
        guard input.count <= longest else { throw .tooLong }
        return lines
    }

    /// Receives exactly `count` bytes, or throws an error at the deadline `moment`.
    public func bytes(_ count: Int, until moment: ContinuousClock.Instant) throws(Interruption) -> [UInt8] {
        while input.count < count { try receive(until: moment) }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// Receives the next available bytes, at most `longest`, or throws an error at the deadline `moment`.
    ///
    /// - Returns: At least one byte.
    public func chunk(longest: Int, until moment: ContinuousClock.Instant) throws(Interruption) -> [UInt8] {
        if input.isEmpty { try receive(until: moment) }
        let count = min(longest, input.count)
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// Kills the process and its process group, and returns how the process ended.
    ///
    /// If the process has already exited, the result is the exit code of the process or the signal that ended the
    /// process.
    @discardableResult
    public func end() -> Ending {
        if let ending { return ending }
        if let hosted {
            let result = hosted.end()
            ending = result
            return result
        }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let result = signal == 0 ? Ending.exited((status >> 8) & 0xFF) : .signaled(signal)
        ending = result
        return result
    }

    /// Waits until the process has ended, and returns how the process ended.
    ///
    /// Kills the process after a time limit.
    public func awaitEnd(atMost limit: Duration) -> Ending {
        if let ending { return ending }
        if let hosted {
            _ = hosted.awaitEnd(atMost: limit)
            return end()
        }
        let moment = ContinuousClock.now + limit
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT | WNOHANG) == 0 || errno == EINTR,
            information.si_signo == 0, ContinuousClock.now < moment
        {
            poll(nil, 0, 5)
        }
        // A process that has ended keeps its exit status when it receives a signal.
        return end()
    }

    /// Whether the process keeps its side of the socket open, and all received output has been read.
    public var isQuiet: Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return input.isEmpty && poll(&descriptor, 1, 0) == 0
    }

    private func receive(until moment: ContinuousClock.Instant) throws(Interruption) {
        while true {
            try wait(for: POLLIN, until: moment)
            let room = 1 << 16
            let start = input.count
            input.append(contentsOf: repeatElement(0, count: room))
            let count = input.withUnsafeMutableBytes { recv(socket, $0.baseAddress! + start, room, 0) }
            let failure = errno
            input.removeLast(room - max(count, 0))
            if count < 0, failure == EINTR { continue }
            guard count > 0 else { throw .ended }
            return
        }
    }

    private func wait(for events: Int32, until moment: ContinuousClock.Instant) throws(Interruption) {
        while true {
            let left = (moment - .now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { throw .late }
            var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
            let ready = poll(&descriptor, 1, Int32(clamping: milliseconds))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw .ended }
        }
    }
}
