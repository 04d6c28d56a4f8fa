// Finds programs and runs them.

import FoundationEssentials
import Glibc

/// The programs of printq, which are in the same folder, and the programs of the system.
public enum Programs {
    /// Returns the path of a program in the folder of the running program.
    public static func beside(_ name: String) -> String {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return name
        }
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }

    /// Returns the path of a program in the folder of the running program or in `PATH`; nil if neither place has the
    /// program.
    public static func find(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        return ([beside(name)] + folders.map { "\($0)/\(name)" }).first { access($0, X_OK) == 0 }
    }

    /// Runs a program from `PATH` and waits until it exits.
    ///
    /// This method blocks the calling thread.
    ///
    /// - Returns: The exit code; nil if the program could not be started, or if a signal ended the program.
    public static func run(_ name: String, _ arguments: [String]) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Launch.closeOthers(in: &actions)
        guard let pid = try? Launch.spawn(name, arguments, environment, &actions) else { return nil }
        var status: Int32 = 0
        guard waitpid(pid, &status, 0) == pid, status & 0x7F == 0 else { return nil }
        return (status >> 8) & 0xFF
    }

    /// Starts a program of the desktop in a separate session, and does not wait until it exits.
    ///
    /// The program continues after this process has ended. Its output is discarded.
    ///
    /// - Parameter name: The path of the executable, or its name in `PATH`.
    /// - Throws: `LaunchError` when the program cannot be started.
    public static func start(_ name: String, _ arguments: [String]) throws(LaunchError) {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { throw LaunchError(name, errno) }
        defer { close(null) }
        let pid = try Launch(
            program: name, arguments: arguments, output: null, log: "/dev/null", hasOwnSession: true
        ).start()
        // Reaps the program when it exits, so that it does not remain as a zombie.
        _ = ChildProcessExit(of: pid)
    }

    /// The environment of this process, as `NAME=value` strings.
    static var environment: [String] { ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } }
}

/// Calls `body` with copies of the strings as a null-terminated array of C strings.
func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
