// Measures the resources of a process.

import Foundation
import PrintTestSupport

/// The resources of a process at one moment.
package struct ProcessSample: Sendable {
    /// The number of open files.
    package var files: Int
    /// The number of threads.
    package var threads: Int
    /// The private memory in KiB (`RssAnon`).
    package var memory: Int
    /// The number of child processes that have ended and were not waited for.
    package var zombies: Int

    /// Measures a process; returns nil if there is no process with this number.
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
