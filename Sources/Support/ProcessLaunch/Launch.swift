// Starting a process with nothing of ours open but what it is given.

import FoundationEssentials
import Glibc

/// Why a process does not start.
public struct LaunchError: Error, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String
    /// The system's number for it, such as `ENOENT`.
    public let code: Int32

    init(_ program: String, _ code: Int32) {
        self.code = code
        description = "'\(program)' does not start: \(String(cString: strerror(code)))"
    }
}

/// A process to be started.
struct Launch {
    /// The path of the executable, or its name in `PATH`.
    var program: String
    /// Its arguments, without its name.
    var arguments: [String]
    /// All of its environment, `NAME=value` each; ours, unless it is said.
    var environment = Programs.environment
    /// What it reads as standard input; nil for nothing.
    var input: Int32?
    /// What it writes its standard output to.
    var output: Int32
    /// The file that its standard error is appended to.
    var log: String
    /// Whether it gets a session of its own, so that it outlives our terminal.
    var hasOwnSession = false

    /// glibc's `POSIX_SPAWN_SETSID`, which it shows only to C with `_GNU_SOURCE`.
    private static let setSession: Int16 = 0x80

    /// Starts it; its process number.
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
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // A descriptor of our caller's that stayed open would keep it waiting for the process's end.
        Self.closeOthers(in: &actions)
        return try Self.spawn(program, arguments, environment, &actions, hasOwnSession: hasOwnSession)
    }

    /// Starts a program with a signal mask of its own, in which nothing is blocked, and no signal ignored but those named.
    static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String],
        _ actions: inout posix_spawn_file_actions_t, ignoring ignored: Set<Int32> = [], hasOwnSession: Bool = false
    ) throws(LaunchError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What we ignore, it would ignore as well.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGHUP, SIGTERM, SIGQUIT] where !ignored.contains(signal) {
            sigaddset(&signals, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // And threads that are not the main one have nearly everything blocked.
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

    /// Has everything but the three files of every program closed in the process.
    ///
    /// It is done where the process begins, and so holds for files too that another thread opens at this moment.
    static func closeOthers(in actions: inout posix_spawn_file_actions_t) {
        if let closeFrom, closeFrom(&actions, 3) == 0 { return }
        for descriptor in openDescriptors where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
    }

    /// glibc's `posix_spawn_file_actions_addclosefrom_np` (2.34), which it shows to C with `_DEFAULT_SOURCE` only.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { symbol in
        typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        return unsafeBitCast(symbol, to: Function.self)
    }

    static var openDescriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }
}

/// The first line that comes through a pipe; nil when it ends without one, or the deadline passes.
///
/// It blocks the calling thread.
///
/// - Parameter deadline: how long to wait, in seconds.
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
