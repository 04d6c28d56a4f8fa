// A process that goes on when its starter is gone.

import FoundationEssentials
import Glibc

/// Starts processes in sessions of their own.
enum DetachedProcess {
    /// glibc's `POSIX_SPAWN_SETSID`, which it shows only to C with `_GNU_SOURCE`.
    private static let setSession: Int16 = 0x80

    /// Starts a program in a session of its own, with nothing of ours open, and gives the reading end of its standard
    /// output; its standard error is appended to `log`.
    static func start(_ program: String, _ arguments: [String], log: String) throws(CommandError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failed(program, errno) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
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
        let flags = setSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, flags)
        let code = withCStrings([program] + arguments) { arguments in
            withEnvironment { environment in
                var pid: pid_t = 0
                return posix_spawn(&pid, program, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else {
            close(ends[0])
            throw failed(program, code)
        }
        return ends[0]
    }

    private static var openDescriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    private static func failed(_ program: String, _ code: Int32) -> CommandError {
        CommandError(.unavailable, "'\(program)' does not start: \(String(cString: strerror(code)))")
    }
}

/// Calls `body` with copies of the strings as C has them, ended by a null pointer.
func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}

/// Calls `body` with the environment of this process as C has it.
func withEnvironment<Result>(_ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    withCStrings(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }, body)
}
