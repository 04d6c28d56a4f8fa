// A process that goes on when its starter is gone.

import FoundationEssentials
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

    /// Why a process does not start.
    public struct LaunchError: Error, CustomStringConvertible {
        /// One sentence for people.
        public let description: String
    }

    /// glibc's `POSIX_SPAWN_SETSID`, which it shows only to C with `_GNU_SOURCE`.
    private static let setSession: Int16 = 0x80

    /// Starts a program with nothing of ours open but its standard output, which can be read here.
    ///
    /// - Parameters:
    ///   - program: the path of the executable.
    ///   - arguments: its arguments, without its name.
    ///   - log: the file that its standard error is appended to.
    public init(program: String, arguments: [String], log: String) throws(LaunchError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failed(program, errno) }
        defer { close(ends[1]) }
        let result = Self.spawn(program, arguments, environment: Programs.environment) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        switch result {
        case .success(let pid):
            self.pid = pid
            output = ends[0]
        case .failure(let error):
            close(ends[0])
            throw error
        }
    }

    /// The first line of the process's standard output, which is closed then; nil when it ends without one, or the
    /// deadline passes.
    ///
    /// It blocks the calling thread.
    ///
    /// - Parameter deadline: how long to wait, in seconds.
    public func readLine(deadline: Double) -> String? {
        defer { close(output) }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(deadline)
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while line.count < 1 << 16 {
            let left = (end - clock.now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { return nil }
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, Int32(clamping: milliseconds))
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = read(output, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            if let newline = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: line + buffer[..<newline], as: UTF8.self)
            }
            line += buffer[..<count]
        }
        return nil
    }

    /// Takes note that the process has ended, if it has, so that none is left half dead.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    public func reap() -> Bool {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) != 0
    }

    /// Starts a program in a session of its own, with just its standard input, output and error, as `files` says.
    ///
    /// - Parameter program: its path, or its name in `PATH`.
    static func spawn(
        _ program: String, _ arguments: [String], environment: [String],
        files: (inout posix_spawn_file_actions_t) -> Void
    ) -> Result<pid_t, LaunchError> {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        files(&actions)
        // A descriptor of our caller's that stayed open would keep it waiting for the daemon's end.
        for descriptor in openDescriptors where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // What we ignore, it would ignore as well.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGHUP, SIGTERM, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, setSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let code = withCStrings([program] + arguments) { arguments in
            withCStrings(environment) { posix_spawnp(&pid, program, &actions, &attributes, arguments, $0) }
        }
        return code == 0 ? .success(pid) : .failure(failed(program, code))
    }

    private static var openDescriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    static func failed(_ program: String, _ code: Int32) -> LaunchError {
        LaunchError(description: "'\(program)' does not start: \(String(cString: strerror(code)))")
    }
}
