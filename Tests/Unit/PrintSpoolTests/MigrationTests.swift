import Foundation
import GRDB
import PrintModel
import Synchronization
import Testing

@testable import PrintSpool

/// The database that the sqlite3 shell reads; GRDB has another type with the name `Database`.
private typealias SpoolFile = PrintSpoolTests.Database

/// Tests of spools that an earlier version of printq has written.
@Suite(.requiresSQLite("the test migrates SQLite databases"))
struct MigrationTests {
    let files = TestSpool()
    private var database: SpoolFile { SpoolFile(files) }

    /// The numbers of all earlier schemas.
    static let earlier = SpoolSchema.statements(upTo: SpoolSchema.number - 1).compactMap { Int($0.identifier) }

    /// Creates a spool with an earlier schema, one printer and ended jobs.
    private func makeSpool(schema: Int, jobs: Int = 20) throws {
        try FileManager.default.createDirectory(atPath: files.folder, withIntermediateDirectories: true)
        let statements = SpoolSchema.statements(upTo: schema)
        let names = statements.map { "INSERT INTO grdb_migrations VALUES ('\($0.identifier)');" }
        let output = try database.shell(
            """
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            \(statements.map { $0.sql + ";" }.joined(separator: "\n"))
            \(names.joined())
            INSERT INTO printers (name, device_uri, info, is_default, is_paused, pause_message, is_accepting, error_policy)
            VALUES ('laser', 'printsim:laser', '', 1, 0, '', 1, 'retry-job');
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(jobs))
            INSERT INTO jobs (uuid, printer, owner, name, state, reasons, message, ticket, priority, attempts, created_at,
                completed_at, impressions_completed, sheets_completed)
            SELECT 'urn:uuid:' || n, 'laser', 'ada', 'job ' || n, 9, '[]', '', '{}', 50, 0, n, n, 1, 1 FROM numbers;
            INSERT INTO documents (job_id, number, format, bytes, content) SELECT id, 1, 'text/plain', 5, 'hello' FROM jobs;
            """)
        try #require(output == "", "\(output)")
    }

    private func statements() throws -> [[String]] {
        try database.rows("SELECT type, name, replace(sql, char(10), ' ') FROM sqlite_master ORDER BY type, name")
    }

    @Test(arguments: earlier) func `a spool with an earlier schema is migrated and keeps its jobs and documents`(
        schema: Int
    ) async throws {
        try makeSpool(schema: schema)
        let spool = try await files.open()
        #expect(try await spool.jobs(JobFilter(.completed)).count == 20)
        let job = try #require(try await spool.job(7))
        #expect(job.name == "job 7" && job.state == .completed && job.owner == "ada")
        #expect(try await spool.keepsDocuments(of: 7))
        let new = try await spool.submit("new")
        #expect(new.id == 21)
        try spool.close()
        #expect(try database.shell("PRAGMA user_version") == "\(SpoolSchema.number)\n")
        #expect(
            try database.rows("SELECT schema, program FROM schema_changes")
                == [["\(SpoolSchema.number)", Release.version]])
        #expect(try database.shell("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
        let migrated = try statements()
        let fresh = TestSpool()
        _ = try await fresh.open().close()
        #expect(
            try migrated
                == SpoolFile(fresh).rows(
                    "SELECT type, name, replace(sql, char(10), ' ') FROM sqlite_master ORDER BY type, name"))
    }

    @Test func `if a migration fails, nothing changes, and the next start completes the migration`() async throws {
        try makeSpool(schema: 3)
        // Schema 9 cannot be created because its table exists.
        #expect(try database.shell("CREATE TABLE accounting (job_id INTEGER)") == "")
        let before = try statements()
        let contents = try database.shell(".dump jobs")
        #expect(throws: SpoolError.self) { _ = try Spool(folder: files.folder) }
        #expect(try statements() == before)
        #expect(try database.shell(".dump jobs") == contents)
        #expect(try database.shell("PRAGMA user_version") == "0\n")
        #expect(try database.shell("DROP TABLE accounting") == "")
        let spool = try await files.open()
        #expect(try await spool.jobs(JobFilter(.completed)).count == 20)
    }

    @Test func `a migration without enough free space is refused, and the message contains the required space`() throws
    {
        try makeSpool(schema: 1)
        let migration = try DatabaseQueue(path: database.path).read { try SchemaMigration(of: $0) }
        let path = database.path
        #expect {
            try migration.checkSpace(for: path, free: 3 << 20)
        } throws: { error in
            (error as? SpoolError)?.code == .noSpace && "\(error)".contains("3 MiB are free")
        }
        try migration.checkSpace(for: path, free: 1 << 30)
        let current = TestSpool()
        try Spool(folder: current.folder).close()
        let none = try DatabaseQueue(path: SpoolFile(current).path).read { try SchemaMigration(of: $0) }
        #expect(none.pending.isEmpty)
        try none.checkSpace(for: SpoolFile(current).path, free: 0)
    }

    @Test func `each step of a migration is reported, and a new spool has no migration`() async throws {
        let steps = Mutex<[MigrationProgress]>([])
        let report: @Sendable (MigrationProgress) -> Void = { step in steps.withLock { $0.append(step) } }
        try Spool(folder: files.folder, migration: report).close()
        #expect(steps.withLock { $0 } == [])
        try FileManager.default.removeItem(atPath: files.folder)
        try makeSpool(schema: 9)
        try Spool(folder: files.folder, migration: report).close()
        let seen = steps.withLock { $0 }
        #expect(seen.map(\.step) == [10, 11, 12, 13, nil])
        #expect(seen.allSatisfy { $0.from == 9 && $0.to == SpoolSchema.number && $0.jobs == 20 })
    }
}
