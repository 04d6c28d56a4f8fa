import Foundation
import PrintModel
import PrintSpool
import Testing

@Suite(.requiresSQLite("the test reads the schema of SQLite"))
struct SchemaTests {
    let files = TestSpool()

    @Test func `schema.sql is equal to the schema that the migrations create`() async throws {
        _ = try await files.open()
        let statements = try Database(files).shell(
            """
            SELECT sql || ';' || char(10) FROM sqlite_master
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid
            """)
        let schema =
            "-- The tables of the spool, as the migrations in Sources/Spooler/PrintSpool/SQLite/ create them.\n\n"
            + statements.trimmingCharacters(in: .newlines) + "\n"
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Spool/schema.sql")
        if ProcessInfo.processInfo.environment["PRINTQ_WRITE_SCHEMA"] != nil {
            try schema.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == schema,
            "Spool/schema.sql is outdated; update with: PRINTQ_WRITE_SCHEMA=1 scripts/test --filter SchemaTests"
        )
    }

    @Test func `SQLite flushes each commit to the disk`() async throws {
        #expect(try await files.open().synchronousLevel() == 2)  // sqlite.org/pragma.html#pragma_synchronous: FULL
    }

    @Test(arguments: [
        "UPDATE jobs SET state = 2", "UPDATE jobs SET state = 10", "UPDATE jobs SET state = 9",
        "UPDATE jobs SET completed_at = 5", "UPDATE jobs SET priority = 0", "UPDATE jobs SET priority = 101",
        "UPDATE jobs SET state = 5", "UPDATE jobs SET held_until = 5", "UPDATE jobs SET incoming_until = 5",
        "UPDATE jobs SET state = 5, processing_at = 1, retry_at = 5", "UPDATE jobs SET attempts = -1",
        "UPDATE jobs SET remote_uuid = 'urn:uuid:x'", "UPDATE jobs SET ticket = 'none'",
        "UPDATE jobs SET uuid = 'x'", "UPDATE jobs SET printer = NULL", "UPDATE jobs SET sheets_completed = -1",
        "UPDATE documents SET content = NULL, bytes = -1", "UPDATE documents SET bytes = 99",
        "UPDATE documents SET file = 'document-1.txt'", "UPDATE documents SET number = 0",
        "UPDATE printers SET error_policy = 'hope'", "UPDATE printers SET is_paused = 2",
        "UPDATE events SET kind = 'printer-state-changed' WHERE job_id = 1",
        "INSERT INTO printers SELECT 9, 'b', device_uri, info, location, 1, 0, '', 1, error_policy, after_interruption, "
            + "options, users, '', '', '', 0, '', 0 FROM printers", "UPDATE printers SET after_interruption = 'hope'",
        "INSERT INTO jobs (uuid, printer, owner, name, submission_id, state, reasons, message, ticket, priority, attempts,"
            + " created_at, impressions_completed, sheets_completed) SELECT 'urn:uuid:9', printer, owner, name,"
            + " submission_id, state, reasons, message, ticket, priority, attempts, created_at, impressions_completed,"
            + " sheets_completed FROM jobs",
        "UPDATE printers SET users = 'ann'", "UPDATE jobs SET sheet_plan = 'A4'", "UPDATE jobs SET earlier_blanks = -1",
        "UPDATE jobs SET preparation_seconds = -1",
        "UPDATE jobs SET warnings = 'none'",
        "UPDATE jobs SET resume_from = 1", "UPDATE jobs SET parent_id = 0", "UPDATE jobs SET moved_from = ''",
    ])
    func `the spool database rejects a row with an invalid value`(statement: String) async throws {
        let spool = try await files.open()
        try await spool.setDefaultPrinter("laser")
        try await spool.submit(submissionID: "once")
        let answer = try Database(files).shell(statement)
        #expect(answer.contains("constraint failed"), "\(statement): \(answer)")
    }
}
