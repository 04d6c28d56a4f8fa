// Finds the Python environment of the HTML engine.

import FoundationEssentials
import Glibc

/// The folders in which `scripts/setup` installs the HTML engine.
enum HTMLEngineFolder {
    /// Returns the folders to search, in order.
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

    /// Returns the first folder that contains a Python, or nil.
    static func find(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        candidates(environment).first { access("\($0)/bin/python", X_OK) == 0 }
    }
}
