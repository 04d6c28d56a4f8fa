// What is found when a trial has settled: the queue, the paper, the files, the processes.

import Foundation
package import PrintModel

/// What is found when everything has come to rest.
package struct Evidence: Sendable {
    /// A job as the spooler shows it.
    package struct QueuedJob: Sendable {
        /// Its number.
        package var id: Int
        /// Its universal name.
        package var uuid: String
        /// Its name.
        package var name: String
        /// Its state.
        package var state: JobState
        /// Why it is in that state.
        package var reasons: [String]
        /// The state in words.
        package var message: String
        /// The sides of one copy that have something on them; nil while their number is not known.
        package var impressions: Int?

        /// A job.
        package init(
            id: Int, uuid: String, name: String, state: JobState, reasons: [String] = [], message: String = "",
            impressions: Int? = nil
        ) {
            self.impressions = impressions
            (self.id, self.uuid, self.name) = (id, uuid, name)
            (self.state, self.reasons, self.message) = (state, reasons, message)
        }

        /// Whether it waits for a person who has looked at the paper.
        package var isSuspended: Bool { !state.isTerminal && reasons.contains("job-suspended") }
    }

    /// A job as its printer tells it, in `job.json`.
    package struct PrinterJob: Sendable {
        /// The printer's name.
        package var printer: String
        /// The printer's universal name for it.
        package var uuid: String
        /// Its name, which it has from the spooler.
        package var name: String
        /// Its state, by IPP's keyword.
        package var state: String
        /// The sides that came out.
        package var impressions: Int
        /// Whether its document had arrived.
        package var hasDocument: Bool
        /// When it ended.
        package var completedAt: UnixTime?

        /// A printer's job.
        package init(
            printer: String, uuid: String, name: String, state: String, impressions: Int, hasDocument: Bool = true,
            completedAt: UnixTime? = nil
        ) {
            (self.printer, self.uuid, self.name, self.state) = (printer, uuid, name, state)
            (self.impressions, self.hasDocument, self.completedAt) = (impressions, hasDocument, completedAt)
        }

        /// Whether it has ended.
        package var hasEnded: Bool { ["canceled", "aborted", "completed"].contains(state) }
    }

    /// A line of `printer.log`.
    package struct LogLine: Sendable, Decodable {
        /// The job's universal name at its printer.
        package var uuid: String
        /// The job's name.
        package var name: String
        /// How it ended.
        package var state: String
        /// The sides that came out.
        package var impressions: Int

        /// A line.
        package init(uuid: String, name: String, state: String, impressions: Int) {
            (self.uuid, self.name, self.state, self.impressions) = (uuid, name, state, impressions)
        }
    }

    /// All jobs of the queue and of its history.
    package var queue: [QueuedJob] = []
    /// All jobs of the printers.
    package var printed: [PrinterJob] = []
    /// All lines of the printers' logs.
    package var log: [LogLine] = []
    /// What stands in a log or a `job.json` and cannot be read.
    package var unreadable: [String] = []
    /// All files and empty folders of the spool, by their paths in it; folders end with a slash.
    package var files: [String] = []
    /// Whether a cupsd stood between spooler and printers.
    ///
    /// It may say of what a killed printer lost that it was canceled there, or completed.
    package var isThroughCUPS = false
    /// Whether that cupsd had its jobs on the disk when it was killed: it may print again what it had begun.
    package var keepsCUPSJobs = false
    /// Processes that should be gone.
    package var strays: [String] = []

    /// Nothing found.
    package init() {}
}

// MARK: - Looking

extension Evidence {
    /// What the printers and the files of a spool say; the queue and the processes are for others to find.
    ///
    /// - Parameter output: where the printers leave what they print; nil for those of the spool itself.
    package init(spool: String, output: String? = nil) {
        files = Self.tree(spool, "")
        let output = output ?? "\(spool)/output"
        for printer in Self.names(output) {
            for folder in Self.names("\(output)/\(printer)") where folder.contains(/^(printer-)?job-/) {
                let path = "\(output)/\(printer)/\(folder)/job.json"
                // A folder without a report is an orphan, by its files.
                guard let data = FileManager.default.contents(atPath: path) else { continue }
                guard let report = try? JSONDecoder().decode(Report.self, from: data) else {
                    unreadable.append(path)
                    continue
                }
                printed.append(report.job)
            }
            for line in Self.lines("\(output)/\(printer)/printer.log") {
                if let read = try? JSONDecoder().decode(LogLine.self, from: Data(line.utf8)) {
                    log.append(read)
                } else {
                    unreadable.append("\(output)/\(printer)/printer.log: \(line)")
                }
            }
        }
    }

    /// The part of `job.json` that matters here.
    private struct Report: Decodable {
        var printer: String
        var uuid: String
        var name: String
        var state: String
        var impressionsCompleted: Int
        var documents: [Document]
        var completedAt: String?

        struct Document: Decodable {}

        var job: PrinterJob {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return PrinterJob(
                printer: printer, uuid: uuid, name: name, state: state, impressions: impressionsCompleted,
                hasDocument: !documents.isEmpty,
                completedAt: completedAt.flatMap { try? style.parse($0).timeIntervalSince1970 })
        }
    }

    private static func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private static func lines(_ path: String) -> [Substring] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    private static func tree(_ root: String, _ folder: String) -> [String] {
        names("\(root)/\(folder)").flatMap { name -> [String] in
            let path = folder + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder), isFolder.boolValue
            else { return [path] }
            let inside = tree(root, "\(path)/")
            return inside.isEmpty ? ["\(path)/"] : inside
        }
    }
}
