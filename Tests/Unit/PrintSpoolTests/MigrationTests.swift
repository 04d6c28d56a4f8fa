import Foundation
import GRDB
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool

/// The database that the sqlite3 shell reads; GRDB has another type with the name `Database`.
private typealias SpoolFile = PrintSpoolTests.Database

/// Tests of spools that an earlier version of printq has written.
///
/// The migrations of `later` exist only in these tests.
@Suite(.requiresSQLite("the test migrates SQLite databases"))
struct MigrationTests {
    let files = TestSpool()
    private var database: SpoolFile { SpoolFile(files) }

    /// A later schema, whose migrations add a column, replace the table of jobs, and change all documents.
    private static let later = SpoolSchema(
        migrations: SpoolSchema.current.migrations + [
            "ALTER TABLE accounting ADD COLUMN novelty TEXT NOT NULL DEFAULT 'none'", replaceJobs,
            "UPDATE documents SET content = CAST(upper(content) AS BLOB)",
        ])

    /// The statements that replace the table of jobs (sqlite.org/lang_altertable.html, section 7).
    private static let replaceJobs: String = {
        let statements = SpoolSchema.version1.components(separatedBy: "\n\n")
        let table = statements.first { $0.hasPrefix("CREATE TABLE jobs (") } ?? ""
        let indexes = statements.filter { $0.contains("INDEX jobs_") }
        return """
            \(table.replacing("CREATE TABLE jobs (", with: "CREATE TABLE new_jobs ("))
            INSERT INTO new_jobs SELECT * FROM jobs;
            DELETE FROM sqlite_sequence WHERE name = 'new_jobs';
            INSERT INTO sqlite_sequence (name, seq) SELECT 'new_jobs', seq FROM sqlite_sequence WHERE name = 'jobs';
            DROP TABLE jobs;
            ALTER TABLE new_jobs RENAME TO jobs;
            \(indexes.joined(separator: "\n"))
            """
    }()

    /// Opens the spool in a folder with a schema.
    private static func open(
        _ files: TestSpool, _ schema: SpoolSchema, migration: (MigrationProgress) -> Void = { _ in }
    ) throws -> Spool {
        try Spool(
            folder: files.folder, clock: { [clock = files.clock] in clock.now }, medium: .disk(schema: schema),
            migration: migration)
    }

    /// Creates a spool with the current schema and ended jobs, of which the last has been removed.
    private func fill(jobs: Int = 20, text: String = "hello") async throws {
        let spool = try await files.open()
        for number in 1...(jobs + 1) {
            try await spool.submit("job \(number)", submissionID: "once \(number)", text: text)
            try await spool.complete(number)
        }
        try spool.close()
        try #require(try database.shell("PRAGMA foreign_keys = ON; DELETE FROM jobs WHERE id = \(jobs + 1)") == "")
    }

    private static func statements(_ files: TestSpool) throws -> [[String]] {
        try SpoolFile(files).rows(
            "SELECT type, name, replace(sql, char(10), ' ') FROM sqlite_master ORDER BY type, name")
    }

    private static func schema(_ files: TestSpool) throws -> String {
        try SpoolFile(files).shell("PRAGMA user_version").trimmingCharacters(in: .newlines)
    }

    @Test func `a spool with an earlier schema is migrated and keeps its jobs and documents`() async throws {
        try await fill()
        let spool = try Self.open(files, Self.later)
        #expect(try await spool.jobs(JobFilter(.completed)).count == 20)
        let job = try #require(try await spool.job(7))
        #expect(job.name == "job 7" && job.state == .completed && job.owner == "ada")
        #expect(try await spool.keepsDocuments(of: 7))
        #expect(try await spool.submit("job 7", submissionID: "once 7").id == 7)
        #expect(try await spool.submit("new").id == 22, "no job number is used again")
        #expect(try await spool.schemaVersion() == "\(Self.later.number)")
        try spool.close()
        #expect(try Self.schema(files) == "\(Self.later.number)")
        #expect(
            try database.rows("SELECT schema, program FROM schema_changes")
                == [["\(SpoolSchema.current.number)", Release.version], ["\(Self.later.number)", Release.version]])
        #expect(try database.shell("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
        let fresh = TestSpool()
        try Self.open(fresh, Self.later).close()
        #expect(try Self.statements(files) == Self.statements(fresh))
        #expect(throws: SpoolError.self, "the earlier version refuses the spool") { _ = try Self.open(files, .current) }
    }

    @Test func `if a migration fails, nothing changes, and both versions can open the spool`() async throws {
        try await fill()
        let failing = SpoolSchema(migrations: Self.later.migrations + ["CREATE TABLE accounting (job_id INTEGER)"])
        let before = try Self.statements(files)
        let contents = try database.shell(".dump jobs documents")
        #expect(throws: SpoolError.self) { _ = try Self.open(files, failing) }
        #expect(try Self.statements(files) == before)
        #expect(try database.shell(".dump jobs documents") == contents)
        #expect(try Self.schema(files) == "\(SpoolSchema.current.number)")
        var spool = try Self.open(files, .current)
        #expect(try await spool.jobs(JobFilter(.completed)).count == 20)
        try spool.close()
        spool = try Self.open(files, Self.later)
        #expect(try await spool.jobs(JobFilter(.completed)).count == 20)
    }

    @Test func `if the process is killed during a migration, the spool keeps its old schema until the commit`()
        async throws
    {
        // The documents are larger than the cache of SQLite, so that uncommitted pages are written to the log.
        try await fill(jobs: 60, text: String(repeating: "abcdefgh", count: 7_000))
        let contents = try database.shell(".dump documents")
        var killed: [Int: TestSpool] = [:]
        let spool = try Self.open(files, Self.later) { step in killed[step.step ?? 0] = try? files.copyAsKilled() }
        try spool.close()
        let whole = SpoolSchema(migrations: Self.later.migrations + ["CREATE TABLE last (x)"])
        let (current, last) = (SpoolSchema.current.number, Self.later.number)
        let late = try #require(killed[last])
        let complete = try #require(killed[0])
        killed[0] = nil
        #expect(throws: SpoolError.self) { _ = try Self.open(complete, .current) }
        try Self.open(complete, Self.later).close()
        #expect(killed.keys.sorted() == Array(current + 1...last))
        for (step, copy) in killed {
            let old = try Self.open(copy, .current)
            #expect(try await old.jobs(JobFilter(.completed)).count == 60, "step \(step)")
            try old.close()
            #expect(try Self.schema(copy) == "\(SpoolSchema.current.number)")
            #expect(try SpoolFile(copy).shell(".dump documents") == contents)
            #expect(try SpoolFile(copy).shell("PRAGMA integrity_check") == "ok\n")
        }
        // Another process is killed after the last statement, before the commit.
        var end: TestSpool?
        let again = try Self.open(late, whole) { step in
            if step.step == whole.number { end = try? late.copyAsKilled() }
        }
        try again.close()
        let copy = try #require(end)
        let log = try Data(contentsOf: URL(fileURLWithPath: SpoolFile(copy).path + "-wal"))
        #expect(log.count > 1 << 20)
        let old = try Self.open(copy, .current)
        #expect(try await old.jobs(JobFilter(.completed)).count == 60)
        #expect(try SpoolFile(copy).shell(".dump documents") == contents)
    }

    @Test func `a migration without enough free space is refused, and the message contains the required space`()
        async throws
    {
        try await fill(jobs: 1)
        let path = database.path
        let migration = try await DatabaseQueue(path: path).read { try SchemaMigration(of: $0, to: Self.later) }
        #expect {
            try migration.checkSpace(for: path, free: 3 << 20)
        } throws: { error in
            (error as? SpoolError)?.code == .noSpace && "\(error)".contains("3 MiB are free")
        }
        try migration.checkSpace(for: path, free: 1 << 30)
        let none = try await DatabaseQueue(path: path).read { try SchemaMigration(of: $0) }
        #expect(!none.isNeeded)
        try none.checkSpace(for: path, free: 0)
    }

    @Test func `each step of a migration is reported, and a new spool has no migration`() async throws {
        var steps: [MigrationProgress] = []
        let new = TestSpool()
        try Self.open(new, Self.later) { steps.append($0) }.close()
        #expect(steps == [])
        try await fill()
        try Self.open(files, Self.later) { steps.append($0) }.close()
        let (current, last) = (SpoolSchema.current.number, Self.later.number)
        #expect(steps.map(\.step) == Array(current + 1...last) + [nil])
        #expect(steps.allSatisfy { $0.from == current && $0.to == last && $0.jobs == 20 })
    }

    @Test func `the file of a migration describes the current step, and is removed after the migration`() throws {
        let folder = try TemporaryFolder()
        let file = MigrationFile(spool: folder.path)
        #expect(!file.exists)
        var progress = MigrationProgress(from: 1, to: 4, jobs: 20, step: 2, seconds: 0)
        for step in [2, 3] {
            progress.step = step
            file.note(progress)
            #expect(file.exists)
            // `DaemonLauncherTests` has the same text.
            #expect(
                text(of: folder.path("migration.json"))
                    == #"{"from":1,"jobs":20,"process":\#(getpid()),"step":\#(step),"to":4}"# + "\n")
        }
        progress.step = nil
        file.note(progress)
        #expect(!file.exists)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
