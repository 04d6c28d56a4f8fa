// A list of jobs that is read page by page.

import FoundationEssentials
import GRDB
public import PrintModel

/// A list of jobs that is read page by page.
///
/// The first page determines which jobs are in the list, and their order. Therefore, if jobs change during the reading,
/// no job is missing or listed twice. Each page contains the state of its jobs at the time when the page is read.
/// Removed jobs are omitted.
///
///     var listing = spool.listing(JobFilter(.all))
///     while let jobs = try await listing.next() { show(jobs) }
///
/// The positions of unfinished jobs may change. Therefore the ids of all unfinished jobs are read with the first page,
/// with eight bytes for each job. The positions of ended jobs do not change. Each page of ended jobs begins after the
/// last job of the previous page, which SQLite finds with an index.
public struct JobListing: Sendable {
    private let spool: Spool
    private let filter: JobFilter
    private let start: QueuePosition?
    /// The maximum number of jobs on all further pages together.
    private var remaining: Int
    /// The number of jobs to omit at the start of the list.
    private var offset: Int
    /// The ids of the unfinished jobs for further pages; nil before the first page.
    private var unfinished: ArraySlice<Int>?
    /// The position of the last listed ended job; nil if the list has no further ended jobs.
    private var endedAfter: (endedAt: UnixTime, id: Int)?

    init(_ filter: JobFilter, in range: JobListRange, of spool: Spool) {
        self.spool = spool
        self.filter = filter
        start = range.after
        remaining = max(0, range.limit ?? .max)
        offset = max(0, range.offset)
    }

    /// Returns the next page with at least one job; nil at the end of the list.
    ///
    /// - Parameter count: The maximum number of jobs in the page.
    public mutating func next(_ count: Int = 200) async throws(SpoolError) -> [Job]? {
        guard !isAtEnd else { return nil }
        let before = self
        let (page, after) = try await spool.read { db in
            var listing = before
            let page = try listing.next(count, in: db)
            return (page, listing)
        }
        self = after
        return page
    }

    private var isAtEnd: Bool { remaining == 0 || unfinished?.isEmpty == true && endedAfter == nil }

    /// Returns the next page with at least one job; nil at the end of the list.
    mutating func next(_ count: Int, in db: Database) throws -> [Job]? {
        if unfinished == nil { try begin(in: db) }
        // A page is empty if all its jobs have been removed since the first page was read.
        while remaining > 0, let page = try page(min(count, remaining), in: db) {
            if !page.isEmpty { return page }
        }
        return nil
    }

    private mutating func page(_ count: Int, in db: Database) throws -> [Job]? {
        if let ids = unfinished?.prefix(count), !ids.isEmpty {
            unfinished?.removeFirst(ids.count)
            remaining -= ids.count
            return try JobRecord.jobs(withIDs: ids, in: db)
        }
        guard let endedAfter else { return nil }
        let jobs = try JobRecord.jobs(
            endedJobs, arguments([endedAfter.endedAt, endedAfter.id, count, offset]), in: db)
        offset = 0
        remaining -= jobs.count
        self.endedAfter = jobs.last.flatMap { last in last.completedAt.map { ($0, last.id) } }
        return jobs.isEmpty ? nil : jobs
    }

    // MARK: - The first page

    private mutating func begin(in db: Database) throws {
        var ids: [Int] = []
        if let wanted = filter.ids {
            ids = try positions(of: wanted, in: db).sorted().map(\.id)
            unfinished = ids.dropFirst(min(offset, ids.count)).prefix(remaining)
            return
        }
        let parts = filter.which.parts.filter { part in start.map { $0.part.rawValue <= part.rawValue } ?? true }
        for part in parts where part != .ended && ids.count < remaining {
            let found = try Int.fetchAll(
                try db.cachedStatement(sql: unfinishedIDs(part)),
                arguments: arguments(position(in: part) + [remaining - ids.count, offset]))
            if offset > 0, found.isEmpty { offset -= try count(part, in: db) }
            if !found.isEmpty { offset = 0 }
            ids += found
        }
        unfinished = ids[...]
        guard parts.contains(.ended), ids.count < remaining else { return }
        if let start, start.part == .ended {
            endedAfter = (start.endedAt, start.id)
        } else {
            // Jobs that end while the list is read are already in the list of unfinished jobs.
            endedAfter = try Row.fetchOne(db, sql: Self.newestEnded).map { row in
                try UnreadableJob.found(in: row) {
                    (endedAt: try row.decode(UnixTime.self, atIndex: 0), id: try row.decode(Int.self, atIndex: 1) + 1)
                }
            }
        }
    }

    /// Returns the number of jobs in a completely omitted part of the list.
    private func count(_ part: QueuePosition.Part, in db: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM (\(unfinishedIDs(part)))"
        return try Int.fetchOne(db, sql: sql, arguments: arguments(position(in: part) + [Int.max, 0])) ?? 0
    }

    /// Returns the positions of the jobs with the given ids.
    ///
    /// The result does not contain jobs that do not match the filter.
    private func positions(of ids: [Int], in db: Database) throws -> [QueuePosition] {
        let sql = """
            SELECT state, priority, completed_at, id, printer, owner FROM jobs
            WHERE id IN (SELECT value FROM json_each(?))
            """
        var positions: [QueuePosition] = []
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: [JobRecord.list(Set(ids))])
        while let row = try rows.next() {
            let state = try UnreadableJob.found(in: row) { JobState(rawValue: try row.decode(Int.self, atIndex: 0)) }
            guard let state, isWanted(state, printer: row[4], owner: row[5]) else { continue }
            let position = try UnreadableJob.found(in: row) {
                QueuePosition(
                    state: state, priority: try row.decode(Int.self, atIndex: 1),
                    endedAt: try row.decode(UnixTime?.self, atIndex: 2), id: try row.decode(Int.self, atIndex: 3))
            }
            if start.map({ $0 < position }) ?? true { positions.append(position) }
        }
        return positions
    }

    private func isWanted(_ state: JobState, printer: String, owner: String) -> Bool {
        filter.which.contains(state) && filter.printer.map { $0 == printer } ?? true
            && filter.owner.map { $0 == owner } ?? true
    }

    // MARK: - Statements

    /// Returns the query for the ids of the jobs in progress, or for the ids of the waiting jobs.
    ///
    /// The ids are in the order of the list.
    private func unfinishedIDs(_ part: QueuePosition.Part) -> String {
        let state = part == .waiting ? JobCondition.isWaiting() : JobCondition.isInProgress()
        let position = start?.part == part ? " AND priority <= ? AND (priority < ? OR id > ?)" : ""
        return """
            SELECT id FROM jobs WHERE \(state)\(conditions)\(position) ORDER BY priority DESC, id LIMIT ? OFFSET ?
            """
    }

    /// The query for the ended jobs of the next page.
    private var endedJobs: String {
        """
        SELECT \(JobRecord.columns) FROM jobs WHERE \(JobCondition.hasEnded())\(conditions) AND (completed_at, id) < (?, ?)
        ORDER BY completed_at DESC, id DESC LIMIT ? OFFSET ?
        """
    }

    /// The query for the job that ended last.
    package static let newestEnded = """
        SELECT completed_at, id FROM jobs WHERE \(JobCondition.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1
        """

    private var conditions: String { filter.conditions + (state == nil ? "" : " AND state = ?") }

    private var state: JobState? { if case .state(let state) = filter.which { state } else { nil } }

    /// Returns the arguments for the start position, if this position is in the given part of the list.
    private func position(in part: QueuePosition.Part) -> [any DatabaseValueConvertible] {
        start.flatMap { $0.part == part ? [$0.priority, $0.priority, $0.id] : nil } ?? []
    }

    private func arguments(_ rest: [any DatabaseValueConvertible]) -> StatementArguments {
        var values = filter.arguments
        if let state { values.append(state.rawValue) }
        return StatementArguments(values + rest)
    }
}

extension JobFilter {
    /// The filter's SQL conditions on all columns of a job except the state.
    ///
    /// Each condition begins with `AND`.
    var conditions: String {
        var conditions = (printer == nil ? "" : " AND printer = ?") + (owner == nil ? "" : " AND owner = ?")
        if let isHeld { conditions += " AND state \(isHeld ? "=" : "<>") \(JobState.pendingHeld.rawValue)" }
        if troubledPrinters != nil { conditions += " AND \(JobCondition.needsAttention)" }
        if let search {
            let text = SearchText(search.text)
            let inPrivate = "(\(text.condition(on: "name")) OR \(text.condition(on: "owner")))"
            let own = search.reader == nil ? inPrivate : "owner = ? AND \(inPrivate)"
            conditions += " AND (\(text.condition(on: "printer")) OR \(own))"
        }
        return conditions
    }

    /// The SQL arguments of `conditions`.
    var arguments: [any DatabaseValueConvertible] {
        var values: [any DatabaseValueConvertible] = []
        if let printer { values.append(printer) }
        if let owner { values.append(owner) }
        if let troubledPrinters { values.append(Self.list(troubledPrinters)) }
        if let search {
            let pattern = SearchText(search.text).argument
            values.append(pattern)
            if let reader = search.reader { values.append(reader) }
            values += [pattern, pattern]
        }
        return values
    }

    /// Returns an array of names as JSON text.
    private static func list(_ names: Set<String>) -> String {
        let encoded = (try? JSONEncoder().encode(names.sorted())) ?? Data("[]".utf8)
        return String(decoding: encoded, as: UTF8.self)
    }
}
