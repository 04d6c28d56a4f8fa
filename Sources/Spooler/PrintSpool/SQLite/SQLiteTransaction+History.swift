// Selects and removes ended jobs in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func lastJob(endedBefore time: UnixTime) throws -> EndPosition? {
        try Row.fetchOne(db, sql: Self.endedBefore, arguments: [time]).map(Self.position)
    }

    package func hasEndedJobs(moreThan count: Int) throws -> Bool {
        try Row.fetchOne(db, sql: Self.endedAfterMany, arguments: [count]) != nil
    }

    package func countEndedJobsByOwner() throws -> [(owner: String, count: Int)] {
        try Row.fetchAll(db, sql: Self.endedByOwner).compactMap { row in
            guard let owner = String.fromDatabaseValue(row[0]) else { return nil }
            return (owner: owner, count: try row.decode(atIndex: 1))
        }
    }

    package func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int] {
        try Int.fetchAll(try db.cachedStatement(sql: Self.oldestEnded), arguments: [end.endedAt, end.id, limit])
    }

    package func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int] {
        try Int.fetchAll(try db.cachedStatement(sql: Self.oldestEndedOfOwner), arguments: [owner, limit])
    }

    package func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int] {
        switch (printer, owner) {
        case (nil, nil): try Int.fetchAll(db, sql: Self.ended, arguments: [limit])
        case (let printer?, nil): try Int.fetchAll(db, sql: Self.endedOfPrinter, arguments: [printer, limit])
        case (nil, let owner?): try Int.fetchAll(db, sql: Self.endedOfOwner, arguments: [owner, limit])
        case (let printer?, let owner?):
            try Int.fetchAll(db, sql: Self.endedOfOwnerAtPrinter, arguments: [owner, printer, limit])
        }
    }

    package func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int] {
        try Int.fetchAll(db, sql: Self.droppable, arguments: [time, limit])
    }

    /// Returns the position in a row with the columns `completed_at` and `id`.
    static func position(_ row: Row) throws -> EndPosition {
        try UnreadableJob.found(in: row) {
            EndPosition(endedAt: try row.decode(UnixTime.self, atIndex: 0), id: try row.decode(Int.self, atIndex: 1))
        }
    }

    package func removeJobs(_ ids: [Int]) throws {
        for id in ids {
            try db.cachedStatement(sql: "DELETE FROM events WHERE job_id = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM jobs WHERE id = ?").execute(arguments: [id])
        }
    }

    // MARK: - Statements

    /// The query that returns a row if more than a given number of jobs have ended.
    ///
    /// The query sorts the ended jobs from the newest to the oldest, skips the given number of jobs, and returns the
    /// next job.
    package static let endedAfterMany = """
        SELECT completed_at, id FROM jobs WHERE \(JobStateClause.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET ?
        """

    /// The query for the job with the latest end time before a given time.
    package static let endedBefore = """
        SELECT completed_at, id FROM jobs WHERE \(JobStateClause.hasEnded()) AND completed_at < ?
        ORDER BY completed_at DESC, id DESC LIMIT 1
        """

    /// The query for the oldest ended jobs, up to and including a given job.
    package static let oldestEnded = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND (completed_at, id) <= (?, ?) ORDER BY completed_at, id LIMIT ?
        """

    /// The query for ended jobs, the newest job first.
    package static let ended = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT ?
        """

    /// The query for the ended jobs of a printer.
    package static let endedOfPrinter = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND printer = ? ORDER BY completed_at DESC, id DESC LIMIT ?
        """

    /// The query for the number of ended jobs of each owner.
    package static let endedByOwner =
        "SELECT owner, COUNT(*) FROM jobs WHERE \(JobStateClause.hasEnded()) GROUP BY owner"

    /// The query for the oldest ended jobs of an owner.
    package static let oldestEndedOfOwner = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND owner = ? ORDER BY completed_at, id LIMIT ?
        """

    /// The query for the ended jobs of an owner.
    package static let endedOfOwner = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND owner = ? ORDER BY completed_at DESC, id DESC LIMIT ?
        """

    /// The query for the ended jobs of an owner at a printer.
    ///
    /// The `+` makes SQLite use the index of owners.
    package static let endedOfOwnerAtPrinter = """
        SELECT id FROM jobs WHERE \(JobStateClause.hasEnded()) AND owner = ? AND +printer = ?
        ORDER BY completed_at DESC, id DESC LIMIT ?
        """

    /// The query for ended jobs that still have documents, in the order in which they ended.
    package static let droppable = """
        SELECT id FROM jobs
        WHERE \(JobStateClause.hasEnded()) AND completed_at <= ? AND EXISTS (
            SELECT 1 FROM documents WHERE job_id = jobs.id AND (file IS NOT NULL OR content IS NOT NULL))
        ORDER BY completed_at, id
        LIMIT ?
        """
}
