// Collects the queue, the printed jobs, the files and the processes after a trial.

import Foundation
package import PrintModel

/// The state of a trial after all work has ended.
package struct Evidence: Sendable {
    /// A job as the spooler reports it.
    package struct QueuedJob: Sendable {
        /// The job number.
        package var id: Int
        /// The job UUID.
        package var uuid: String
        /// The job name.
        package var name: String
        /// The job state.
        package var state: JobState
        /// The reasons for the state (`job-state-reasons`).
        package var reasons: [String]
        /// The description of the state (`job-state-message`).
        package var message: String
        /// The number of sides of one copy that are not blank; nil if it is not known yet.
        package var impressions: Int?

        /// Creates a job.
        package init(
            id: Int, uuid: String, name: String, state: JobState, reasons: [String] = [], message: String = "",
            impressions: Int? = nil
        ) {
            self.impressions = impressions
            (self.id, self.uuid, self.name) = (id, uuid, name)
            (self.state, self.reasons, self.message) = (state, reasons, message)
        }

        /// Whether the job waits until a person has checked the paper.
        package var isSuspended: Bool { !state.isTerminal && reasons.contains("job-suspended") }
    }

    /// A job as its printer reports it, in `job.json`.
    package struct PrinterJob: Sendable {
        /// The printer's name.
        package var printer: String
        /// The job's UUID at the printer.
        package var uuid: String
        /// The job name, which the spooler has set.
        package var name: String
        /// The keyword of the job state in IPP.
        package var state: String
        /// The number of printed sides.
        package var impressions: Int
        /// Whether the printer had received the document.
        package var hasDocument: Bool
        /// The time at which the job ended.
        package var completedAt: UnixTime?

        /// Creates a printer's job.
        package init(
            printer: String, uuid: String, name: String, state: String, impressions: Int, hasDocument: Bool = true,
            completedAt: UnixTime? = nil
        ) {
            (self.printer, self.uuid, self.name, self.state) = (printer, uuid, name, state)
            (self.impressions, self.hasDocument, self.completedAt) = (impressions, hasDocument, completedAt)
        }

        /// Whether the job has ended.
        package var hasEnded: Bool { ["canceled", "aborted", "completed"].contains(state) }
    }

    /// A line of `printer.log`.
    package struct LogLine: Sendable, Decodable {
        /// The job's UUID at its printer.
        package var uuid: String
        /// The job's name.
        package var name: String
        /// The final state of the job.
        package var state: String
        /// The number of printed sides.
        package var impressions: Int

        /// Creates a line.
        package init(uuid: String, name: String, state: String, impressions: Int) {
            (self.uuid, self.name, self.state, self.impressions) = (uuid, name, state, impressions)
        }
    }

    /// All jobs of the queue and its history.
    package var queue: [QueuedJob] = []
    /// All jobs of the printers.
    package var printed: [PrinterJob] = []
    /// All lines of the printers' logs.
    package var log: [LogLine] = []
    /// The log lines and `job.json` files that cannot be read.
    package var unreadable: [String] = []
    /// The paths of all files and empty folders in the spool; folders end with a slash.
    package var files: [String] = []
    /// Whether jobs reached the printers through a cupsd.
    ///
    /// cupsd may report the jobs that a killed printer lost as canceled or completed.
    package var isThroughCUPS = false
    /// Whether that cupsd wrote its jobs to the disk before it was killed.
    ///
    /// It may then print jobs again that it had started.
    package var keepsCUPSJobs = false
    /// The processes that should have ended.
    package var strays: [String] = []

    /// Creates empty evidence.
    package init() {}
}

// MARK: - Looking

extension Evidence {
    /// Collects the printed jobs, the logs and the files of a spool, without the queue and the processes.
    ///
    /// - Parameter output: The folder of the printed files; nil for the spool's output folder.
    package init(spool: String, output: String? = nil) {
        files = Self.tree(spool, "")
        let output = output ?? "\(spool)/output"
        for printer in Self.names(output) {
            for folder in Self.names("\(output)/\(printer)") where folder.contains(/^(printer-)?job-/) {
                let path = "\(output)/\(printer)/\(folder)/job.json"
                // A folder without a report is found as an orphan by its files.
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

    /// The relevant part of `job.json`.
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
