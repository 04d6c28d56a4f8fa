// Lists jobs.

package import PrintModel

extension SQLTransaction {
    package func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int] {
        let query = try Self.unfinishedIDs(part, filter, after: start, limit: limit, offset: offset)
        return try integers(query.sql, query.parameters)
    }

    package func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int {
        let query = try Self.unfinishedIDs(part, filter, after: start, limit: .max, offset: 0)
        return try integer("SELECT COUNT(*) FROM (\(query.sql)) AS listed", query.parameters) ?? 0
    }

    package func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job] {
        try jobs(Self.endedJobs(filter, after: position, limit: limit, offset: offset, parts), parts)
    }

    package func newestEndedJob() throws -> EndPosition? { try rows(Self.newestEnded, Self.position).first }

    package func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob] {
        var query = SQLQuery("SELECT state, priority, completed_at, id FROM jobs")
        query.sql += " WHERE id \(Self.dialect.isIn(query.bind(Self.dialect.list(Set(ids)))))"
        query.sql += try filter.conditions(in: &query, Self.dialect)
        return try rows(query.sql, query.parameters) { row in
            try row.job { () -> ListedJob? in
                guard let state = JobState(rawValue: try row.int(0)) else { return nil }
                let position = QueuePosition(
                    state: state, priority: try row.int(1), endedAt: try row.optionalDouble(2), id: try row.int(3))
                return ListedJob(position: position, state: state)
            }
        }.compactMap(\.self)
    }

    /// Returns the position in a row with the columns `completed_at` and `id`.
    static func position(_ row: Row) throws -> EndPosition {
        try row.job { EndPosition(endedAt: try row.double(0), id: try row.int(1)) }
    }

    // MARK: - Statements

    /// Returns the query for the ids of the jobs in progress, or for the ids of the waiting jobs.
    ///
    /// The ids are in the order of the job list.
    static func unfinishedIDs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> SQLQuery {
        let state = part == .waiting ? dialect.isWaiting() : dialect.isInProgress()
        var query = SQLQuery("SELECT id FROM jobs WHERE \(state)")
        query.sql += try filter.allConditions(in: &query, dialect)
        if let start, start.part == part {
            let (priority, id) = (query.bind(start.priority), query.bind(start.id))
            query.sql += " AND priority <= \(priority) AND (priority < \(priority) OR id > \(id))"
        }
        let (most, skipped) = (query.bind(limit), query.bind(offset))
        query.sql += " ORDER BY priority DESC, id LIMIT \(most) OFFSET \(skipped)"
        return query
    }

    static func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts = .all
    ) throws -> SQLQuery {
        var query = SQLQuery("SELECT \(StoredJob.columns(parts)) FROM jobs WHERE \(dialect.hasEnded())")
        query.sql += try filter.allConditions(in: &query, dialect)
        let (time, id) = (query.bind(position.endedAt), query.bind(position.id))
        let (most, skipped) = (query.bind(limit), query.bind(offset))
        query.sql += """
             AND (completed_at, id) < (\(time), \(id))
            ORDER BY completed_at DESC, id DESC LIMIT \(most) OFFSET \(skipped)
            """
        return query
    }

    /// The query for the most recently ended job.
    static var newestEnded: String {
        """
        SELECT completed_at, id FROM jobs WHERE \(dialect.hasEnded()) ORDER BY completed_at DESC, id DESC LIMIT 1
        """
    }
}

extension JobFilter {
    /// Returns the filter's SQL conditions, except the condition for the single state that a filter can select.
    ///
    /// Each condition begins with `AND`.
    func conditions(in query: inout SQLQuery, _ dialect: SQLDialect) throws -> String {
        var conditions = ""
        if let printer { conditions += " AND printer = \(query.bind(printer))" }
        if let owner { conditions += " AND owner = \(query.bind(owner))" }
        if let isHeld { conditions += " AND state \(isHeld ? "=" : "<>") \(JobState.pendingHeld.rawValue)" }
        if let troubledPrinters {
            let names = query.bind(try dialect.list(troubledPrinters.sorted()))
            conditions += """
                 AND (state = \(JobState.processingStopped.rawValue)
                OR state IN (\(JobState.pending.rawValue), \(JobState.processing.rawValue)) AND (retry_at IS NOT NULL
                OR printer IN (\(dialect.texts(names)))))
                """
        }
        if let reach {
            func names(_ printers: Set<String>) throws -> String {
                dialect.texts(query.bind(try dialect.list(printers.sorted())))
            }
            if let printers = reach.printers { conditions += " AND printer IN (\(try names(printers)))" }
            if !reach.hidden.isEmpty {
                let reader = query.bind(reach.reader)
                conditions += " AND (owner = \(reader) OR printer NOT IN (\(try names(reach.hidden))))"
            }
        }
        if let search {
            let text = SearchText(dialect == .sqlite ? search.text : search.text.withoutZeroBytes)
            let pattern = query.bind(text.argument(for: dialect))
            func condition(on column: String) -> String { text.condition(on: column, pattern, dialect) }
            let isOwn = search.reader.map { "owner = \(query.bind($0)) AND " } ?? ""
            conditions += " AND (\(condition(on: "printer")) OR \(isOwn)"
            conditions += "(\(condition(on: "name")) OR \(condition(on: "owner"))))"
        }
        return conditions
    }

    /// Returns all SQL conditions of the filter, including the condition for the single state that a filter can select.
    fileprivate func allConditions(in query: inout SQLQuery, _ dialect: SQLDialect) throws -> String {
        let conditions = try conditions(in: &query, dialect)
        guard case .state(let state) = which else { return conditions }
        // With a constant, SQLite would use the index of the waiting jobs, whose order is not that of the list.
        return conditions + " AND state = \(dialect == .sqlite ? query.bind(state.rawValue) : "\(state.rawValue)")"
    }
}
