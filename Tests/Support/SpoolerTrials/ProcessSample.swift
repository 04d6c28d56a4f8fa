// What a process has, at one moment.

import Foundation
import PrintTestSupport

/// What the system says that a process has.
package struct ProcessSample: Sendable {
    /// Open files.
    package var files: Int
    /// Threads.
    package var threads: Int
    /// Memory of its own, in KiB (`RssAnon`).
    package var memory: Int
    /// Children that have ended and were not waited for.
    package var zombies: Int

    /// A process now; nil when there is none of that number.
    package init?(of pid: Int32) {
        let status = text(of: "/proc/\(pid)/status")
        func number(_ key: String) -> Int? {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let threads = number("Threads"), let memory = number("RssAnon"),
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
        else { return nil }
        (self.files, self.threads, self.memory) = (files, threads, memory)
        let children = text(of: "/proc/\(pid)/task/\(pid)/children").split(separator: " ")
        zombies = children.count { text(of: "/proc/\($0)/stat").contains(") Z ") }
    }
}
