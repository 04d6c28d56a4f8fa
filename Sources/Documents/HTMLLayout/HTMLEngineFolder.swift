// Finds the Python environment of the HTML engine.

import FoundationEssentials
import Glibc
import ProcessPools

/// The folders in which `scripts/setup documents` installs the HTML engine.
enum HTMLEngineFolder {
    /// Returns the possible folders of the HTML engine, in the order of the search.
    ///
    /// If `PRINTQ_HTML_ENGINE` is set, the result contains only that folder. Otherwise the result contains
    /// `printq/html-engine` in `XDG_DATA_HOME` (`~/.local/share`) and in each folder in `XDG_DATA_DIRS`
    /// (`/usr/local/share` and `/usr/share`).
    static func candidates(_ environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let own = value("PRINTQ_HTML_ENGINE") { return [own] }
        let home = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
        let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return ([home].compactMap(\.self) + shared).map { "\($0)/printq/html-engine" }
    }

    /// Returns the first folder that contains a Python interpreter; nil if no folder contains an interpreter.
    static func find(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        candidates(environment).first { access("\($0)/bin/python", X_OK) == 0 }
    }

    /// Returns whether a user can read the engine in a folder.
    ///
    /// The user needs search permission for each folder in the path.
    static func isReadable(_ engine: String, by user: WorkerUser) -> Bool {
        guard let real = realpath("\(engine)/bin", nil) else { return false }
        defer { free(real) }
        return isPassable(String(cString: real), by: user) && isPassable("\(engine)/bin", by: user)
    }

    private static func isPassable(_ path: String, by user: WorkerUser) -> Bool {
        let parts = path.split(separator: "/")
        return parts.indices.allSatisfy { index in
            var status = stat()
            let path = "/" + parts[...index].joined(separator: "/")
            guard stat(path, &status) == 0 else { return false }
            let shift: mode_t = status.st_uid == user.user ? 6 : status.st_gid == user.group ? 3 : 0
            return status.st_mode >> shift & 0o1 != 0
        }
    }
}
