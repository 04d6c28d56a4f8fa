// Tests the query plans of the spool: each statement uses the intended index, and no statement scans a table.

import Foundation
import PrintModel
import Synchronization
import Testing

@testable import PrintSpool

/// A record of the statements that a spool runs.
private final class StatementRecord: Sendable {
    private let statements = Mutex<[String]>([])

    func note(_ statement: String) {
        statements.withLock { if !$0.contains(statement) { $0.append(statement) } }
    }

    /// Returns the statements since the last call.
    func take() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }
}

@Suite(.requiresSQLite("the test reads query plans of SQLite"))
struct QueryPlanTests {
    /// An operation of a spool, with the indexes that the operation uses.
    private struct Act {
        var name: String
        var indexes: Set<String>
        var act: @Sendable (Spool) async throws -> Void

        init(_ name: String, _ indexes: Set<String>, _ act: @escaping @Sendable (Spool) async throws -> Void) {
            (self.name, self.indexes, self.act) = (name, indexes, act)
        }
    }

    /// The operations that run often, or that run with many jobs in the tables.
    private static let acts: [Act] = [
        // The first submission of an owner counts the owner's jobs.
        Act("submit", ["jobs_submissions", "jobs_queue", "jobs_unfinished_of_owner", "documents_in_files"]) {
            for number in 1...6 { try await $0.submit("\(number)", submissionID: "s\(number)") }
        },
        Act("claim", ["jobs_queue", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.claim(fromPrinters: ["laser", "photo"])
        },
        Act("claim in strict order", ["jobs_queue"]) {
            _ = try await $0.claim(fromPrinters: ["nowhere"], order: .strict)
        },
        Act(
            "claim in fair order",
            ["jobs_queue", "jobs_queue_of_owner", "turns_in_order", "sqlite_autoindex_documents_1"]
        ) {
            let job = try await $0.submit("fair", to: "photo")
            _ = try await $0.claim(fromPrinters: ["photo"], order: .fair)
            try await $0.complete(job.id)
        },
        Act("jobs ahead in fair order", ["jobs_queue_of_owner", "jobs_unfinished", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.fairQueue(of: "laser")
        },
        Act("next jobs", ["jobs_queue", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.nextJobs(ofPrinters: ["laser", "photo"])
            _ = try await $0.nextJobs(ofPrinters: ["laser", "photo"], order: .strict)
        },
        Act("next jobs besides those of an owner", ["jobs_queue_of_owner", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.nextJobs(ofPrinters: ["laser"], holdingBack: ["laser": ["bob"]])
        },
        Act("job ahead in strict order", ["jobs_queue", "jobs_unfinished", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobInStrictWay(of: 5)
        },
        Act("retry", ["jobs_retry_at"]) { try await $0.tryAgain(printer: "laser") },
        Act("cancel, hold and release", ["sqlite_autoindex_documents_1"]) {
            try await $0.change(2, .cancelRequested(byOperator: false))
            try await $0.change(3, .holdRequested(until: 5))
            try await $0.change(3, .releaseRequested)
            try await $0.change(3, .holdRequested(until: 5))
        },
        Act("cancel and move several jobs", ["sqlite_autoindex_documents_1"]) {
            try await $0.change([(2, .cancelRequested(byOperator: false)), (99, .claimed)])
            try await $0.move([3], to: "photo")
            try await $0.move([3], to: "laser")
        },
        Act("documents of several jobs", ["sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobsWithDocuments(among: [1, 2, 99])
        },
        Act("print to the end", ["sqlite_autoindex_documents_1"]) { try await $0.complete(4) },
        Act("documents of a job", ["sqlite_autoindex_documents_1"]) { _ = try await $0.documents(of: 1) },
        Act("next due time", ["jobs_held_until", "jobs_incoming_until", "jobs_retry_at"]) {
            _ = try await $0.nextDueTime()
        },
        Act(
            "release due jobs",
            ["jobs_held_until", "jobs_incoming_until", "jobs_retry_at", "sqlite_autoindex_documents_1"]
        ) { try await $0.releaseDueJobs(now: 10) },
        Act("check for due jobs", ["jobs_held_until", "jobs_incoming_until", "jobs_retry_at"]) {
            _ = try await $0.hasDueJobs(now: 10)
        },
        Act("jobs to recover", ["jobs_unfinished", "sqlite_autoindex_documents_1"]) { _ = try await $0.jobsToRescue() },
        Act("list unfinished jobs", ["jobs_unfinished", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(in: JobListRange(limit: 2))
            _ = try await $0.jobs(in: JobListRange(after: QueuePosition("1:50:0:1"), limit: 2, offset: 1))
        },
        Act("count jobs by state", ["jobs_unfinished_of_printer", "jobs_ended"]) {
            _ = try await $0.countJobs(JobFilter(.all), troubledPrinters: ["laser"])
        },
        Act(
            "jobs before each of several jobs",
            ["jobs_queue", "jobs_unfinished", "jobs_unfinished_of_printer", "sqlite_autoindex_documents_1"]
        ) {
            _ = try await $0.countWaitingBefore(try await $0.jobs(JobFilter(.notCompleted), in: .all))
        },
        Act("list unfinished jobs of a printer", ["jobs_unfinished_of_printer", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(JobFilter(printer: "laser"), in: JobListRange(limit: 2))
            _ = try await $0.jobs(
                JobFilter(printer: "laser"), in: JobListRange(after: QueuePosition("1:50:0:1"), limit: 2))
        },
        Act("list unfinished jobs of an owner", ["jobs_unfinished_of_owner", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(JobFilter(owner: "ada"), in: JobListRange(limit: 2))
            _ = try await $0.jobs(JobFilter(owner: "ada"), in: JobListRange(after: QueuePosition("1:50:0:1"), limit: 2))
        },
        Act("list ended jobs", ["jobs_ended", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(JobFilter(.completed), in: JobListRange(limit: 2))
            _ = try await $0.jobs(
                JobFilter(.completed), in: JobListRange(after: QueuePosition("2:50:1e9:9"), limit: 2, offset: 1))
        },
        Act(
            "list ended jobs of a printer", ["jobs_ended", "jobs_ended_of_printer", "sqlite_autoindex_documents_1"]
        ) { _ = try await $0.jobs(JobFilter(.completed, printer: "laser"), in: JobListRange(limit: 2)) },
        Act(
            "list ended jobs of an owner", ["jobs_ended", "jobs_ended_of_owner", "sqlite_autoindex_documents_1"]
        ) { _ = try await $0.jobs(JobFilter(.completed, owner: "ada"), in: JobListRange(limit: 2)) },
        Act("list all jobs", ["jobs_unfinished", "jobs_ended", "sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(JobFilter(.all))
        },
        Act("list by number", ["sqlite_autoindex_documents_1"]) {
            _ = try await $0.jobs(JobFilter(.all, ids: [1, 9]))
        },
        Act("list accounting entries", ["accounting_ended"]) {
            _ = try await $0.accounting()
            _ = try await $0.accounting(AccountingQuery(since: 5, until: 9, after: .init(endedAt: 6, jobID: 2)))
        },
        Act("list accounting entries of a user", ["accounting_of_owner"]) {
            _ = try await $0.accounting(AccountingQuery(user: "ada", since: 5))
        },
        Act("list accounting entries of a printer", ["accounting_of_printer"]) {
            _ = try await $0.accounting(AccountingQuery(printer: "laser", until: 5))
        },
        Act("purge accounting entries", ["accounting_ended"]) {
            try await $0.purgeAccounting(keepSeconds: -1e9, now: 0)
        },
        Act("count jobs before a job", ["jobs_queue", "jobs_unfinished_of_printer"]) {
            _ = try await $0.countWaitingBefore(5)
        },
        Act("count unfinished jobs of a printer", ["jobs_unfinished_of_printer"]) {
            _ = try await $0.countQueuedJobs(printer: "laser")
        },
        Act("count unfinished jobs of an owner", ["jobs_unfinished_of_owner"]) {
            _ = try await $0.countQueuedJobs(owner: "ada")
        },
        Act("pause a printer", ["jobs_unfinished_of_printer"]) {
            try await $0.pausePrinter(named: "photo", message: "")
            try await $0.resumePrinter(named: "photo")
        },
        Act("events", ["events_of_job"]) {
            _ = try await $0.events(after: 0)
            _ = try await $0.events(after: 0, jobID: 1)
            _ = try await $0.newestEvents(ofJob: 1)
            _ = try await $0.latestEventSequence()
        },
        Act("sweep", ["sqlite_autoindex_documents_1"]) {
            _ = try await $0.documents(of: 1)
            try await $0.sweep()
        },
        Act("remove documents", ["jobs_ended", "sqlite_autoindex_documents_1"]) {
            try await $0.dropDocuments(keepSeconds: 0)
        },
        Act("resubmit", ["jobs_submissions", "sqlite_autoindex_documents_1"]) { spool in
            let again = Submission(printer: "laser", owner: "ada", name: "again", submissionID: "again")
            try await spool.complete(5)
            _ = try await spool.resubmit(5, as: again)
        },
        Act("usage", ["jobs_unfinished_of_owner", "jobs_ended", "documents_in_files"]) {
            _ = try await $0.holdings()
        },
        Act(
            "remove ended jobs",
            [
                "sqlite_autoindex_documents_1",
                "jobs_ended", "jobs_ended_of_printer", "jobs_ended_of_owner", "events_of_job",
            ]
        ) {
            try await $0.forgetEndedJobs(printer: "photo")
            try await $0.forgetEndedJobs(printer: "laser")
            try await $0.complete(6)
            try await $0.forgetEndedJobs(owner: "ada")
            try await $0.forgetEndedJobs(printer: "laser", owner: "ada")
            try await $0.forgetEndedJobs()
        },
        Act("end jobs", ["jobs_queue", "sqlite_autoindex_documents_1"]) {
            for number in 1...3 {
                let job = try await $0.submit("\(number)")
                try await $0.complete(job.id)
            }
        },
        Act("purge", ["jobs_ended", "jobs_ended_of_owner", "events_of_job"]) {
            try await $0.purge(keepJobs: 1)
        },
    ]

    /// The statements that scan an index from one end up to a limit, or that count rows.
    private static let walks: Set<String> = [
        SQLiteTransaction.newestEnded, SQLiteTransaction.ended(printer: nil, owner: nil, limit: 0).sql,
        SQLiteTransaction.endedAfterMany,
        SQLiteTransaction.endedByOwner,
        SQLiteTransaction.queuedJobs(ofPrinter: false, ofOwner: false), SQLiteTransaction.endedJobs,
        SQLiteTransaction.bytesInFiles,
        (try? SQLiteTransaction.countsOfUnfinished(JobFilter(.all)).sql) ?? "",
        SQLiteTransaction.unfinishedJobCounts,
    ]

    let files = TestSpool()

    @Test func `every SQL statement of the spool uses its intended index`() async throws {
        let record = StatementRecord()
        let spool = try await files.open(printers: ["laser", "photo"], trace: { record.note($0) })
        let database = Database(files)
        var used: Set<String> = []
        _ = record.take()
        for act in Self.acts {
            try await act.act(spool)
            var indexes: Set<String> = []
            for statement in record.take().filter(Self.readsOrWrites) {
                let plan = try database.shell("EXPLAIN QUERY PLAN \(statement)")
                indexes.formUnion(Self.indexes(in: plan))
                #expect(Self.faults(of: statement, plan) == [], "\(act.name): \(statement)\n\(plan)")
            }
            #expect(indexes == act.indexes, "\(act.name)")
            used.formUnion(indexes)
        }
        let all = try database.rows(
            """
            SELECT name FROM sqlite_master WHERE type = 'index'
                AND (tbl_name IN ('jobs', 'documents', 'events', 'accounting') OR name = 'turns_in_order')
            """)
        #expect(used == Set(all.joined()), "each index slows down submissions, so each index must be used")
    }

    @Test func `the query that checks whether a printer is printing reads no waiting jobs`() async throws {
        _ = try await files.open()
        let plan = try Database(files).shell("EXPLAIN QUERY PLAN \(SQLiteTransaction.isPrinting)")
        #expect(plan.contains("jobs_unfinished_of_printer (printer=? AND <expr>=?)"), "\(plan)")
    }

    /// Returns whether the statement searches rows.
    ///
    /// Transaction statements and statements of triggers do not count.
    private static func readsOrWrites(_ statement: String) -> Bool {
        ["SELECT", "WITH", "UPDATE", "DELETE", "INSERT"].contains { statement.hasPrefix($0) }
            && !statement.contains("sqlite_master")
    }

    /// Returns the problems of a query plan: scans of a whole table or index, and sorts.
    private static func faults(of statement: String, _ plan: String) -> [String] {
        plan.split(separator: "\n").map(String.init).filter { line in
            let isScan = ["jobs", "documents", "events", "head", "mine", "accounting"].contains {
                line.contains("SCAN \($0)")
            }
            // There are only a few jobs in progress.
            let isSort = line.contains("TEMP B-TREE") && !statement.contains("ORDER BY id")
            let isWalk = walks.contains(statement)
            return !isWalk && (isScan || isSort && !plan.contains("jobs_queue"))
                || line.contains("AUTOMATIC") || line.contains("Error")
        }
    }

    private static func indexes(in plan: String) -> Set<String> {
        Set(plan.matches(of: /(?:USING|COVERING) INDEX (\w+)/).map { String($0.1) }).filter { !$0.contains("printers") }
    }
}
