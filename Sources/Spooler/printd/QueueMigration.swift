// Copies the queue to another store, for `printq migrate`.

import ArgumentParser
import FoundationEssentials
import PrintSpool

/// A type that copies the queue to another store, and writes the result to the terminal.
///
/// `printd` copies the queue because `printq` does not contain the libraries of the databases.
struct QueueMigration {
    /// The store to which the queue is copied.
    enum Target: Equatable {
        /// The SQLite database in the folder of the spool.
        case folder
        /// The PostgreSQL database with the given URI.
        case database(String)
    }

    var folder: String
    var target: Target
    /// The URI of the database that contains the queue now; nil if no database is known.
    var database: String?
    /// The unique name of this host.
    var host: String
    /// Whether an existing SQLite database is moved to another folder.
    var replaces: Bool
    /// Whether the result is written as JSON.
    var writesJSON: Bool

    /// Copies the queue, and writes the result.
    func run() throws {
        let uri: String
        switch (target, database) {
        case (.database(let name), _), (.folder, let name?): uri = name
        case (.folder, nil):
            Notice.write(
                "printq: the setting 'store' is not set, so the queue is not in PostgreSQL; "
                    + "select the database with --from")
            throw ExitCode(64)
        }
        do throws(SpoolError) {
            let transfer = try SpoolTransfer(
                folder: folder, database: uri, direction: target == .folder ? .toFolder : .toDatabase, host: host,
                replaces: replaces)
            let start = ContinuousClock.now
            let result = try transfer.run()
            let report = MigrationSummary(
                folder: folder, databaseName: transfer.databaseName, uri: uri, isToFolder: target == .folder,
                result: result, seconds: (ContinuousClock.now - start) / .seconds(1))
            print(writesJSON ? report.json : report.text)
        } catch {
            Notice.write("printq: cannot copy the queue: \(error.message)")
            throw ExitCode(Self.exitCode(error.code))
        }
    }

    private static func exitCode(_ code: SpoolError.Code) -> Int32 {
        switch code {
        case .locked, .noSpace, .unavailable: 75
        case .notPossible: 64
        case .corrupt: 65
        case .unwritable: 74
        case .tooNew, .tooOld: 78
        default: 70
        }
    }
}

/// The result of a migration, as text and as JSON.
struct MigrationSummary {
    var folder: String
    /// The PostgreSQL database without passwords.
    var databaseName: String
    /// The URI of the PostgreSQL database, which contains no password.
    var uri: String
    /// Whether the queue was copied to the folder of the spool.
    var isToFolder: Bool
    var result: SpoolTransfer.Result
    /// The duration in seconds.
    var seconds: Double

    private var sqlite: String { "the SQLite database in the spool '\(folder)'" }
    private var postgres: String { "the database '\(databaseName)'" }

    /// The command that makes `printd` use the copy.
    private var nextCommand: String {
        isToFolder ? "printq config set store null" : "printq config set store '\(uri)'"
    }

    // MARK: - Text

    /// The result as lines of text, without a line feed at the end.
    var text: String { ([heading, counts] + notes + advice).joined(separator: "\n") }

    private var heading: String {
        let tenths = Int((seconds * 10).rounded())
        let (source, target) = isToFolder ? (postgres, sqlite) : (sqlite, postgres)
        return "copied the queue from \(source) to \(target) in \(tenths / 10).\(tenths % 10) s"
    }

    private var counts: String {
        let parts = result.rows.map { table, count in
            let text = "\(table == "accounting" ? "accounting entries" : table): \(count)"
            switch table {
            case "jobs": return "\(text) (\(result.unfinishedJobs) not ended)"
            case "documents": return "\(text) (\((result.documentBytes + 1023) / 1024) KiB)"
            default: return text
            }
        }
        return parts.joined(separator: ", ") + "; the counts of both databases are equal"
    }

    private var notes: [String] {
        var notes: [String] = []
        if result.jobsInProgress > 0 {
            notes.append(
                result.jobsInProgress == 1
                    ? "1 job is in progress; printd looks the job up at its printer"
                    : "\(result.jobsInProgress) jobs are in progress; printd looks the jobs up at their printers")
        }
        if !result.repairedJobs.isEmpty {
            notes.append(
                "damaged records were repaired: \(list(result.repairedJobs)); jobs that had not ended are aborted")
        }
        if !result.jobsWithMissingDocuments.isEmpty {
            notes.append("documents are missing: \(list(result.jobsWithMissingDocuments)); the jobs cannot be printed")
        }
        if result.rowsLeftOut > 0 { notes.append("\(result.rowsLeftOut) damaged rows of the history were left out") }
        if let earlier = result.earlierQueue { notes.append("the earlier SQLite database is in '\(earlier)'") }
        return notes
    }

    private var advice: [String] {
        [
            isToFolder
                ? "\(postgres) did not change; do not start printd with this database, because printd would print "
                    + "unfinished jobs again"
                : "\(sqlite) did not change; printd does not use this database while the file 'copied-to' is in the spool",
            "run \"\(nextCommand)\", and start printd",
        ]
    }

    private func list(_ jobs: [Int]) -> String {
        "\(jobs.count == 1 ? "job" : "jobs") \(jobs.map(String.init).joined(separator: ", "))"
    }

    // MARK: - JSON

    /// The result as a JSON object.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let counts = Dictionary(uniqueKeysWithValues: result.rows.map { ($0.table, $0.count) })
        let content = Content(
            from: isToFolder ? databaseName : folder, to: isToFolder ? folder : databaseName, rows: counts,
            documentBytes: result.documentBytes, unfinishedJobs: result.unfinishedJobs,
            jobsInProgress: result.jobsInProgress, repairedJobs: result.repairedJobs,
            jobsWithMissingDocuments: result.jobsWithMissingDocuments, rowsLeftOut: result.rowsLeftOut,
            earlierQueue: result.earlierQueue, seconds: (seconds * 1000).rounded() / 1000, nextCommand: nextCommand)
        return (try? encoder.encode(content)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct Content: Encodable {
        var from: String
        var to: String
        var rows: [String: Int]
        var documentBytes: Int
        var unfinishedJobs: Int
        var jobsInProgress: Int
        var repairedJobs: [Int]
        var jobsWithMissingDocuments: [Int]
        var rowsLeftOut: Int
        var earlierQueue: String?
        var seconds: Double
        var nextCommand: String

        private enum CodingKeys: String, CodingKey {
            case from, to, rows, seconds
            case documentBytes = "document-bytes"
            case unfinishedJobs = "unfinished-jobs"
            case jobsInProgress = "jobs-in-progress"
            case repairedJobs = "repaired-jobs"
            case jobsWithMissingDocuments = "jobs-with-missing-documents"
            case rowsLeftOut = "rows-left-out"
            case earlierQueue = "earlier-queue"
            case nextCommand = "next-command"
        }
    }
}
