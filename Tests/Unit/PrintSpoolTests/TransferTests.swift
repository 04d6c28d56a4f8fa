import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintSpool

/// Tests of the copy of a queue between SQLite and PostgreSQL.
///
/// The tests run one after another, because the server limits the number of connections.
@Suite(
    .serialized, .disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"),
    .timeLimit(.minutes(3)))
struct TransferTests {
    private let site: TransferSite
    private let folder: TemporaryFolder

    init() throws {
        site = try TransferSite()
        folder = try TemporaryFolder()
    }

    private func content(of spool: Spool) async throws -> SpoolContent {
        let content = try await SpoolContent(spool)
        try spool.close()
        return content
    }

    /// Returns all rows of the SQLite database in a folder, as SQL.
    private func dump(_ folder: String) throws -> String {
        let tables = StoredTable.all.map(\.name) + ["identity", "sqlite_sequence"]
        let statements =
            tables.map { "SELECT '\($0)'; SELECT * FROM \($0) ORDER BY 1, 2;" } + [
                "SELECT purged_through FROM event_log;"
            ]
        return try ChildProgram(
            "sqlite3", ["-batch", "-cmd", ".mode quote", folder + "/spool.sqlite", statements.joined()]
        ).finish().output
    }

    // MARK: - Complete copies

    @Test func `the whole content of a spool is the same after a copy to PostgreSQL`() async throws {
        try await site.fill()
        let before = try dump(site.files.folder)
        let result = try site.copyToDatabase()
        #expect(try dump(site.files.folder) == before)
        let tables = [
            "printers", "jobs", "documents", "document_passwords", "job_passwords", "events", "accounting", "tokens",
            "users", "quotas", "quota_credits",
        ]
        #expect(result.rows.map(\.table) == tables)
        #expect(
            result.rows.allSatisfy { row in
                row.count >= 3 || row == ("document_passwords", 1) || row == ("job_passwords", 1)
                    || row == ("tokens", 2)
                    || row == ("users", 2) || row == ("quotas", 2) || row == ("quota_credits", 2)
            }, "\(result)")
        #expect(result.unfinishedJobs == 5 && result.jobsInProgress == 1)
        #expect(result.rowsLeftOut == 0 && result.repairedJobs.isEmpty && result.jobsWithMissingDocuments.isEmpty)
        let source = try await content(of: site.openFolder())
        #expect(Set(source.jobs.map(\.state)).count == 6 && source.purgedEvent > 0)
        #expect(source.documents.values.contains([TransferSite.largeContent, [UInt8](repeating: 65, count: 70_000)]))
        #expect(try await content(of: site.openDatabase(folder)) == source)
    }

    @Test func `tokens, users and credits can be added after a copy to PostgreSQL`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let spool = try site.openDatabase(folder)
        _ = try await spool.createToken(named: "new", user: "eve", scope: .look, lifetime: nil)
        try await spool.addUser(named: "new", scope: .submit, passwordHash: "$y$new")
        try await spool.changeQuotas(.topUp(user: "new", pages: 1, sheets: 0))
    }

    @Test func `a copy to PostgreSQL and back has the same rows in SQLite`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let result = try site.copy(to: folder.path("back"))
        #expect(result.earlierQueue == nil)
        #expect(try dump(folder.path("back")) == dump(site.files.folder))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("back")).sorted()
        #expect(names == ["jobs", "lock", "spool.sqlite"])
        let back = try await content(of: site.openFolder(folder.path("back")))
        #expect(try await content(of: site.openFolder()) == back)
    }

    @Test func `after a copy in either direction, new jobs and events have higher numbers than all earlier ones`()
        async throws
    {
        try await site.fill()
        let lastJob = try #require(Spool.lastJob(ofSpoolIn: site.files.folder))
        _ = try site.copyToDatabase()
        let database = try site.openDatabase(folder)
        let lastEvent = try await database.latestEventSequence()
        #expect(try await database.submit("new").id == lastJob + 1)
        #expect(try await database.events(after: lastEvent).map(\.sequence).first == lastEvent + 1)
        try database.close()
        _ = try site.copy(to: folder.path("back"))
        let back = try site.openFolder(folder.path("back"))
        let last = try await back.latestEventSequence()
        #expect(try await back.submit("newer").id == lastJob + 2)
        #expect(try await back.events(after: last).map(\.sequence).first == last + 1)
    }

    @Test func `after a copy to PostgreSQL, the SQLite spool opens again only after a copy back`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let folder = site.files.folder
        #expect(Spool.wasCopiedToDatabase(folder))
        do {
            _ = try Spool(folder: folder)
            Issue.record("the copied queue was opened")
        } catch {
            #expect(error.code == .notPossible)
            #expect(error.message.contains("dbname=\(site.database)") && error.message.contains("copied-to"))
        }
        _ = try site.copy(to: folder, replaces: true)
        #expect(!Spool.wasCopiedToDatabase(folder))
        try Spool(folder: folder).close()
    }

    @Test func `an empty queue can be copied in both directions`() async throws {
        try site.openFolder().close()
        _ = try site.copyToDatabase()
        _ = try site.copy(to: folder.path("back"))
        #expect(try dump(folder.path("back")) == dump(site.files.folder))
        let spool = try site.openDatabase(folder)
        try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "ipp://localhost/laser"))
        #expect(try await spool.submit("first").id == 1)
    }

    @Test func `event numbers skip a range if the machine was restarted before the copy`() async throws {
        try await site.fill()
        let spool = try site.openFolder()
        let last = try await spool.latestEventSequence()
        try spool.close()
        try site.damage("UPDATE event_log SET boot = 'earlier'")
        _ = try site.copyToDatabase()
        #expect(try site.query("SELECT last FROM event_log") == "\(last + EventNumbers.jump)")
        // The server has not been restarted since a host has used the database.
        let database = try site.openDatabase(folder)
        #expect(try await database.latestEventSequence() == last + EventNumbers.jump)
        try database.close()
        try site.query("UPDATE event_log SET server = 'earlier'")
        _ = try site.copy(to: folder.path("back"))
        let back = try site.openFolder(folder.path("back"))
        #expect(try await back.latestEventSequence() == last + 2 * EventNumbers.jump)
    }

    @Test(arguments: StoredTable.all.map(\.name))
    func `a copy includes all columns of both databases`(table: String) async throws {
        try site.openFolder().close()
        _ = try site.copyToDatabase()
        let columns = try #require(StoredTable.all.first { $0.name == table }).columns
        let sqlite = try Database(site.files).rows("SELECT name FROM pragma_table_info('\(table)')").map { $0[0] }
        let postgres = try site.query(
            "SELECT attname FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0"
        ).split(separator: "\n").map(String.init)
        let names = Set(columns.map { $0 == "reference" ? "file" : $0 })
        #expect(Set(sqlite) == names)
        // Leases belong to running hosts.
        let expected = Set(columns.map { $0 == "reference" ? "content_id" : $0 })
        #expect(Set(postgres).subtracting(["lease_epoch", "lease_incarnation"]) == expected)
    }

    // MARK: - Documents

    @Test func `documents with a shared content still share the content after a copy`() async throws {
        let spool = try await site.files.open()
        let first = try await site.submitLarge(to: spool).id
        try await spool.complete(first)
        let second = try await spool.resubmit(first, as: Submission(printer: "laser", owner: "bob", name: "b")).id
        try spool.close()
        let result = try site.copyToDatabase()
        #expect(result.documentBytes == TransferSite.largeContent.count + 70_000)
        #expect(try site.query("SELECT count(*) FROM large_contents") == "2")
        #expect(try site.query("SELECT count(DISTINCT content_id), count(*) FROM documents") == "2|4")
        #expect(try site.copy(to: folder.path("back")).documentBytes == result.documentBytes)
        for job in [first, second] {
            var status = stat()
            #expect(stat(folder.path("back/jobs/\(job)/document-1.pdf"), &status) == 0 && status.st_nlink == 2)
        }
    }

    @Test func `a missing file is reported, and the other documents of the job are copied`() async throws {
        let spool = try await site.files.open()
        let id = try await site.submitLarge(to: spool).id
        try spool.close()
        try FileManager.default.removeItem(atPath: site.files.folder + "/jobs/\(id)/document-1.pdf")
        let result = try site.copyToDatabase()
        #expect(result.jobsWithMissingDocuments == [id] && result.documentBytes == 70_000)
        let rows = try site.query("SELECT number, content_id IS NULL FROM documents ORDER BY number")
        #expect(rows == "1|t\n2|f")
        try site.query("DELETE FROM chunks")
        #expect(try site.copy(to: folder.path("back")).jobsWithMissingDocuments == [id])
    }

    // MARK: - Damaged and unusual rows

    @Test(arguments: DamagedRowTests.damages)
    func `a job with a damaged row is aborted, and the other jobs are copied`(damage: String) async throws {
        let spool = try await site.files.open()
        for name in ["damaged", "sound"] { try await spool.submit(name) }
        try spool.close()
        try site.damage("UPDATE jobs SET \(damage) WHERE id = 1")
        _ = try site.copyToDatabase()
        let database = try site.openDatabase(folder)
        let job = try #require(try await database.job(1))
        #expect(job.state == .aborted && job.message == Job.damagedMessage && job.owner == "ada")
        #expect(try await database.job(2)?.state == .pending)
        #expect(try await database.events(after: 0, jobID: 1).isEmpty == false)
    }

    @Test func `a completed job with a damaged row stays completed, without the advice to submit the job again`()
        async throws
    {
        let spool = try await site.files.open()
        try await spool.submit("done")
        try await spool.complete(1)
        try spool.close()
        try site.damage("UPDATE jobs SET reasons = '[7]' WHERE id = 1")
        _ = try site.copyToDatabase()
        let job = try #require(try await site.openDatabase(folder).job(1))
        #expect(job.state == .completed && job.reasons == [.jobCompletedSuccessfully])
        #expect(job.message == "The stored record of this job was damaged after the job was completed")
    }

    @Test func `damaged events, documents and accounting entries are left out, and are counted`() async throws {
        let spool = try await site.files.open()
        for name in ["a", "b"] { try await spool.submit(name) }
        try await spool.complete(1)
        try spool.close()
        try site.damage(
            """
            UPDATE events SET time = 'noon' WHERE sequence = 2;
            UPDATE accounting SET copies = 'many';
            UPDATE documents SET content = 'text' WHERE job_id = 1;
            PRAGMA foreign_keys = OFF;
            INSERT INTO documents (job_id, number, format, bytes) VALUES (99, 1, 'text/plain', 0)
            """)
        let result = try site.copyToDatabase()
        #expect(result.rowsLeftOut == 3)
        #expect(try site.query("SELECT job_id, content IS NULL FROM documents ORDER BY 1") == "1|t\n2|f")
    }

    @Test func `if 'keepsDocuments' is false, the documents of a job with a damaged row are not copied`() async throws {
        let spool = try await site.files.open()
        var ticket = JobTicket()
        ticket.keepsDocuments = false
        try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "secret", ticket: ticket),
            documents: [(spool.document("secret"), name: "secret.txt", format: .text)])
        try spool.close()
        try site.damage("UPDATE jobs SET priority = 'high'")
        #expect(try site.copyToDatabase().repairedJobs == [1])
        #expect(try site.query("SELECT content IS NULL FROM documents") == "t")
    }

    @Test func `options of a newer version and long or unusual job names are copied unchanged`() async throws {
        let spool = try await site.files.open()
        try await spool.submit("new options")
        try spool.close()
        let name = "Ärger „x“ 'y' \\ 🖨 " + String(repeating: "z", count: 70_000)
        let ticket = #"{"copies":2,"later":{"a":[1,null]}}"#
        try site.damage(
            "UPDATE jobs SET ticket = '\(ticket)', name = '\(name.replacing("'", with: "''"))', owner = ''")
        _ = try site.copyToDatabase()
        #expect(try site.query("SELECT ticket FROM jobs") == ticket)
        #expect(try site.query("SELECT name FROM jobs") == name)
        _ = try site.copy(to: folder.path("back"))
        #expect(try dump(folder.path("back")) == dump(site.files.folder))
    }

    @Test func `the copy of a job name with a zero byte is the name that printd reads`() async throws {
        let spool = try await site.files.open()
        try await spool.submit("zero")
        try spool.close()
        try site.damage("UPDATE jobs SET name = 'before' || char(0) || 'after'")
        let source = try site.openFolder()
        let name = try await source.job(1)?.name
        try source.close()
        _ = try site.copyToDatabase()
        #expect(try site.query("SELECT name FROM jobs") == name)
    }

    @Test func `a printer with a damaged row is reported, and nothing is copied`() async throws {
        try await site.files.open().close()
        try site.damage("UPDATE printers SET options = 'none'")
        let error = #expect(throws: SpoolError.self) { try site.copyToDatabase() }
        #expect(error?.code == .corrupt && error?.message.contains("printer 'laser'") == true)
        #expect(try site.query("SELECT count(*) FROM printers") == "0")
    }

    // MARK: - Refusals

    @Test func `a queue that is in use is not copied`() async throws {
        let spool = try await site.files.open()
        #expect(await code { _ = try site.copyToDatabase() } == .locked)
        try spool.close()
        let host = try site.openDatabase(folder, host: "there")
        #expect(await code { _ = try site.copyToDatabase() } == .locked)
        #expect(await code { _ = try site.copy(to: folder.path("back")) } == .locked)
        try await host.endLeases()
        try host.close()
        _ = try site.copyToDatabase()
    }

    @Test func `while a copy is in progress, no host can start`() async throws {
        try await site.files.open().close()
        let target = try PostgresTransferTarget(site.address, host: "here")
        #expect(await code { _ = try site.openDatabase(folder, host: "there") } == .unavailable)
        #expect(await code { _ = try site.copyToDatabase() } == .locked)
        target.close()
        _ = try site.copyToDatabase()
    }

    @Test func `a copy to a target with jobs or printers is refused, and the target does not change`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let rows = try site.query("SELECT count(*), max(id) FROM jobs")
        #expect(await code { _ = try site.copyToDatabase() } == .notPossible)
        #expect(try site.query("SELECT count(*), max(id) FROM jobs") == rows)
        let before = try dump(site.files.folder)
        #expect(await code { _ = try site.copy(to: site.files.folder) } == .notPossible)
        #expect(try dump(site.files.folder) == before)
    }

    @Test func `with 'replaces', an existing SQLite database and its documents move to a subfolder`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let before = try dump(site.files.folder)
        // Job 2 and its reprint have large documents.
        let jobs = try FileManager.default.subpathsOfDirectory(atPath: site.files.folder + "/jobs").sorted()
        #expect(jobs.contains("2/document-1.pdf") && jobs.contains("3/document-2.pdf"), "\(jobs)")
        for number in 1...2 {
            let result = try site.copy(to: site.files.folder, replaces: true)
            let aside = site.files.folder + (number == 1 ? "/before-migration" : "/before-migration-2")
            #expect(result.earlierQueue == aside)
            #expect(try dump(aside) == before && dump(site.files.folder) == before)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: aside + "/jobs").sorted() == jobs)
        }
        #expect(!FileManager.default.fileExists(atPath: site.files.folder + "/migrating"))
    }

    @Test func `an unfinished copy in the target folder is replaced`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let target = try SQLiteTransferTarget(folder: folder.path, replaces: false)
        _ = try target.add(
            bytes: 3, for: DocumentPlace(jobID: 9, number: 1, format: "text/plain")
        ) { try $0([1, 2, 3]) }
        // A killed process does not call `close()`.
        withExtendedLifetime(target) {}
        #expect(FileManager.default.fileExists(atPath: folder.path("migrating/jobs/9/document-1.txt")))
        _ = try site.copy(to: folder.path)
        #expect(try dump(folder.path) == dump(site.files.folder))
        #expect(!FileManager.default.fileExists(atPath: folder.path("jobs/9")))
    }

    @Test func `a copy is refused if the source is missing, has no tables, or has an earlier schema version`()
        async throws
    {
        #expect(await code { _ = try site.copyToDatabase() } == .notPossible)
        #expect(await code { _ = try site.copy(to: folder.path("back")) } == .corrupt)
        try await site.files.open().close()
        try site.damage("PRAGMA user_version = 0")
        #expect(await code { _ = try site.copyToDatabase() } == .notPossible)
        try site.damage("PRAGMA application_id = 0")
        #expect(await code { _ = try site.copyToDatabase() } == .tooOld, "a build before printq 1.0.0 has no ID")
    }

    // MARK: - Continuing

    @Test func `after a copy, a host finds the jobs in progress, and local printers stay with the host`() async throws {
        try await site.fill()
        _ = try site.copyToDatabase()
        let spool = try site.openDatabase(folder, host: "here")
        try await spool.renewLeases()
        let jobs = try await spool.jobsToRescue()
        #expect(jobs.map(\.remote) == [RemoteJob(id: 77, uuid: "urn:uuid:remote")])
        #expect(try await spool.placements().map(\.hosts) == [[], [], ["here"]])
    }
}
