// How far a list of jobs has been read.

import GRDB
import PrintModel

/// How far a list of jobs has been read, and the statements that read on.
///
/// Jobs that have not ended change their places, so their ids are noted at the start, eight bytes a job. Those that have
/// ended stay where they are: each page goes on after the place of the last, which an index finds at once.
package struct JobCursor: Sendable {
    private let filter: JobFilter
    /// How many more may be named.
    private var left: Int
    /// How many must be passed over first.
    private var skip: Int
    /// The jobs that are still to be named before those that have ended; nil before the first page.
    private var noted: ArraySlice<Int>?
    /// The jobs that have ended are named from before this one on; nil when none of them is to be named.
    private var newest: (endedAt: UnixTime, id: Int)?

    init(_ filter: JobFilter) {
        self.filter = filter
        left = max(0, filter.limit ?? .max)
        skip = max(0, filter.offset)
    }

    /// Whether there are no more.
    var isAtEnd: Bool { left == 0 || noted?.isEmpty == true && newest == nil }

    /// The next jobs, at least one and at most so many; nil at the end.
    mutating func next(_ count: Int, in db: Database) throws -> [Job]? {
        if noted == nil { try begin(in: db) }
        // A page can come out empty when all its jobs have been removed meanwhile.
        while left > 0, let page = try page(min(count, left), in: db) {
            if !page.isEmpty { return page }
        }
        return nil
    }

    private mutating func page(_ count: Int, in db: Database) throws -> [Job]? {
        if let ids = noted?.prefix(count), !ids.isEmpty {
            noted?.removeFirst(ids.count)
            left -= ids.count
            return try JobRecord.jobs(withIDs: ids, in: db)
        }
        guard let newest else { return nil }
        let jobs = try JobRecord.jobs(
            Self.ended(filter), Self.arguments(filter, [newest.endedAt, newest.id, count, skip]), in: db)
        skip = 0
        left -= jobs.count
        self.newest = jobs.last.flatMap { last in last.completedAt.map { ($0, last.id) } }
        return jobs.isEmpty ? nil : jobs
    }

    // MARK: - The beginning

    private mutating func begin(in db: Database) throws {
        var ids: [Int] = []
        if let wanted = filter.ids {
            ids = try places(of: wanted, in: db).sorted().map(\.id)
            let from = min(skip, ids.count)
            noted = ids.dropFirst(from).prefix(left)
            return
        }
        let parts = filter.which.parts.filter { part in
            (filter.state.map { QueuePosition.Part($0) == part } ?? true)
                && (filter.after.map { $0.part.rawValue <= part.rawValue } ?? true)
        }
        for part in parts where part != .ended && ids.count < left {
            let place = filter.after.flatMap { $0.part == part ? $0 : nil }
            let found = try Int.fetchAll(
                try db.cachedStatement(sql: Self.unfinished(part, filter)),
                arguments: Self.arguments(filter, Self.position(after: place) + [left - ids.count, skip]))
            if skip > 0, found.isEmpty { skip -= try count(part, after: place, in: db) }
            if !found.isEmpty { skip = 0 }
            ids += found
        }
        noted = ids[...]
        guard parts.contains(.ended), ids.count < left else { return }
        if let place = filter.after, place.part == .ended {
            newest = (place.endedAt, place.id)
        } else {
            // Jobs that end while the list is read have been noted above.
            newest = try Row.fetchOne(db, sql: Self.newestEnded).map { row in
                try UnreadableJob.found(in: row) {
                    (endedAt: try row.decode(UnixTime.self, atIndex: 0), id: try row.decode(Int.self, atIndex: 1) + 1)
                }
            }
        }
    }

    /// How many jobs a part has, when all of them are passed over.
    private func count(_ part: QueuePosition.Part, after place: QueuePosition?, in db: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM (\(Self.unfinished(part, filter)))"
        return try Int.fetchOne(
            db, sql: sql, arguments: Self.arguments(filter, Self.position(after: place) + [Int.max, 0])) ?? 0
    }

    /// The places of those of the given jobs that the filter lets through.
    private func places(of ids: [Int], in db: Database) throws -> [QueuePosition] {
        let sql = """
            SELECT state, priority, completed_at, id, printer, owner FROM jobs
            WHERE id IN (SELECT value FROM json_each(?))
            """
        var places: [QueuePosition] = []
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: [JobRecord.list(Set(ids))])
        while let row = try rows.next() {
            let state = try UnreadableJob.found(in: row) { JobState(rawValue: try row.decode(Int.self, atIndex: 0)) }
            guard let state, isWanted(state, printer: row[4], owner: row[5]) else { continue }
            let place = try UnreadableJob.found(in: row) {
                QueuePosition(
                    state: state, priority: try row.decode(Int.self, atIndex: 1),
                    endedAt: try row.decode(UnixTime?.self, atIndex: 2), id: try row.decode(Int.self, atIndex: 3))
            }
            if filter.after.map({ $0 < place }) ?? true { places.append(place) }
        }
        return places
    }

    private func isWanted(_ state: JobState, printer: String, owner: String) -> Bool {
        filter.which.parts.contains(QueuePosition.Part(state)) && filter.state.map { $0 == state } ?? true
            && filter.printer.map { $0 == printer } ?? true && filter.owner.map { $0 == owner } ?? true
    }

    // MARK: - Statements

    /// Finds the ids of jobs that have not ended, in order: those in hand, or those that wait.
    ///
    /// `(state < 5)` is what the indexes begin with, after the printer or the owner.
    static func unfinished(_ part: QueuePosition.Part, _ filter: JobFilter) -> String {
        let position = filter.after?.part == part ? " AND priority <= ? AND (priority < ? OR id > ?)" : ""
        return """
            SELECT id FROM jobs WHERE state < 7 AND (state < 5) = \(part == .waiting ? 1 : 0)\(conditions(filter))\
            \(position) ORDER BY priority DESC, id LIMIT ? OFFSET ?
            """
    }

    /// Finds the next jobs that have ended.
    static func ended(_ filter: JobFilter) -> String {
        """
        SELECT \(JobRecord.columns) FROM jobs WHERE state >= 7\(conditions(filter)) AND (completed_at, id) < (?, ?)
        ORDER BY completed_at DESC, id DESC LIMIT ? OFFSET ?
        """
    }

    /// Finds the job that ended last.
    package static let newestEnded =
        "SELECT completed_at, id FROM jobs WHERE state >= 7 ORDER BY completed_at DESC, id DESC LIMIT 1"

    private static func conditions(_ filter: JobFilter) -> String {
        (filter.printer == nil ? "" : " AND printer = ?") + (filter.owner == nil ? "" : " AND owner = ?")
            + (filter.state == nil ? "" : " AND state = ?")
    }

    private static func position(after place: QueuePosition?) -> [any DatabaseValueConvertible] {
        place.map { [$0.priority, $0.priority, $0.id] } ?? []
    }

    private static func arguments(_ filter: JobFilter, _ rest: [any DatabaseValueConvertible]) -> StatementArguments {
        var values: [any DatabaseValueConvertible] = []
        if let printer = filter.printer { values.append(printer) }
        if let owner = filter.owner { values.append(owner) }
        if let state = filter.state { values.append(state.rawValue) }
        return StatementArguments(values + rest)
    }
}
