// Runs a program and exchanges data with the program over a socket.

import Glibc

/// A program that runs concurrently with a test, which controls its standard input and output.
///
///     let shell = try ChildProgram("sqlite3", [path])
///     try shell.write("SELECT 1;\n")
///     #expect(shell.readLine() == "1")
///     #expect(try shell.finish().code == 0)
///
/// Foundation's `Process` is not suitable. It watches its children with select(2), which corrupts memory for file
/// descriptors above 1023. In addition, programs that other tests start at the same time inherit the pipes of `Process`
/// and keep the pipes open.
///
/// Reading blocks the calling thread.
public final class ChildProgram {
    /// The error for a program that cannot be started, or whose socket is closed.
    public struct Failure: Error, CustomStringConvertible {
        /// The error message, one sentence.
        public let description: String

        /// Creates an error.
        public init(description: String) { self.description = description }
    }

    private let pid: pid_t
    /// The test's end of a socket that is the program's standard input, output and error.
    private let channel: Int32
    private var isOver = false

    /// Starts a program from `PATH` or a path, with this process's environment.
    ///
    /// Standard error is read together with standard output.
    ///
    /// - Throws: `Failure` when the program does not start.
    public init(_ name: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure(description: "cannot create a socket: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_adddup2(&actions, ends[1], standard)
        }
        let words = ([name] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, name, &actions, nil, words + [nil], environ)
        (self.pid, channel) = (pid, ends[0])
        // Time out after 60 seconds, so that a test fails instead of hanging.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard code == 0 else {
            isOver = true
            close(channel)
            throw Failure(description: "cannot start '\(name)': \(String(cString: strerror(code)))")
        }
    }

    deinit {
        guard !isOver else { return }
        kill(pid, SIGKILL)
        _ = try? finish()
    }

    /// Writes to the program's standard input.
    ///
    /// - Throws: `Failure` when the program has closed its input.
    public func write(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure(description: "its standard input is closed") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Reads the next line of the program's output, without the newline; returns nil at the end.
    public func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = read(atMost: 1).first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Terminates the program (SIGTERM).
    public func terminate() { if !isOver { kill(pid, SIGTERM) } }

    /// Interrupts the program, like Ctrl-C (SIGINT).
    public func interrupt() { if !isOver { kill(pid, SIGINT) } }

    /// Closes the program's input, reads the rest of its output, and waits for its end.
    ///
    /// - Returns: The exit code (the negative signal number if a signal ended the program), and the output after the
    ///   last line read.
    @discardableResult
    public func finish() throws -> (code: Int32, output: String) {
        isOver = true
        shutdown(channel, Int32(SHUT_WR))
        var rest: [UInt8] = []
        while case let bytes = read(atMost: 1 << 16), !bytes.isEmpty { rest += bytes }
        close(channel)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(description: "process \(pid) is not a child of this process") }
        }
        let signal = status & 0x7F
        return (signal == 0 ? (status >> 8) & 0xFF : -signal, String(decoding: rest, as: UTF8.self))
    }

    private func read(atMost limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var got = Glibc.read(channel, buffer.baseAddress, limit)
            while got < 0 && errno == EINTR { got = Glibc.read(channel, buffer.baseAddress, limit) }
            count = max(0, got)
        }
    }
}
