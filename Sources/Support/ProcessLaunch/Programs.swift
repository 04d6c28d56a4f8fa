// Where programs are, and running one to its end.

import FoundationEssentials
import Glibc

/// The programs of printq, which lie in one folder, and those of the system.
public enum Programs {
    /// The path that a program of printq's has: beside the one that is running.
    public static func beside(_ name: String) -> String {
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return name
        }
        return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }

    /// The path of a program: beside the one that is running, else in `PATH`; nil when it is in neither.
    public static func find(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
        return ([beside(name)] + folders.map { "\($0)/\(name)" }).first { access($0, X_OK) == 0 }
    }

    /// Runs a program of `PATH` to its end.
    ///
    /// It blocks the calling thread.
    ///
    /// - Returns: its exit code; nil when it did not start, or was ended by a signal.
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

    /// The environment of this process, `NAME=value` each.
    static var environment: [String] { ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } }
}

/// Calls `body` with copies of the strings as C has them, ended by a null pointer.
func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
