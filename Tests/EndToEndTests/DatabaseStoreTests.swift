import Foundation
import PrintTestSupport
import Testing

/// Tests of a printd whose queue is in a PostgreSQL database.
@Suite(.serialized, .timeLimit(.minutes(TestRun.isLong ? 20 : 3)))
struct DatabaseStoreTests {
    private let server: PrivatePostgres
    private let uri: String

    init() throws {
        server = try PrivatePostgres()
        let database = try server.makeDatabase()
        uri = "postgresql:///\(database)?host=\(server.socketFolder)&port=\(server.port)&user=postgres"
    }

    @Test func `jobs with small and large documents are printed, and survive 'kill -9' of printd`() async throws {
        let spooler = try TestSpooler()
        try spooler.start("--store", uri)
        let small = try spooler.file("small.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", small))
        expect(try await spooler.printq("submit", "--hold", spooler.file("large.pdf", spooler.largePDF())))
        #expect(try server.query("SELECT count(*) FROM chunks", database: database) == "2")
        #expect(!FileManager.default.fileExists(atPath: "\(spooler.spool)/spool.sqlite"))
        spooler.stop(SIGKILL)
        // The documents are only in the database.
        try FileManager.default.removeItem(atPath: "\(spooler.spool)/copies")
        try spooler.start("--store", uri)
        expect(try await spooler.printq("release", "2"))
        expect(try await spooler.printq("watch", "2"))
        let shown = try await spooler.printq("queue", "--all")
        #expect(shown.output.split(separator: "\n").filter { $0.contains("completed") }.count == 2, "\(shown.output)")
    }

    @Test
    func `two hosts show one queue, and after one host is killed, the other host prints the jobs of both printers`()
        async throws
    {
        let printers = [try NetworkPrinter("--speed", "instant"), try NetworkPrinter("--speed", "instant")]
        let (first, second) = (try TestSpooler(), try TestSpooler())
        try first.start("--store", uri, "--host-name", "first")
        try second.start("--store", uri, "--host-name", "second")
        expect(try await first.printq("printers", "add", "one", printers[0].uri))
        expect(try await second.printq("printers", "add", "two", printers[1].uri))
        let path = try first.file("a.pdf", .numbered(pages: 1))
        for spooler in [first, second] {
            for printer in ["one", "two"] {
                expect(try await spooler.printq("submit", "-d", printer, "--wait", path))
            }
        }
        #expect(try await first.printq("queue", "--all").output == second.printq("queue", "--all").output)
        let held = try await first.printq("submit", "-d", "one", "--hold", path)
        #expect(held.jobID == 5)
        first.stop(SIGKILL)
        expect(try await second.printq("release", "5"))
        for printer in ["one", "two"] {
            expect(try await second.printq("submit", "-d", printer, path))
        }
        // The leases of the killed host end after 10 seconds.
        expect(try await second.printq("watch", "5", "6", "7"))
        #expect(try printers.map { try $0.log.count } == [4, 3])
    }

    @Test func `a second printd with the same host name does not start`() async throws {
        let (first, second) = (try TestSpooler(), try TestSpooler())
        try first.start("--store", uri)
        let run = try await second.run(
            second.program("printd"), ["--spool", second.spool, "--no-tcp", "--store", uri])
        #expect(run.code == 75, "\(run)")
        #expect(run.complaints.contains("another printd with the host name"), "\(run)")
    }

    @Test func `a service waits for its database at the start, and is not restarted when the database fails`()
        async throws
    {
        try server.stop()
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start("--store", uri, watchdog: 2)
        let waiting = manager.notification(where: { $0.contains("STATUS=Waiting for the database: ") })
        #expect(waiting?.contains("READY") == false)
        try server.start()
        #expect(manager.notification("READY=1") != nil)
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", path))
        try server.stop()
        // A notification arrives each second.
        for _ in 0..<(TestRun.isLong ? 600 : 4) { #expect(manager.notification("WATCHDOG=1") != nil) }
        try server.start()
        try await spooler.eventually("the database accepts jobs again") {
            try await spooler.printq("submit", "--wait", path).code == 0
        }
    }

    @Test func `if the database refuses LISTEN, printd logs a warning, and 'printq doctor' warns`() async throws {
        let proxy = try TCPProxy(to: server.port) { direction, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard direction == .toServer, text.contains("LISTEN ") else { return .forward }
            return .replace(Array(text.replacing("LISTEN ", with: "LISTEM ").utf8))
        }
        let spooler = try TestSpooler()
        let manager = try ServiceManager(spooler)
        try manager.start("--store", server.uri(database: database, port: proxy.port), logsToJournal: true)
        #expect(manager.notification("READY=1") != nil)
        let words = "this host receives no notifications of the database"
        #expect(manager.journalEntry(words) != nil)
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains(words), "\(doctor.output)")
    }

    @Test func `three hosts that start together on an empty database all start`() async throws {
        let spoolers = try (0..<3).map { _ in try TestSpooler() }
        let managers = try spoolers.map { try ServiceManager($0) }
        for (number, manager) in managers.enumerated() {
            try manager.start("--store", uri, "--host-name", "host-\(number)")
        }
        for manager in managers { #expect(manager.notification("READY=1") != nil) }
        #expect(try server.query("SELECT count(*) FROM printers", database: database) == "7")
    }

    @Test func `a submission fails with a temporary error while PostgreSQL is stopped, and succeeds after the restart`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start("--store", uri)
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", path))
        server.kill()
        let refused = try await spooler.printq("submit", path)
        #expect(refused.code != 0 && refused.complaints.contains("database"), "\(refused)")
        try server.start()
        let accepted = try await spooler.printq("submit", "--wait", path)
        expect(accepted)
        let shown = try await spooler.printq("queue", "--all")
        #expect(shown.output.split(separator: "\n").filter { $0.contains("completed") }.count == 2, "\(shown.output)")
    }

    @Test(arguments: ["postgresql://user:secret@localhost/spool", "postgresql://localhost/spool?password=secret"])
    func `a PostgreSQL URI with a password is refused, and the error does not show the password`(uri: String)
        async throws
    {
        let spooler = try TestSpooler()
        let run = try await spooler.run(
            spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp", "--store", uri])
        #expect(run.code == 64 && run.complaints.contains("without a password"), "\(run)")
        #expect(!(run.output + run.complaints).contains("secret"))
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try "{ store: '\(uri)' }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        let configured = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        #expect(configured.code == 78 && configured.complaints.contains("without a password"), "\(configured)")
        #expect(!(configured.output + configured.complaints).contains("secret"))
    }

    @Test func `the error for an unreachable PostgreSQL server contains the server's address`() async throws {
        let spooler = try TestSpooler()
        server.kill()
        let run = try await spooler.run(
            spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp", "--store", uri])
        #expect(run.code == 75, "\(run)")
        #expect(run.complaints.contains("cannot use the database") && run.complaints.contains(server.socketFolder))
    }

    /// The name of the database in the URI.
    private var database: String { String(uri.dropFirst("postgresql:///".count).prefix { $0 != "?" }) }
}
