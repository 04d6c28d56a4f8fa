// How long the history is kept.

import GRDB
public import PrintModel

extension Spool {
    /// Removes old ended jobs with all that is theirs.
    ///
    /// Those go that ended longer ago than `keepSeconds`, and the oldest while there are more than `keepJobs`. Events
    /// of printers go by age as well. It is done a hundred jobs at a time: whoever submits meanwhile waits for one such
    /// step at most.
    ///
    /// - Returns: The ids of the jobs removed, which are never used again.
    @discardableResult
    public func purge(
        keepJobs: Int = 1000, keepSeconds: Double = 7 * 86400, now: UnixTime? = nil
    ) async throws(SpoolError) -> [Int] {
        let oldest = (now ?? clock()) - keepSeconds
        var removed: [Int] = []
        if let end = try await read({ db in try Self.endOfHistory(keepJobs: keepJobs, oldest: oldest, in: db) }) {
            while !Task.isCancelled {
                // Forced onto the disk before the files go, so that no row comes back without them.
                let ids = try await write(.forced) { db in try Self.removeOldest(through: end, in: db) }
                guard !ids.isEmpty else { break }
                await store.removeFolders(of: ids)
                removed += ids
            }
        }
        var removedEvents = 1
        while removedEvents > 0 {
            removedEvents = try await write(.ordered) { db in try Self.removePrinterEvents(before: oldest, in: db) }
        }
        return removed.sorted()
    }

    /// Removes the jobs of a printer that have ended, or those of all printers (IPP `Purge-Jobs`, RFC 8011 §4.2.9); what
    /// they have cost stays known.
    public func forgetEndedJobs(printer: String?) async throws(SpoolError) {
        while !Task.isCancelled {
            let ids = try await write(.forced) { db in
                let ids =
                    try printer.map { try Int.fetchAll(db, sql: Self.endedOfPrinter, arguments: [$0]) }
                    ?? Int.fetchAll(db, sql: Self.ended)
                try Self.remove(ids, in: db)
                return ids
            }
            guard !ids.isEmpty else { return }
            await store.removeFolders(of: ids)
        }
    }

    /// The youngest of the jobs that must go, by when it ended and by number; nil when all may stay.
    private static func endOfHistory(
        keepJobs: Int, oldest: UnixTime, in db: Database
    ) throws -> (endedAt: UnixTime, id: Int)? {
        let tooMany = try Row.fetchOne(db, sql: endedAfterMany, arguments: [max(0, keepJobs)])
        let tooOld = try Row.fetchOne(db, sql: endedBefore, arguments: [oldest])
        let ends: [(UnixTime, Int)] = [tooMany, tooOld].compactMap { row in row.map { ($0[0], $0[1]) } }
        return ends.max { $0 < $1 }
    }

    private static func removeOldest(through end: (endedAt: UnixTime, id: Int), in db: Database) throws -> [Int] {
        let ids = try Int.fetchAll(
            try db.cachedStatement(sql: oldestEnded), arguments: [end.endedAt, end.id, 100])
        try remove(ids, in: db)
        return ids
    }

    private static func remove(_ ids: [Int], in db: Database) throws {
        for id in ids {
            try db.cachedStatement(sql: "DELETE FROM events WHERE job_id = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM jobs WHERE id = ?").execute(arguments: [id])
        }
    }

    /// Removes some of the printers' events that are older, and says how many.
    private static func removePrinterEvents(before oldest: UnixTime, in db: Database) throws -> Int {
        try db.execute(sql: removeOldPrinterEvents, arguments: [oldest])
        return db.changesCount
    }

    // MARK: - Statements

    /// Finds the job that ended before so many others.
    package static let endedAfterMany = """
        SELECT completed_at, id FROM jobs WHERE state >= 7 ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET ?
        """

    /// Finds the last job that ended before a moment.
    package static let endedBefore = """
        SELECT completed_at, id FROM jobs WHERE state >= 7 AND completed_at < ?
        ORDER BY completed_at DESC, id DESC LIMIT 1
        """

    /// Finds the jobs that ended first, up to one.
    package static let oldestEnded = """
        SELECT id FROM jobs WHERE state >= 7 AND (completed_at, id) <= (?, ?) ORDER BY completed_at, id LIMIT ?
        """

    /// Finds jobs that have ended.
    package static let ended = "SELECT id FROM jobs WHERE state >= 7 ORDER BY completed_at DESC, id DESC LIMIT 100"

    /// Finds jobs of a printer that have ended.
    package static let endedOfPrinter = """
        SELECT id FROM jobs WHERE state >= 7 AND printer = ? ORDER BY completed_at DESC, id DESC LIMIT 100
        """

    /// Removes the oldest events of printers; they stand in the order in which they happened.
    package static let removeOldPrinterEvents = """
        DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < ?
        """
}
