// Lists jobs in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int] {
        let query = Self.unfinishedIDs(part, filter, after: start, limit: limit, offset: offset)
        return try integers(query.sql, query.parameters)
    }

    func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int {
        let query = Self.unfinishedIDs(part, filter, after: start, limit: .max, offset: 0)
        return try integer("SELECT COUNT(*) FROM (\(query.sql)) AS listed", query.parameters) ?? 0
    }

    func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job] {
        try jobs(Self.endedJobs(filter, after: position, limit: limit, offset: offset, parts), parts)
    }

    func newestEndedJob() throws -> EndPosition? {
        try session.query(Self.newestEnded).first.map { EndPosition(endedAt: try $0.double(0), id: try $0.int(1)) }
    }

    func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob] {
        var query = PostgresQuery("SELECT state, priority, completed_at, id FROM jobs")
        query.sql += " WHERE id = ANY (\(query.bind(Self.array(Set(ids))))::bigint[])"
        query.sql += filter.conditions(in: &query)
        return try session.query(query.sql, query.parameters).compactMap { row in
            guard let state = JobState(rawValue: try row.int(0)) else { return nil }
            let position = QueuePosition(
                state: state, priority: try row.int(1), endedAt: try row.optionalDouble(2), id: try row.int(3))
            return ListedJob(position: position, state: state)
        }
    }

    // MARK: - Statements

    /// Returns the query for the ids of the jobs in progress, or for the ids of the waiting jobs.
    ///
    /// The ids are in the order of the job list.
    static func unfinishedIDs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) -> PostgresQuery {
        let state = part == .waiting ? PostgresCondition.isWaiting : PostgresCondition.isInProgress
        var query = PostgresQuery("SELECT id FROM jobs WHERE \(state)")
        query.sql += filter.allConditions(in: &query)
        if let start, start.part == part {
            let (priority, id) = (query.bind(start.priority), query.bind(start.id))
            query.sql += " AND priority <= \(priority) AND (priority < \(priority) OR id > \(id))"
        }
        let (most, skipped) = (query.bind(limit), query.bind(offset))
        query.sql += " ORDER BY priority DESC, id LIMIT \(most) OFFSET \(skipped)"
        return query
    }

    /// Returns the query for ended jobs after a position.
    static func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts = .all
    ) -> PostgresQuery {
        var query = PostgresQuery("SELECT \(StoredJob.columns(parts)) FROM jobs WHERE \(PostgresCondition.hasEnded)")
        query.sql += filter.allConditions(in: &query)
        let (time, id) = (query.bind(position.endedAt), query.bind(position.id))
        let (most, skipped) = (query.bind(limit), query.bind(offset))
        query.sql += """
             AND (completed_at, id) < (\(time), \(id))
            ORDER BY completed_at DESC, id DESC LIMIT \(most) OFFSET \(skipped)
            """
        return query
    }

    /// The query for the most recently ended job.
    static let newestEnded = """
        SELECT completed_at, id FROM jobs WHERE \(PostgresCondition.hasEnded)
        ORDER BY completed_at DESC, id DESC LIMIT 1
        """
}

extension JobFilter {
    /// Returns the filter's SQL conditions, except the condition for the single state that a filter can select.
    ///
    /// Each condition begins with `AND`.
    func conditions(in query: inout PostgresQuery) -> String {
        var conditions = ""
        if let printer { conditions += " AND printer = \(query.bind(printer))" }
        if let owner { conditions += " AND owner = \(query.bind(owner))" }
        if let isHeld { conditions += " AND state \(isHeld ? "=" : "<>") \(JobState.pendingHeld.rawValue)" }
        if let troubledPrinters {
            let names = try? StoredJSON.text(of: troubledPrinters.sorted().map(\.withoutZeroBytes))
            conditions += """
                 AND (state = \(JobState.processingStopped.rawValue)
                OR state IN (\(JobState.pending.rawValue), \(JobState.processing.rawValue)) AND (retry_at IS NOT NULL
                OR printer IN (SELECT json_array_elements_text(\(query.bind(names ?? "[]"))::json))))
                """
        }
        if let search {
            let text = SearchText(search.text.withoutZeroBytes)
            let pattern = query.bind(text.postgresArgument)
            func condition(on column: String) -> String { text.postgresCondition(on: column, pattern) }
            let inPrivate = "(\(condition(on: "name")) OR \(condition(on: "owner")))"
            let own = search.reader.map { "owner = \(query.bind($0)) AND \(inPrivate)" } ?? inPrivate
            conditions += " AND (\(condition(on: "printer")) OR \(own))"
        }
        return conditions
    }

    /// Returns all SQL conditions of the filter, including the condition for the single state that a filter can select.
    fileprivate func allConditions(in query: inout PostgresQuery) -> String {
        let conditions = conditions(in: &query)
        guard case .state(let state) = which else { return conditions }
        return conditions + " AND state = \(state.rawValue)"
    }
}

extension SearchText {
    /// Returns the SQL condition that is true if a column contains the text.
    ///
    /// Letters outside ASCII require the rules of Unicode (ICU). The two forms of the small sigma are equal.
    fileprivate func postgresCondition(on column: String, _ argument: String) -> String {
        if isASCII { return "lower(\(column) COLLATE \"C\") LIKE \(argument)" }
        return "strpos(replace(lower(upper(\(column) COLLATE \"und-x-icu\")), 'ς', 'σ'), \(argument)) > 0"
    }

    fileprivate var postgresArgument: String {
        isASCII ? argument.lowercased() : argument.replacing("ς", with: "σ")
    }
}
