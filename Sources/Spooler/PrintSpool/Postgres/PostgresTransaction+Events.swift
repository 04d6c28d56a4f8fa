// Reads and writes the event log in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent] {
        let ofJob: [(any PostgresParameter)?] = jobID.map { [$0] } ?? []
        return try session.query(Self.eventsQuery(ofJob: jobID != nil), [sequence, max(0, limit)] + ofJob)
            .map(Self.event)
    }

    func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent] {
        try session.query(Self.newestEventsOfJob, [jobID, max(0, limit)]).reversed().map(Self.event)
    }

    func purgedEventSequence() throws -> Int { try integer("SELECT through FROM purged_events") ?? 0 }

    func latestEventSequence() throws -> Int { try integer("SELECT \(Self.lastEvent)") ?? 0 }

    func append(_ event: StoredEvent) throws { session.append(event) }

    func removePrinterEvents(before time: UnixTime) throws -> Int {
        try session.change(Self.removeOldPrinterEvents, [time]).affectedRows
    }

    private static func event(_ row: PostgresRow) throws -> JobEvent {
        let jobID = try row.optionalInt(1)
        let state = try row.optionalInt(5)
        var event = JobEvent(
            sequence: try row.int(0), jobID: jobID, printer: try row.string(2), time: try row.double(3),
            kind: try row.string(4), state: jobID == nil ? nil : state.flatMap(JobState.init(rawValue:)),
            message: try row.string(6),
            printerState: jobID == nil ? state.flatMap(PrinterState.init(rawValue:)) : nil,
            reasons: try row.optionalString(7).map { $0.split(separator: " ").map(String.init) } ?? [],
            impressions: try row.optionalInt(8), impressionsCompleted: try row.optionalInt(9),
            jobName: try row.optionalString(10), owner: try row.optionalString(11),
            isAccepting: try row.optionalBool(12) ?? false)
        if let text = try row.optionalString(13), let plan = try? StoredJSON.value(of: text) as SheetPlan {
            event.pages = plan.pages > 0 ? plan.pages : nil
            event.copies = plan.copies
        }
        return event
    }

    // MARK: - Statements

    /// The expression for the highest sequence number that was used.
    ///
    /// The highest number of a stored event is the last entry of an index.
    static let lastEvent = """
        GREATEST((SELECT max(sequence) FROM events), (SELECT last FROM event_log), (SELECT through FROM purged_events))
        """

    /// Numbers and inserts the events of a transaction, and notes the number of the transaction (`PostgresOutcome`),
    /// without waiting for the result.
    ///
    /// The statement is the last statement before the commit. The statement locks the event log until the commit.
    /// Therefore the sequence numbers have no gaps and are in the order of the commits.
    static func insert(
        _ events: [StoredEvent], notingCommit number: Int, of writer: String, on connection: PostgresConnection
    ) throws {
        var rows = PostgresInsertion(into: "events")
        for event in events {
            rows.append([
                ("job_id", .bigint, event.jobID), ("printer", .text, event.printer), ("time", .double, event.time),
                ("kind", .text, event.kind), ("state", .bigint, event.state), ("message", .text, event.message),
                ("reasons", .text, event.reasons.isEmpty ? nil : event.reasons.joined(separator: " ")),
                ("impressions", .bigint, event.impressions),
                ("impressions_completed", .bigint, event.impressionsCompleted),
            ])
        }
        try connection.enqueue(
            """
            WITH noted AS (\(PostgresOutcome.note)), log AS MATERIALIZED (SELECT lock_events() AS last)
            INSERT INTO events (\(rows.names), sequence)
            SELECT new.\(rows.names.replacing(", ", with: ", new.")), log.last + new.number
            FROM log, unnest(\(rows.placeholders(from: 3))) WITH ORDINALITY AS new (\(rows.names), number)
            """, [writer, number] + rows.parameters())
    }

    /// The columns and tables of a query for events.
    private static let eventColumns = """
        events.sequence, events.job_id, events.printer, events.time, events.kind, events.state, events.message,
            events.reasons, events.impressions, events.impressions_completed, jobs.name, jobs.owner,
            printers.is_accepting, CASE events.kind WHEN 'job-completed' THEN jobs.sheet_plan END
        FROM events LEFT JOIN jobs ON jobs.id = events.job_id LEFT JOIN printers ON printers.name = events.printer
        """

    /// Returns the query for events.
    static func eventsQuery(ofJob: Bool) -> String {
        """
        SELECT \(eventColumns)
        WHERE events.sequence > $1\(ofJob ? " AND events.job_id = $3" : "") ORDER BY events.sequence LIMIT $2
        """
    }

    /// The query for the newest events of a job.
    private static let newestEventsOfJob =
        "SELECT \(eventColumns) WHERE events.job_id = $1 ORDER BY events.sequence DESC LIMIT $2"

    /// The statement that removes at most 100 printer events that occurred before a given time.
    ///
    /// The statement checks only the 100 oldest printer events.
    private static let removeOldPrinterEvents = """
        DELETE FROM events WHERE sequence IN (
            SELECT sequence FROM events WHERE job_id IS NULL ORDER BY sequence LIMIT 100) AND time < $1
        """
}
