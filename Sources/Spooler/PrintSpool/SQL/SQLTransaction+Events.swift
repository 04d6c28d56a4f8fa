// Reads and writes the event log.

package import PrintModel

extension SQLTransaction {
    package func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent] {
        let parameters: [(any SQLValue)?] = [sequence] + (jobID.map { [$0] } ?? []) + [max(0, limit)]
        return try rows(Self.eventsQuery(ofJob: jobID != nil), parameters, Self.event)
    }

    package func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent] {
        let query = "SELECT \(Self.eventColumns) WHERE events.job_id = $1 ORDER BY events.sequence DESC LIMIT $2"
        return try rows(query, [jobID, max(0, limit)], Self.event).reversed()
    }

    package func purgedEventSequence() throws -> Int { try integer("SELECT \(Self.purgedEvent)") ?? 0 }

    package func latestEventSequence() throws -> Int { try integer("SELECT \(Self.lastEvent)") ?? 0 }

    package func removePrinterEvents(before time: UnixTime) throws -> Int {
        // Only the 100 oldest printer events are checked. The numbers of the events are in chronological order.
        try change(
            """
            DELETE FROM events WHERE sequence IN (
                SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < $1
            """, [time])
    }

    /// Returns the event that a row contains.
    ///
    /// An unreadable event keeps its readable fields, because readers of the log must be able to read later events.
    private static func event(_ row: Row) -> JobEvent {
        var event = JobEvent(sequence: 0, jobID: nil, printer: "unknown", time: 0, kind: "", state: nil, message: "")
        do {
            try StoredTable.eventColumns.read(row, into: &event)
            let joined = StoredTable.eventColumns.count
            event.jobName = try row.optionalString(joined)
            event.owner = try row.optionalString(joined + 1)
            event.isAccepting = try row.optionalBool(joined + 2) ?? false
            let plan = try row.optionalString(joined + 3)
            if let plan = plan.flatMap({ try? StoredJSON.value(of: $0) as SheetPlan }) {
                event.pages = plan.pages > 0 ? plan.pages : nil
                event.copies = plan.copies
            }
            return event
        } catch {
            let jobID = try? row.optionalInt(1)
            return JobEvent(
                sequence: (try? row.int(0)) ?? 0, jobID: jobID, printer: (try? row.string(2)) ?? "unknown",
                time: (try? row.double(3)) ?? 0,
                kind: (try? row.string(4)) ?? "\(jobID == nil ? "printer" : "job")-state-changed",
                state: jobID == nil ? nil : (try? row.int(5)).flatMap(JobState.init(rawValue:)),
                message: "The stored record of this event was damaged",
                owner: try? row.optionalString(StoredTable.eventColumns.count + 1))
        }
    }

    // MARK: - Statements

    /// The columns and tables of a query for events.
    private static var eventColumns: String {
        """
        \(StoredTable.eventColumns.map { "events.\($0.name)" }.joined(separator: ", ")), jobs.name, jobs.owner,
            printers.is_accepting, CASE events.kind WHEN 'job-completed' THEN jobs.sheet_plan END
        FROM events LEFT JOIN jobs ON jobs.id = events.job_id LEFT JOIN printers ON printers.name = events.printer
        """
    }

    static func eventsQuery(ofJob: Bool) -> String {
        """
        SELECT \(eventColumns)
        WHERE events.sequence > $1\(ofJob ? " AND events.job_id = $2" : "")
        ORDER BY events.sequence LIMIT \(ofJob ? "$3" : "$2")
        """
    }
}
