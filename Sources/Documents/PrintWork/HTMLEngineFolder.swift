// Where the HTML engine's Python is.

import FoundationEssentials
import Glibc

/// The places where `scripts/setup` puts the HTML engine, and where it is looked for.
enum HTMLEngineFolder {
    /// The folders to look in, in order.
    ///
    /// `PRINTQ_HTML_ENGINE` alone when it is set; else `printq/html-engine` in `XDG_DATA_HOME` (`~/.local/share`) and in
    /// each of `XDG_DATA_DIRS` (`/usr/local/share` and `/usr/share`).
    static func candidates(_ environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let own = value("PRINTQ_HTML_ENGINE") { return [own] }
        let home = value("XDG_DATA_HOME") ?? value("HOME").map { "\($0)/.local/share" }
        let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return ([home].compactMap(\.self) + shared).map { "\($0)/printq/html-engine" }
    }

    /// The first that has a Python; nil when none has.
    static func find(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        candidates(environment).first { access("\($0)/bin/python", X_OK) == 0 }
    }
}
