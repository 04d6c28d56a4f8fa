// Starts processes that inherit only the given files.

import FoundationEssentials
import Glibc

/// The error for a process that cannot be started.
public struct LaunchError: Error, Sendable, CustomStringConvertible {
    /// A sentence for users: the program, and the reason why the program cannot be started.
    public let description: String
    /// The system error number, such as `ENOENT`.
    public let code: Int32

    init(_ program: String, _ code: Int32) {
        self.code = code
        description = "cannot start '\(program)': \(String(cString: strerror(code)))"
    }
}

/// The parameters of a process to start.
struct Launch {
    /// The path of the executable, or its name in `PATH`.
    var program: String
    /// The arguments, without the program name.
    var arguments: [String]
    /// The complete environment, as `NAME=value` strings; by default the environment of this process.
    var environment = Programs.environment
    /// The file descriptor for standard input; nil for `/dev/null`.
    var input: Int32?
    /// The file descriptor for standard output.
    var output: Int32
    /// The file to which standard error is appended.
    var log = "/dev/null"
    /// The file descriptor for standard error; nil for the file `log`.
    var errors: Int32?
    /// Whether the process runs in a separate session, and therefore continues after the terminal is closed.
    var hasOwnSession = false

    /// The flag `POSIX_SPAWN_SETSID` of glibc, which glibc's headers declare only for C with `_GNU_SOURCE`.
    private static let setSession: Int16 = 0x80

    /// Starts the process and returns its process ID.
    func start() throws(LaunchError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if let errors {
            posix_spawn_file_actions_adddup2(&actions, errors, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // If a caller waits until a descriptor is closed, a descriptor inherited by the process would delay the caller
        // until the process ends.
        Self.closeOthers(in: &actions)
        return try Self.spawn(program, arguments, environment, &actions, hasOwnSession: hasOwnSession)
    }

    /// Starts a program with an empty signal mask.
    ///
    /// The program ignores the signals in `ignored`. If `SIGHUP`, `SIGINT`, `SIGPIPE`, `SIGQUIT` or `SIGTERM` is not in
    /// `ignored`, the program handles this signal in the default way.
    static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String],
        _ actions: inout posix_spawn_file_actions_t, ignoring ignored: Set<Int32> = [], hasOwnSession: Bool = false
    ) throws(LaunchError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process inherits the ignored signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGHUP, SIGTERM, SIGQUIT] where !ignored.contains(signal) {
            sigaddset(&signals, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A process inherits the signal mask, in which threads other than the main thread block most signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, hasOwnSession ? flags | setSession : flags)
        var pid: pid_t = 0
        let code = withCStrings([program] + arguments) { arguments in
            withCStrings(environment) {
                posix_spawnp(&pid, program, &actions, &attributes, arguments, $0)
            }
        }
        guard code == 0 else { throw LaunchError(program, code) }
        return pid
    }

    /// Adds file actions with which the new process closes all open files except the three standard streams.
    ///
    /// With glibc 2.34 or later, the new process also closes files that other threads open during the start.
    static func closeOthers(in actions: inout posix_spawn_file_actions_t) {
        if let closeFrom, closeFrom(&actions, 3) == 0 { return }
        for descriptor in openDescriptors where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    /// The function `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34, which glibc's headers declare only for C
    /// with `_DEFAULT_SOURCE`.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { symbol in
        typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        return unsafeBitCast(symbol, to: Function.self)
    }

    static var openDescriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }
}

/// Returns the first line from a pipe; nil if the pipe is closed without a line, or after the deadline.
///
/// This function blocks the calling thread.
///
/// - Parameter deadline: The maximum time to wait, in seconds.
func firstLine(of output: Int32, deadline: Double) -> String? {
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
