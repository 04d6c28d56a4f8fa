import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of `printq migrate` with the real programs and a PostgreSQL server.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct QueueMigrationTests {
    private let server: PrivatePostgres
    private let database: String
    private let uri: String
    private let spooler: TestSpooler

    init() throws {
        server = try PrivatePostgres()
        database = try server.makeDatabase()
        uri = "postgresql:///\(database)?host=\(server.socketFolder)&port=\(server.port)&user=postgres"
        spooler = try TestSpooler()
    }

    private func query(_ sql: String) throws -> String { try server.query(sql, database: database) }

    /// Returns the list of all jobs, without the ages of the jobs.
    private func queue() async throws -> [QueuedJob] { try await spooler.jobs("--all") }

    private func states() async throws -> [Int: String] {
        Dictionary(uniqueKeysWithValues: try await queue().map { ($0.id, $0.state) })
    }

    // MARK: - A queue with jobs in all states

    /// Submits jobs 1 to 6, and stops printd: completed, canceled, aborted, held, waiting, in progress.
    private func fill(_ printer: NetworkPrinter) async throws {
        try spooler.start()
        let small = try spooler.file("small.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", small))
        expect(try await spooler.printq("submit", "--hold", small))
        expect(try await spooler.printq("cancel", "2"))
        _ = try await spooler.printq("submit", "--wait", spooler.file("broken.pdf", Array("%PDF-1.4 broken".utf8)))
        expect(try await spooler.printq("submit", "--hold", spooler.file("large.pdf", spooler.largePDF())))
        expect(try await spooler.printq("printers", "pause", "photo"))
        expect(try await spooler.printq("submit", "-d", "photo", small))
        expect(try await spooler.printq("printers", "add", "office", printer.uri))
        expect(try await printer.control("fault", "media-empty at page 2"))
        expect(try await spooler.printq("submit", "-d", "office", spooler.file("three.pdf", .numbered(pages: 3))))
        try await spooler.eventually("the printer is out of paper") {
            try await spooler.job(6).state == "processing-stopped"
        }
        spooler.stop()
    }

    /// The query for the highest number of an event.
    private static let lastEvent = "SELECT GREATEST(last, (SELECT max(sequence) FROM events)) FROM event_log"

    private static let statesBefore = [
        1: "completed", 2: "canceled", 3: "aborted", 4: "pending-held", 5: "pending", 6: "processing-stopped",
    ]

    @Test func `a queue is copied to PostgreSQL and back to SQLite without losing jobs, history or events`()
        async throws
    {
        let printer = try NetworkPrinter("--speed", "instant")
        try await fill(printer)
        let moved = try await spooler.printq("migrate", "--to", uri)
        expect(moved)
        #expect(moved.output.contains("jobs: 6 (3 not ended)") && moved.output.contains("1 job is in progress"))
        #expect(moved.output.contains("run \"printq config set store '\(uri)'\", and start printd"), "\(moved.output)")
        expect(try await spooler.printq("config", "set", "store", uri))
        try spooler.start()
        #expect(try await states() == Self.statesBefore)
        let number = try #require(Int(query(Self.lastEvent)))
        expect(try await printer.control("clear", "media-empty"))
        expect(try await spooler.printq("release", "4"))
        expect(try await spooler.printq("printers", "resume", "photo"))
        expect(try await spooler.printq("watch", "4", "5", "6"))
        #expect(try printer.log.map(\.state) == ["completed"], "the job in progress was not printed twice")
        expect(try await spooler.printq("reprint", "4", "--wait"))
        #expect(try #require(Int(query(Self.lastEvent))) > number)
        spooler.stop()
        try await moveBack()
    }

    /// Copies the queue back to SQLite, and checks that the history is complete and that new jobs are printed.
    private func moveBack() async throws {
        let refused = try await spooler.printq("migrate", "--to", "sqlite")
        expect(refused, code: 64)
        #expect(refused.complaints.contains("use --force"), "\(refused)")
        let back = try await spooler.printq("migrate", "--to", "sqlite", "--force", "--json")
        expect(back)
        let result = try #require(try JSONSerialization.jsonObject(with: Data(back.output.utf8)) as? [String: Any])
        #expect((result["rows"] as? [String: Int])?["jobs"] == 7 && result["unfinished-jobs"] as? Int == 0)
        #expect(result["next-command"] as? String == "printq config set store null")
        expect(try await spooler.printq("config", "set", "store", "null"))
        let number = try #require(Int(query(Self.lastEvent)))
        try spooler.start()
        let ended = Self.statesBefore.merging([4: "completed", 5: "completed", 6: "completed", 7: "completed"]) { $1 }
        #expect(try await states() == ended)
        expect(try await spooler.printq("reprint", "4", "--wait"))
        #expect(try await states()[8] == "completed")
        let watcher = try await spooler.printq("watch", "8", "--after", "\(number)", "--json")
        let first = try #require(watcher.lines.first?.firstMatch(of: /"printq-event-number": ?(\d+)/)?.1)
        #expect(Int(first).map { $0 > number } == true, "\(watcher)")
    }

    // MARK: - Refusals

    @Test func `'migrate' fails if printd runs, the target is not empty or the server is unreachable`() async throws {
        try spooler.start()
        let running = try await spooler.printq("migrate", "--to", uri)
        expect(running, code: 75)
        #expect(running.complaints.contains("printd is running with the spool"), "\(running)")
        spooler.stop()
        let unknown = try await spooler.printq("migrate", "--to", "sqlite")
        expect(unknown, code: 64)
        #expect(unknown.complaints.contains("--from"), "\(unknown)")
        expect(try await spooler.printq("migrate", "--to", uri))
        let full = try await spooler.printq("migrate", "--to", uri)
        expect(full, code: 64)
        #expect(full.complaints.contains("is not empty"), "\(full)")
        server.kill()
        expect(try await spooler.printq("migrate", "--to", uri), code: 75)
    }

    @Test(arguments: [
        ["--to", "postgresql://user:secret@localhost/x"], ["--to", "postgresql://localhost/x?password=secret"],
        ["--to", "sqlite", "--from", "postgresql://user:secret@localhost/x"], ["--to", "mysql://secret"],
    ])
    func `a URI with a password is refused, and no output shows the password`(options: [String]) async throws {
        for program in ["printq", "printd"] {
            let words =
                program == "printq" ? ["migrate"] + options : options.map { $0.replacing("--", with: "--migrate-") }
            let run = try await spooler.run(spooler.program(program), words + ["--spool", spooler.spool])
            #expect(run.code != 0 && !(run.output + run.complaints).contains("secret"), "\(run)")
        }
    }

    // MARK: - Crashes

    /// Fills the spool with 24 large documents of 8 MiB each, and with small ones.
    private func fillWithLargeDocuments() async throws {
        let spool = try Spool(folder: spooler.spool)
        try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "ipp://localhost/laser"))
        var part = [UInt8](repeating: 0, count: 1 << 20)
        var state = UInt64(1)
        for number in 1...48 {
            let document = spool.makeIncoming()
            for index in part.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                part[index] = UInt8(truncatingIfNeeded: state >> 56)
                if number % 2 == 0, index > 100 { break }
            }
            for _ in 1...(number % 2 == 0 ? 1 : 8) { try document.write(number % 2 == 0 ? Array(part[..<100]) : part) }
            let submission = Submission(printer: "laser", owner: "ada", name: "job \(number)")
            try await spool.submit(submission, documents: [(document, name: nil, format: .pdf)])
        }
        try spool.close()
    }

    /// Returns the SHA-256 sums of the database and of the documents of a spool.
    private func sums(_ folder: String) async throws -> String {
        let run = try await spooler.run(
            "/bin/sh", ["-c", "cd \(folder) && find spool.sqlite jobs -type f | sort | xargs sha256sum"])
        expect(run)
        return run.output
    }

    private func start(_ options: String...) throws -> DetachedProcess {
        try DetachedProcess(
            program: spooler.program("printq"), arguments: ["migrate"] + options,
            log: spooler.folder.path("migrate.err"))
    }

    private func end(_ process: DetachedProcess) {
        kill(process.pid, SIGKILL)
        #expect(process.waitForEnd() == -SIGKILL)
        _ = process.readLine(deadline: 0)
    }

    private func rows() throws -> String {
        try query(
            """
            SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks),
                (SELECT count(*) FROM events)
            """)
    }

    @Test func `if a copy to PostgreSQL is killed, both stores are unchanged, and the next copy succeeds`() async throws
    {
        try await fillWithLargeDocuments()
        let before = try await sums(spooler.spool)
        for megabytes in [1, 60, 150] {
            let process = try start("--spool", spooler.spool, "--to", uri)
            // Uncommitted rows are visible only as the size of the table.
            try await eventually("the copy has stored \(megabytes) MB", every: .milliseconds(5)) {
                let size = try? query("SELECT COALESCE(pg_total_relation_size(to_regclass('chunks')), 0)")
                return Int(size ?? "").map { $0 >= megabytes * 1_000_000 } == true
            }
            end(process)
            #expect(try rows() == "0|0|0|0")
            #expect(try await sums(spooler.spool) == before)
            try server.query("VACUUM chunks", database: database)
        }
        expect(try await spooler.printq("migrate", "--to", uri))
        #expect(try rows() == "48|48|192|49")
        #expect(try await sums(spooler.spool) == before)
    }

    @Test func `if a copy to SQLite is killed, the folder has no database, and the next copy succeeds`() async throws {
        try await fillWithLargeDocuments()
        expect(try await spooler.printq("migrate", "--to", uri))
        let target = spooler.folder.path("target")
        for jobs in [1, 20] {
            let process = try start("--spool", target, "--to", "sqlite", "--from", uri)
            try await eventually("the copy has stored \(jobs) documents", every: .milliseconds(5)) {
                let names = try? FileManager.default.contentsOfDirectory(atPath: "\(target)/migrating/jobs")
                return (names?.count ?? 0) >= jobs
            }
            end(process)
            #expect(!FileManager.default.fileExists(atPath: "\(target)/spool.sqlite"))
            #expect(try rows() == "48|48|192|49")
        }
        expect(try await spooler.printq("migrate", "--spool", target, "--to", "sqlite", "--from", uri))
        #expect(!FileManager.default.fileExists(atPath: "\(target)/migrating"))
        let documents = try await documentSums(target)
        #expect(try await documents == documentSums(spooler.spool) && documents.count == 24)
    }

    /// Returns the SHA-256 sums of the documents of a spool, in the order of the jobs.
    private func documentSums(_ folder: String) async throws -> [String] {
        try await spooler.run("/bin/sh", ["-c", "cd \(folder) && sha256sum jobs/*/* | cut -c1-64"]).lines
    }
}
