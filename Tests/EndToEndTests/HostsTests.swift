import Foundation
import PrintTestSupport
import Testing

/// Tests of several hosts that share a queue in a PostgreSQL database.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostsTests {
    private let server: PrivatePostgres
    private let database: String
    private let (first, second): (TestSpooler, TestSpooler)

    init() throws {
        server = try PrivatePostgres()
        database = try server.makeDatabase()
        (first, second) = (try TestSpooler(), try TestSpooler())
        for (spooler, name) in [(first, "first"), (second, "second")] {
            try spooler.start("--store", uri, "--host-name", name)
        }
    }

    private var uri: String {
        "postgresql:///\(database)?host=\(server.socketFolder)&port=\(server.port)&user=postgres"
    }

    /// The output of `printq hosts --json`.
    private struct Listed: Decodable {
        struct Host: Decodable {
            var name: String
            var state: String

            enum CodingKeys: String, CodingKey {
                case name = "printq-host-name"
                case state = "printq-host-state"
            }
        }

        struct Placement: Decodable {
            var printer: String
            var host: String?
            var preferred: String?
            var reachable: [String]?

            enum CodingKeys: String, CodingKey {
                case printer = "printer-name"
                case host = "printq-host"
                case preferred = "printq-preferred-host"
                case reachable = "printq-reachable-hosts"
            }
        }

        var hosts: [Host]
        var placements: [Placement]

        enum CodingKeys: String, CodingKey {
            case hosts = "printq-hosts"
            case placements = "printq-placements"
        }

        func host(of printer: String) -> String? { placements.first { $0.printer == printer }?.host }
        func state(of host: String) -> String? { hosts.first { $0.name == host }?.state }
    }

    private func listed(at spooler: TestSpooler) async throws -> Listed {
        let run = try await spooler.printq("hosts", "--json")
        try #require(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode(Listed.self, from: Data(run.output.utf8))
    }

    /// Waits until a host drives a printer, as seen from the second host.
    private func wait(until host: String, drives printer: String) async throws {
        // Leases change without an event.
        try await eventually("\(host) drives \(printer)") { try await listed(at: second).host(of: printer) == host }
    }

    /// Adds a printer, and moves the printer to the first host.
    private func add(_ name: String, _ printer: NetworkPrinter, movedTo host: String) async throws {
        expect(try await second.printq("printers", "add", name, printer.uri))
        expect(try await second.printq("hosts", "move", name, host))
        try await wait(until: host, drives: name)
    }

    // MARK: - printq hosts

    @Test func `'printq hosts' moves and restricts printers, and drains, resumes and removes hosts`() async throws {
        let printer = try NetworkPrinter("--speed", "instant")
        try await add("office", printer, movedTo: "first")
        let table = try await second.printq("hosts").lines
        #expect(table.contains { $0.hasPrefix("first") && $0.contains("alive") && $0.contains("office") }, "\(table)")
        #expect(table.contains { $0.hasPrefix("office") && $0.contains("first") }, "\(table)")
        // A drained host does not drive its printers, also if they were moved to the host.
        expect(try await first.printq("hosts", "drain", "first"))
        try await wait(until: "second", drives: "office")
        #expect(try await listed(at: second).state(of: "first") == "draining")
        expect(try await first.printq("hosts", "resume", "first"))
        try await wait(until: "first", drives: "office")
        expect(
            try await first.printq("hosts", "restrict", "office", "second"), code: 1,
            says: "printq: printer 'office' was moved to 'first', which is not among these hosts; "
                + "'printq hosts move office --evenly' ends the preference")
        expect(try await first.printq("hosts", "move", "office", "--evenly"))
        expect(try await first.printq("hosts", "restrict", "office", "second"))
        try await wait(until: "second", drives: "office")
        #expect(try await listed(at: first).placements.first { $0.printer == "office" }?.reachable == ["second"])
        expect(
            try await first.printq("hosts", "move", "office", "first"), code: 1,
            says: "printq: printer 'office' cannot be moved to 'first', because 'first' cannot reach the printer; "
                + "'printq hosts restrict' changes the hosts that can reach the printer")
        expect(try await first.printq("hosts", "restrict", "office"))
        expect(
            try await second.printq("hosts", "remove", "first"), code: 1,
            says: "printq: host 'first' is alive; stop its printd first")
        first.stop()
        #expect(try await listed(at: second).state(of: "first") == "stopped")
        expect(try await second.printq("hosts", "remove", "first"))
        #expect(try await listed(at: second).hosts.map(\.name) == ["second"])
    }

    @Test func `the commands of 'printq hosts' refuse unknown hosts and printers, and the shell completes hosts`()
        async throws
    {
        for command in ["drain", "resume", "remove"] {
            expect(
                try await first.printq("hosts", command, "third"), code: 1,
                says: "printq: host 'third' does not exist; 'printq hosts' lists the hosts")
        }
        expect(try await first.printq("hosts", "move", "nowhere", "first"), code: 64)
        expect(try await first.printq("hosts", "move", "color-laser"), code: 64)
        let simulated = try await first.printq("hosts", "restrict", "color-laser", "second")
        expect(simulated, code: 1)
        #expect(simulated.complaints.contains("which only 'first' can reach"), "\(simulated)")
        let completed = try await CompletingShell.bash.complete(
            ["printq", "hosts", "drain", ""], spool: first.spool, in: first.folder)
        #expect(completed.split(separator: "\n").sorted() == ["first", "second"], "\(completed)")
        if geteuid() == 0 {
            let stranger = try await first.runAsStranger(first.program("printq"), "hosts", "drain", "first")
            #expect(stranger.code != 0, "\(stranger)")
        }
    }

    @Test func `if no host that can reach a printer is alive, the commands name the host to start`() async throws {
        let printer = try NetworkPrinter("--speed", "instant")
        try await add("office", printer, movedTo: "first")
        expect(try await second.printq("hosts", "restrict", "office", "first"))
        let path = try second.file("a.pdf", .numbered(pages: 1))
        expect(try await second.printq("submit", "-d", "office", "--hold", path))
        let printers = try await second.printq("printers").lines
        #expect(printers.contains { $0.contains("office") && $0.contains("first") }, "\(printers)")
        first.stop(SIGKILL)
        expect(try await second.printq("release", "1"))
        let words = "No host that can reach office is alive: job 1 waits until host first starts."
        try await eventually("the lease of the killed host has ended") {
            try await second.printq("why", "1").output == "\(words)\n"
        }
        let status = try await second.printq("status").output
        #expect(status.contains("first: lost; second (this host): 0 printers"), "\(status)")
        try await eventually("the list of printers shows the reason") {
            try await second.printq("printers").output.contains("No host that can reach office is alive")
        }
        let doctor = try await second.printq("doctor").output
        for line in [
            "no host that can reach office is alive: its jobs wait until host first starts",
            "host first is lost", "the database server is PostgreSQL", "differ by",
            "the database server has no synchronous standby",
        ] {
            #expect(doctor.contains(line), "'\(line)' in \(doctor)")
        }
        try first.start("--store", uri, "--host-name", "first")
        expect(try await second.printq("watch", "1"))
        #expect(try printer.log.count == 1)
        let metrics = try await first.run(
            "curl", ["-sS", "--unix-socket", first.socket, "http://localhost/metrics"]
        ).output
        #expect(metrics.contains("\nprintq_host_leases 8"), "\(metrics)")
        #expect(metrics.contains("\nprintq_lease_renewal_age_seconds "), "\(metrics)")
    }

    // MARK: - One queue

    @Test func `'printq watch --after' continues on another host with the same event numbers after 'kill -9'`()
        async throws
    {
        let printer = try NetworkPrinter("--speed", "instant")
        try await add("office", printer, movedTo: "second")
        let path = try second.file("a.pdf", .numbered(pages: 2))
        let watcher = try await first.watching("--json", "--after", "0")
        for _ in 0..<2 { expect(try await second.printq("submit", "-d", "office", "--wait", path)) }
        try await watcher.eventually("the first host shows the events of the other host's jobs") {
            watcher.lines.contains { $0.contains(#""notify-job-id":2"#) && $0.contains("completed") }
        }
        first.stop(SIGKILL)
        let seen = try watcher.numbers
        let last = try #require(seen.last)
        #expect(await watcher.end() == 130)
        expect(try await second.printq("submit", "-d", "office", "--wait", path))
        let log = try server.query("SELECT sequence FROM events ORDER BY sequence", database: database)
            .split(separator: "\n").compactMap { Int($0) }
        let other = try await second.watching("--json", "--after", "\(last)")
        try await other.eventually("the second host shows the remaining events") { try other.numbers.last == log.last }
        #expect(try seen + other.numbers == log, "no event is lost or repeated")
        #expect(await other.end() == 130)
    }

    @Test(arguments: [(true, false), (true, true), (false, false)])
    func `'printq doctor' names the database that does not respond, as 'printq queue' does`(
        isRunning: Bool, isSilent: Bool
    ) async throws {
        if !isRunning {
            // printq starts printd with the settings.
            try Data("{ store: '\(uri)', hostName: 'first' }".utf8)
                .write(to: URL(fileURLWithPath: "\(first.spool)/printd.json5"))
            first.stop()
        }
        if isSilent { server.pause() } else { try server.stop() }
        defer { if isSilent { server.resume() } else { try? server.start() } }
        for command in ["queue", "doctor"] {
            let run = try await first.printq(command)
            #expect(run.code != 0, "\(run)")
            #expect((run.output + run.complaints).contains(database), "\(command): \(run)")
        }
    }

    @Test func `lp, lpstat and cancel work on each host, also for a job that another host prints`() async throws {
        let (fast, slow) = (try NetworkPrinter("--speed", "instant"), try NetworkPrinter("--speed", "x1"))
        try await add("fast", fast, movedTo: "first")
        try await add("slow", slow, movedTo: "first")
        let path = try second.file("a.pdf", .numbered(pages: 300))
        expect(try await second.run("lp", ["-h", second.socket, "-d", "slow", path]))
        expect(try await second.run("lp", ["-h", second.socket, "-d", "slow", path]))
        try await second.eventually("the first host prints the job") { try await second.job(1).impressions ?? 0 > 0 }
        #expect(try await second.printq("why", "1").output.contains("Host first drives slow."))
        for spooler in [first, second] {
            let jobs = try await spooler.run("lpstat", ["-h", spooler.socket, "-o"])
            #expect(jobs.lines.map { $0.prefix { $0 != " " } } == ["slow-1", "slow-2"], "\(jobs)")
        }
        expect(try await second.run("cancel", ["-h", second.socket, "slow-1"]))
        #expect(try await second.ended(1).state == "canceled")
        let stopped = try #require(try slow.log.first)
        #expect(stopped.state == "canceled" && stopped.impressions < 300, "\(stopped)")
        expect(try await first.run("cancel", ["-h", first.socket, "slow-2"]))
        #expect(try await first.ended(2).state == "canceled")
        let small = try second.file("b.pdf", .numbered(pages: 1))
        for spooler in [first, second] {
            expect(try await spooler.run("lp", ["-h", spooler.socket, "-d", "fast", small]))
        }
        expect(try await second.printq("watch", "3", "4"))
        #expect(try fast.log.map(\.state) == ["completed", "completed"])
    }
}

/// Tests of `printq hosts` without other hosts.
@Suite(.timeLimit(.minutes(2)))
struct SingleHostTests {
    @Test(arguments: [["hosts"], ["hosts", "drain", "a"], ["hosts", "move", "color-laser", "a"]])
    func `'printq hosts' explains how to share a queue that is not shared`(arguments: [String]) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        expect(
            try await spooler.run(spooler.program("printq"), arguments), code: 1,
            says: "printq: the queue has only one host; to share the queue, set 'store' in printd.json5 to a "
                + "PostgreSQL database")
        let printers = try await spooler.printq("printers").lines
        #expect(printers.first?.contains("HOST") == false, "\(printers)")
    }
}
