// Lists jobs in SQLite.

import FoundationEssentials
import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int] {
        try Int.fetchAll(
            try db.cachedStatement(sql: Self.unfinishedIDs(part, filter, after: start)),
            arguments: filter.allArguments(Self.position(start, in: part) + [limit, offset]))
    }

    package func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int {
        let sql = "SELECT COUNT(*) FROM (\(Self.unfinishedIDs(part, filter, after: start)))"
        let arguments = filter.allArguments(Self.position(start, in: part) + [Int.max, 0])
        return try Int.fetchOne(db, sql: sql, arguments: arguments) ?? 0
    }

    package func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job] {
        try JobRecord.jobs(
            Self.endedJobs(filter, parts), filter.allArguments([position.endedAt, position.id, limit, offset]), parts,
            in: db)
    }

    package func newestEndedJob() throws -> EndPosition? {
        try Row.fetchOne(db, sql: Self.newestEnded).map(Self.position)
    }

    package func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob] {
        let sql = """
            SELECT state, priority, completed_at, id FROM jobs
            WHERE id IN (SELECT value FROM json_each(?))\(filter.conditions)
            """
        let list: any DatabaseValueConvertible = JobRecord.list(Set(ids))
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: sql), arguments: StatementArguments([list] + filter.arguments))
        return try rows.compactMap { row in
            try UnreadableJob.found(in: row) {
                guard let state = JobState(rawValue: try row.decode(Int.self, atIndex: 0)) else { return nil }
                let position = QueuePosition(
                    state: state, priority: try row.decode(Int.self, atIndex: 1),
                    endedAt: try row.decode(UnixTime?.self, atIndex: 2), id: try row.decode(Int.self, atIndex: 3))
                return ListedJob(position: position, state: state)
            }
        }
    }

    // MARK: - Statements

    /// Returns the query for the ids of the jobs in progress, or for the ids of the waiting jobs.
    ///
    /// The ids are in the order of the job list.
    private static func unfinishedIDs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) -> String {
        let state = part == .waiting ? JobStateClause.isWaiting() : JobStateClause.isInProgress()
        let position = start?.part == part ? " AND priority <= ? AND (priority < ? OR id > ?)" : ""
        return """
            SELECT id FROM jobs WHERE \(state)\(filter.allConditions)\(position)
            ORDER BY priority DESC, id LIMIT ? OFFSET ?
            """
    }

    /// Returns the SQL arguments for the position after which a query begins.
    ///
    /// Returns an empty array if the position is not in the given part of the list.
    private static func position(
        _ start: QueuePosition?, in part: QueuePosition.Part
    ) -> [any DatabaseValueConvertible] {
        start.flatMap { $0.part == part ? [$0.priority, $0.priority, $0.id] : nil } ?? []
    }

    /// Returns the query for ended jobs after a position.
    private static func endedJobs(_ filter: JobFilter, _ parts: JobParts) -> String {
        """
        SELECT \(StoredJob.columns(parts)) FROM jobs
        WHERE \(JobStateClause.hasEnded())\(filter.allConditions) AND (completed_at, id) < (?, ?)
        ORDER BY completed_at DESC, id DESC LIMIT ? OFFSET ?
        """
    }

    /// The query for the most recently ended job.
    package static let newestEnded = """
        SELECT completed_at, id FROM jobs WHERE \(JobStateClause.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1
        """
}

extension JobFilter {
    /// The filter's SQL conditions without the condition for the job state.
    ///
    /// A filter selects all states or one state. Each condition begins with `AND`.
    var conditions: String {
        var conditions = (printer == nil ? "" : " AND printer = ?") + (owner == nil ? "" : " AND owner = ?")
        if let isHeld { conditions += " AND state \(isHeld ? "=" : "<>") \(JobState.pendingHeld.rawValue)" }
        if troubledPrinters != nil { conditions += " AND \(JobStateClause.needsAttention)" }
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

    /// All SQL conditions of the filter, including the condition for the single state that a filter can select.
    fileprivate var allConditions: String { conditions + (which.state == nil ? "" : " AND state = ?") }

    /// Returns the SQL arguments of `allConditions`, followed by other arguments.
    fileprivate func allArguments(_ rest: [any DatabaseValueConvertible]) -> StatementArguments {
        var values = arguments
        if let state = which.state { values.append(state.rawValue) }
        return StatementArguments(values + rest)
    }
}

extension JobFilter.Which {
    /// The single state that the filter selects; nil for several states.
    fileprivate var state: JobState? { if case .state(let state) = self { state } else { nil } }
}
