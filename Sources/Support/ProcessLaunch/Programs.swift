// Finds programs and runs them.

import FoundationEssentials
import Glibc

/// A namespace for functions that find and run the programs of printq and of the system.
///
/// In a checkout, all programs of printq are in one folder. An installation has `PREFIX/bin/printq`,
/// `PREFIX/sbin/printd`, and the internal programs in `PREFIX/libexec/printq`.
public enum Programs {
    /// Returns the path of a program in the folder of the running program.
    public static func beside(_ name: String) -> String {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return name
        }
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }

    /// Returns the path of a program in the folder of the running program, in the installation of the running program,
    /// or in `PATH`; nil if the program is not found.
    public static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return candidates(name, beside: beside(name), path: path).first { access($0, X_OK) == 0 }
    }

    /// Returns the path of a program of printq.
    ///
    /// If the program is not installed, the result is the path that the program would have in the folder of the running
    /// program. The error of a failed start then contains this path.
    public static func path(of name: String) -> String { find(name) ?? beside(name) }

    /// Returns the paths to search for a program, in order.
    ///
    /// - Parameters:
    ///   - beside: The path of the program in the folder of the running program, without symbolic links.
    ///   - path: The value of `PATH`. Relative folders in `PATH` are ignored.
    static func candidates(_ name: String, beside: String, path: String) -> [String] {
        let own = beside.split(separator: "/").dropLast()
        let isInternal = own.suffix(2) == ["libexec", "printq"]
        let prefix = own.dropLast(isInternal ? 2 : 1).map { "/\($0)" }.joined()
        let installed = ["libexec/printq", "sbin", "bin"].map { "\(prefix)/\($0)/\(name)" }
        let searched = path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        return [beside] + installed + searched
    }

    /// Runs a program from `PATH`, and waits until the program exits.
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

    /// Runs a program, and waits until the program exits.
    ///
    /// Standard output is discarded. A program that exceeds the time limit is killed.
    ///
    /// - Parameters:
    ///   - program: The path of the executable.
    ///   - log: The file to which standard error is appended.
    /// - Returns: The exit code, or the negated number of the signal that ended the program.
    /// - Throws: `LaunchError` when the program cannot be started.
    public static func run(
        _ program: String, _ arguments: [String], log: String, within limit: Duration
    ) async throws(LaunchError) -> Int32 {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { throw LaunchError(program, errno) }
        defer { close(null) }
        let ending = ChildProcessExit(
            of: try Launch(program: program, arguments: arguments, output: null, log: log).start())
        return await ending.wait(timeout: limit) { ending.send(SIGKILL) }
    }

    /// Starts a program of the desktop in a separate session, without waiting until the program exits.
    ///
    /// The program continues after this process has ended. The output of the program is discarded.
    ///
    /// - Parameters:
    ///   - name: The path of the executable, or its name in `PATH`.
    ///   - environment: Variables for the program, in addition to the variables of this process.
    /// - Throws: `LaunchError` when the program cannot be started.
    public static func start(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws(LaunchError) {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { throw LaunchError(name, errno) }
        defer { close(null) }
        let pid = try Launch(
            program: name, arguments: arguments, environment: variables.map { "\($0.key)=\($0.value)" }, output: null,
            log: "/dev/null", hasOwnSession: true
        ).start()
        // Reaps the program when it exits, so that it does not remain as a zombie.
        _ = ChildProcessExit(of: pid)
    }

    /// The environment of this process, as `NAME=value` strings.
    public static var environment: [String] { ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } }
}

/// Calls `body` with copies of the strings as a null-terminated array of C strings.
func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
