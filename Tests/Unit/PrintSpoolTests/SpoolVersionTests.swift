import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of spools that another version of printq has written.
@Suite(.requiresSQLite("the test changes a SQLite database"))
struct SpoolVersionTests {
    let files = TestSpool()

    @Test func `a spool of a newer version is refused and not changed`() async throws {
        let spool = try await files.open()
        try await spool.submit("letter")
        try spool.close()
        let database = Database(files)
        let written = try database.shell(
            "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(written == "0|0|0\n")
        try FileManager.default.createDirectory(
            atPath: files.folder + "/jobs/job-000009", withIntermediateDirectories: false)
        let path = files.folder + "/spool.sqlite"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect {
            _ = try Spool(folder: files.folder)
        } throws: { error in
            (error as? SpoolError)?.code == .tooNew && "\(error)".contains("a newer version of printq")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(files.names(in: "jobs").contains("job-000009"), "no folder is removed")
    }

    /// Returns the content and the modification time of each file and folder.
    private func fingerprint() throws -> [String: String] {
        let names = FileManager.default.enumerator(atPath: files.folder)?.compactMap { $0 as? String } ?? []
        var result: [String: String] = [:]
        for name in names + ["."] {
            let path = files.folder + "/" + name
            var status = stat()
            #expect(lstat(path, &status) == 0)
            let content = try? Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
            result[name] = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_mode) \(content ?? "folder")"
        }
        return result
    }

    /// The statements with which a later version of printq changes the schema.
    static let later =
        "INSERT INTO schema_changes (schema, program, time) VALUES (99, '9.8.7', 0); "
        + "PRAGMA user_version = 99; CREATE TABLE later (x)"

    @Test(arguments: [true, false])
    func `the error for a spool of a newer version names the version, and no file of the spool changes`(wasKilled: Bool)
        async throws
    {
        let spool = try await files.open()
        try await spool.submit("letter")
        try spool.close()
        // A killed program leaves its last transactions in the write-ahead log.
        let option = wasKilled ? ["-cmd", ".dbconfig no_ckpt_on_close on"] : []
        let change = try ChildProgram(
            "sqlite3",
            ["-batch"] + option + [files.folder + "/spool.sqlite", Self.later + "; INSERT INTO later VALUES (1)"])
        #expect(try change.finish().code == 0)
        #expect(FileManager.default.fileExists(atPath: files.folder + "/spool.sqlite-wal") == wasKilled)
        let before = try fingerprint()
        #expect {
            _ = try Spool(folder: files.folder)
        } throws: { error in
            // A program names itself before it is killed, because it checkpoints the migration.
            (error as? SpoolError)?.code == .tooNew && "\(error)".contains(wasKilled ? "newer version" : "printq 9.8.7")
                && "\(error)".contains("Nothing was changed")
        }
        #expect(throws: SpoolError.self) { try Spool.checkVersion(ofSpoolIn: files.folder) }
        #expect(try fingerprint() == before)
    }

    /// The tables of builds before printq 1.0.0, without their columns.
    static let early =
        "PRAGMA journal_mode = WAL; CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY); "
        + "INSERT INTO grdb_migrations VALUES ('1'); CREATE TABLE jobs (id INTEGER PRIMARY KEY)"

    @Test(arguments: [0, 1, 13], [true, false])
    func `a spool of a build before printq 1.0.0 is refused, and no file of the spool changes`(
        schema: Int, wasKilled: Bool
    ) throws {
        try FileManager.default.createDirectory(atPath: files.folder + "/jobs/1", withIntermediateDirectories: true)
        let option = wasKilled ? ["-cmd", ".dbconfig no_ckpt_on_close on"] : []
        // The first builds did not store the number of the schema. Their tables are visible only without a log.
        let tables = wasKilled && schema == 0 ? "\(Self.early); PRAGMA wal_checkpoint(TRUNCATE)" : Self.early
        let program = try ChildProgram(
            "sqlite3",
            ["-batch"] + option + [files.folder + "/spool.sqlite", "\(tables); PRAGMA user_version = \(schema)"])
        #expect(try program.finish().code == 0)
        let before = try fingerprint()
        let error = #expect(throws: SpoolError.self) { _ = try Spool(folder: files.folder) }
        #expect(error?.code == .tooOld)
        #expect(
            error?.message
                == "a build before printq 1.0.0 has written the spool '\(files.folder)/spool.sqlite', which "
                + "printq \(Release.version) cannot use; move the files 'spool.sqlite*' and the folder 'jobs' to "
                + "another folder, and start printd again. Nothing was changed")
        #expect(throws: SpoolError.self) { try Spool.checkVersion(ofSpoolIn: files.folder) }
        #expect(try fingerprint() == before)
    }

    @Test func `if the first start was killed before it created the tables, the next start creates the tables`()
        async throws
    {
        try FileManager.default.createDirectory(atPath: files.folder, withIntermediateDirectories: true)
        #expect(try Database(files).shell("PRAGMA journal_mode = WAL") == "wal\n")
        #expect(try await files.open().submit().id == 1)
    }

    @Test func `a newer schema version is ignored if a killed program did not commit the version`() async throws {
        let spool = try await files.open()
        try await spool.submit("letter")
        try spool.close()
        let path = files.folder + "/spool.sqlite"
        // A small cache forces uncommitted pages into the write-ahead log.
        let program = try ChildProgram(
            "sqlite3", ["-batch", "-cmd", "PRAGMA cache_size = 1", "-cmd", "PRAGMA cache_spill = 1", path])
        try program.write(
            "BEGIN; \(Self.later); CREATE TABLE bulk (x); INSERT INTO bulk WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL "
                + "SELECT i + 1 FROM n WHERE i < 2000) SELECT randomblob(1000) FROM n; SELECT 'written';\n")
        var lines: [String] = []
        while lines.last != "written", let line = program.readLine() { lines.append(line) }
        #expect(lines.last == "written", "\(lines)")
        let killed = try files.copyAsKilled()
        let log = try Data(contentsOf: URL(fileURLWithPath: killed.folder + "/spool.sqlite-wal"))
        #expect(log.count > 1 << 20)
        let again = try await killed.open()
        #expect(try await again.jobs().map(\.name) == ["letter"])
        _ = try program.finish()
    }

    /// Stored options that this version does not fully support.
    static let unknown = [
        #"{"copies":"many"}"#, #"{"duplex":"three-sided"}"#, #"{"copies":2,"stapling":"left"}"#,
    ]

    @Test(arguments: unknown) func `a job with unsupported options is held, and its stored options do not change`(
        ticket: String
    ) async throws {
        let spool = try await files.open()
        try await spool.submit("newer", priority: 60)
        try await spool.submit("plain")
        func stored() throws -> String {
            try Database(files).shell("SELECT ticket FROM jobs WHERE id = 1").trimmingCharacters(in: .newlines)
        }
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '\(ticket)' WHERE id = 1").isEmpty)
        #expect(try await spool.jobs().map(\.id) == [1, 2])
        #expect(try stored() == ticket, "reading does not change the stored options")
        #expect(try await spool.claimAll(from: ["laser"]) == ["plain"])
        let held = try #require(try await spool.job(1))
        #expect(held.state == .pendingHeld)
        #expect(held.message.contains("does not support") && held.message.contains("printq release 1"))
        #expect(try stored() == ticket)
        // A job released by a version without support for its options is held again.
        try await spool.change(1, .releaseRequested)
        #expect(try stored() == ticket)
        #expect(try await spool.claimAll(from: ["laser"]).isEmpty)
        #expect(try await spool.job(1)?.state == .pendingHeld)
        #expect(await code { try await spool.update(1, ticket: JobTicket()) } == .notPossible)
        try await spool.update(1, priority: 70)
        try await spool.change(1, .cancelRequested(byOperator: false))
        #expect(try stored() == ticket)
    }

    @Test
    func `if a job is held because of unsupported options, a version that supports the options can print the job`()
        async throws
    {
        let spool = try await files.open()
        try await spool.submit("newer")
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '{\"copies\":\"many\"}'").isEmpty)
        #expect(try await spool.claimAll(from: ["laser"]).isEmpty)
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '{\"copies\":4}'").isEmpty)
        try await spool.change(1, .releaseRequested)
        #expect(try await spool.claimAll(from: ["laser"]) == ["newer"])
        let job = try #require(try await spool.job(1))
        #expect(job.ticket.copies == 4)
        #expect(job.reasons == [] || !job.reasons.map(\.rawValue).contains("unsupported-attributes-or-values"))
    }
}
