// Creates the spool of an earlier version of printq, with ended jobs.
//
//     old-spool FOLDER --schema 1 --jobs 1000000
//
// The schema is created by the migrations up to its number. Schema numbers and the table `schema_changes` exist from
// schema 13 on. The exit code is 64 for a wrong command line.

import Foundation
import GRDB
import PrintSpool

@main
enum OldSpool {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let options = Options(arguments.dropFirst()) else {
            FileHandle.standardError.write(Data("usage: old-spool FOLDER [--schema NUMBER] [--jobs COUNT]\n".utf8))
            exit(64)
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let queue = try DatabaseQueue(path: "\(folder)/spool.sqlite")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
            try db.inTransaction {
                try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                for (identifier, sql) in SpoolSchema.statements(upTo: options.schema) {
                    try db.execute(sql: sql)
                    try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [identifier])
                }
                try fill(db, jobs: options.jobs)
                return .commit
            }
            _ = try db.checkpoint(.truncate)
        }
        try queue.close()
        chmod("\(folder)/spool.sqlite", 0o600)
    }

    /// The values of the command line.
    private struct Options {
        var schema = 1
        var jobs = 0

        init?(_ arguments: some Sequence<String>) {
            var rest = Array(arguments)
            while rest.count >= 2 {
                guard let value = Int(rest[1]), value >= 0 else { return nil }
                switch rest[0] {
                case "--schema": schema = value
                case "--jobs": jobs = value
                default: return nil
                }
                rest.removeFirst(2)
            }
            guard rest.isEmpty else { return nil }
        }
    }

    /// Adds a printer, and ended jobs of 100 owners with one document and two events each.
    private static func fill(_ db: Database, jobs: Int) throws {
        try db.execute(
            sql: """
                INSERT INTO printers
                    (name, device_uri, info, is_default, is_paused, pause_message, is_accepting, error_policy)
                VALUES ('color-laser', 'printsim:color-laser', 'Simulated color laser printer', 1, 0, '', 1, 'retry-job')
                """)
        let now = Date().timeIntervalSince1970
        let count = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(jobs))"
        guard jobs > 0 else { return }
        try db.execute(
            sql: """
                \(count)
                INSERT INTO jobs (id, uuid, printer, owner, name, state, reasons, message, ticket, priority, attempts,
                    created_at, processing_at, completed_at, impressions, impressions_completed, sheets,
                    sheets_completed, remote_id)
                SELECT n, 'urn:uuid:' || lower(hex(randomblob(16))), 'color-laser', 'user' || (n % 100),
                    'Document ' || n, 9, '["job-completed-successfully"]', '', '{"copies":1,"media":"iso_a4_210x297mm"}',
                    50, 0, ?1 - (\(jobs) - n) / 10.0, ?1 - (\(jobs) - n) / 10.0, ?1 - (\(jobs) - n) / 10.0, 2, 2, 1, 1, n
                FROM numbers
                """, arguments: [now])
        try db.execute(
            sql: """
                INSERT INTO documents (job_id, number, name, format, bytes)
                SELECT id, 1, 'document.pdf', 'application/pdf', 1024 FROM jobs
                """)
        for (kind, state, message) in [("job-created", 3, ""), ("job-completed", 9, "Printed")] {
            try db.execute(
                sql: """
                    INSERT INTO events (job_id, printer, time, kind, state, message)
                    SELECT id, printer, completed_at, ?, ?, ? FROM jobs
                    """, arguments: [kind, state, message])
        }
    }
}
