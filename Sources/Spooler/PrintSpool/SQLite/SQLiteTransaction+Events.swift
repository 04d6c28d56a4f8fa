// Reads and writes the event log in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent] {
        var arguments: StatementArguments = [sequence]
        if let jobID { arguments += [jobID] }
        arguments += [max(0, limit)]
        let statement = try db.cachedStatement(sql: Self.eventsQuery(ofJob: jobID != nil))
        return try Row.fetchAll(statement, arguments: arguments).map(Self.event)
    }

    package func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent] {
        let statement = try db.cachedStatement(sql: Self.newestEventsOfJob)
        return try Row.fetchAll(statement, arguments: [jobID, max(0, limit)]).reversed().map(Self.event)
    }

    package func purgedEventSequence() throws -> Int {
        try Int.fetchOne(try db.cachedStatement(sql: "SELECT purged_through FROM event_log")) ?? 0
    }

    package func latestEventSequence() throws -> Int {
        // SQLite stores the last sequence number, even when the event has been removed.
        try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
    }

    package func append(_ event: StoredEvent) throws {
        // Keywords have no spaces. An empty list is stored as NULL.
        let reasons = event.reasons.isEmpty ? nil : event.reasons.joined(separator: " ")
        try db.cachedStatement(
            sql: """
                INSERT INTO events (
                    job_id, printer, time, kind, state, message, reasons, impressions, impressions_completed
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                event.jobID, event.printer, event.time, event.kind, event.state, event.message, reasons,
                event.impressions, event.impressionsCompleted,
            ])
    }

    package func removePrinterEvents(before time: UnixTime) throws -> Int {
        try db.execute(sql: Self.removeOldPrinterEvents, arguments: [time])
        return db.changesCount
    }

    /// Returns the event that a row contains.
    ///
    /// An unreadable event keeps its readable fields, because readers of the log must be able to read later events.
    private static func event(_ row: Row) -> JobEvent {
        do { return try readableEvent(row) } catch {
            let jobID = Int.fromDatabaseValue(row[1])
            return JobEvent(
                sequence: Int.fromDatabaseValue(row[0]) ?? 0, jobID: jobID,
                printer: String.fromDatabaseValue(row[2]) ?? "unknown", time: Double.fromDatabaseValue(row[3]) ?? 0,
                kind: String.fromDatabaseValue(row[4]) ?? "\(jobID == nil ? "printer" : "job")-state-changed",
                state: jobID == nil ? nil : Int.fromDatabaseValue(row[5]).flatMap(JobState.init(rawValue:)),
                message: "The stored record of this event was damaged", owner: String.fromDatabaseValue(row[11]))
        }
    }

    private static func readableEvent(_ row: Row) throws -> JobEvent {
        let jobID: Int? = try row.decode(atIndex: 1)
        let state: Int? = try row.decode(atIndex: 5)
        let reasons: String? = try row.decode(atIndex: 7)
        let isAccepting: Bool? = try row.decode(atIndex: 12)
        var event = JobEvent(
            sequence: try row.decode(atIndex: 0), jobID: jobID, printer: try row.decode(atIndex: 2),
            time: try row.decode(atIndex: 3), kind: try row.decode(atIndex: 4),
            state: jobID == nil ? nil : state.flatMap(JobState.init(rawValue:)), message: try row.decode(atIndex: 6),
            printerState: jobID == nil ? state.flatMap(PrinterState.init(rawValue:)) : nil,
            reasons: reasons.map { $0.split(separator: " ").map(String.init) } ?? [],
            impressions: try row.decode(atIndex: 8), impressionsCompleted: try row.decode(atIndex: 9),
            jobName: try row.decode(atIndex: 10), owner: try row.decode(atIndex: 11), isAccepting: isAccepting ?? false)
        if let text = try row.decode(String?.self, atIndex: 13),
            let plan = try? StoredJSON.value(of: text) as SheetPlan
        {
            event.pages = plan.pages > 0 ? plan.pages : nil
            event.copies = plan.copies
        }
        return event
    }

    // MARK: - Statements

    /// The query for the newest events of a job.
    package static let newestEventsOfJob = """
        SELECT \(eventColumns) WHERE events.job_id = ? ORDER BY events.sequence DESC LIMIT ?
        """

    /// The columns and tables of a query for events.
    private static let eventColumns = """
        events.sequence, events.job_id, events.printer, events.time, events.kind, events.state, events.message,
            events.reasons, events.impressions, events.impressions_completed, jobs.name, jobs.owner,
            printers.is_accepting, CASE events.kind WHEN 'job-completed' THEN jobs.sheet_plan END
        FROM events LEFT JOIN jobs ON jobs.id = events.job_id LEFT JOIN printers ON printers.name = events.printer
        """

    /// Returns the query for events.
    package static func eventsQuery(ofJob: Bool) -> String {
        """
        SELECT \(eventColumns)
        WHERE events.sequence > ?\(ofJob ? " AND events.job_id = ?" : "") ORDER BY events.sequence LIMIT ?
        """
    }

    /// The statement that removes at most 100 printer events that occurred before a given time.
    ///
    /// The statement checks only the 100 oldest printer events. The sequence numbers of the events are in chronological
    /// order.
    package static let removeOldPrinterEvents = """
        DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < ?
        """
}
