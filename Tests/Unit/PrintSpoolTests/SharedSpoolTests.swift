import Foundation
import PostgresClient
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool

/// Tests of a queue that several hosts share.
///
/// The tests run one after another, because each host has several connections, and leases expire on a busy machine.
@Suite(
    .serialized, .disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"),
    .timeLimit(.minutes(2)))
struct SharedSpoolTests {
    /// A database, and the folders of the hosts `a`, `b` and `c`.
    private final class Site: Sendable {
        let server: PrivatePostgres
        let database: String
        let address: PostgresAddress
        private let folders: [TemporaryFolder]

        init() throws {
            server = try .shared()
            database = try server.makeDatabase()
            address = try PostgresAddress(server.address(database: database))
            folders = try (0..<3).map { _ in try TemporaryFolder() }
        }

        /// Opens the spool of a host.
        ///
        /// - Parameter port: The port of a proxy to the server; nil for the Unix socket of the server.
        func open(
            _ host: String, folder: Int? = nil, port: Int? = nil, options: PostgresOptions = PostgresOptions()
        ) throws -> Spool {
            let index = folder ?? Int(host.utf8.first ?? 0) - 97
            let address = try port.map { try PostgresAddress(server.uri(database: database, port: $0)) } ?? address
            return try Spool(
                folder: folders[index].path("spool"), clock: Spool.systemTime,
                medium: .postgres(address, host: host, options: options))
        }

        @discardableResult
        func query(_ sql: String) throws -> String { try server.query(sql, database: database) }

        /// Ends the leases of a host, as if the host had been silent for longer than the lease period.
        func expireLeases(of host: String) throws {
            try query("UPDATE leases SET lease_until = now() - interval '1 s' WHERE host = '\(host)'")
            try query("UPDATE hosts SET heard_at = now() - interval '1 min' WHERE name = '\(host)'")
        }
    }

    private let site: Site

    init() throws { site = try Site() }

    private func addPrinters(_ names: String..., to spool: Spool) async throws {
        for name in names {
            try await spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: "ipp://localhost/\(name)"))
        }
    }

    @Test func `hosts divide the printers among themselves, and each host starts only the jobs of its own printers`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", "y", to: a)
        try await a.renewLeases()
        try await b.renewLeases()
        try await a.renewLeases()
        try await b.renewLeases()
        #expect(a.leases.keys.sorted() == ["x"] && b.leases.keys.sorted() == ["y"])
        let onX = try await a.submit("on x", to: "x").id
        let onY = try await a.submit("on y", to: "y").id
        #expect(try await b.claim(fromPrinters: ["x", "y"])?.id == onY)
        #expect(try await b.claim(fromPrinters: ["x", "y"]) == nil)
        #expect(try await a.claim(fromPrinters: ["x", "y"])?.id == onX)
        let placements = try await b.placements()
        #expect(placements.map(\.driver) == ["a", "b"])
        #expect(try await a.hosts().map(\.name) == ["a", "b"])
        #expect(try await a.hosts().allSatisfy { $0.isAlive && !$0.isDraining && $0.version == Release.version })
    }

    @Test func `a token that one host creates or revokes is accepted or refused by all hosts`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        let secret = try await a.createToken(named: "ci", user: "ci", scope: .submit, lifetime: nil)
        #expect(try await b.token(with: secret)?.name == "ci")
        #expect(try await a.token(with: secret)?.name == "ci")
        try await b.revokeToken(named: "ci")
        #expect(try await a.token(with: secret) == nil)
        #expect(try await b.token(with: secret) == nil)
    }

    @Test func `submissions at two hosts at the same time never pass a quota`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.changeQuotas(.set(Quota(.everyone, per: .month, pages: 10)))
        let accepted = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<60 {
                group.addTask { try? await (number % 2 == 0 ? a : b).submit("\(number)", to: "x").id }
            }
            return await group.reduce(into: [Int]()) { ids, id in if let id { ids.append(id) } }
        }
        #expect(accepted.count == 10)
        for spool in [a, b] {
            #expect(try await spool.quotaStandings(of: "ada") { _ in [] }.standings.map(\.reserved) == [10])
            #expect(await code { try await spool.submit("more", to: "x") } == .accountLimitReached)
        }
        try await b.changeQuotas(.topUp(user: "ada", pages: 1, sheets: 0))
        try await a.submit("one more", to: "x")
        #expect(await code { try await b.submit("more", to: "x") } == .accountLimitReached)
    }

    @Test func `after a lease has ended, a second host continues the job, and writes of the first host are refused`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let id = try await a.submit("job", to: "x").id
        #expect(try await a.claim(fromPrinters: ["x"])?.id == id)
        let old = try #require(a.leases["x"])
        try await a.change(id, .createdAtPrinter(RemoteJob(id: 7, uuid: "urn:uuid:7")), under: old)
        try site.expireLeases(of: "a")
        try await b.renewLeases()
        let new = try #require(b.leases["x"])
        #expect(new.epoch == old.epoch + 1)
        #expect(try await b.jobsToRescue().map(\.id) == [id])
        #expect(await code { try await a.change(id, .sent, under: old) } == .leaseLost)
        try await b.change(id, .sent, under: new)
        try await b.change(id, .delivered(warning: nil), under: new)
        #expect(try await a.job(id)?.state == .completed)
        #expect(a.state(of: old) == .valid, "the first host does not know yet that it has lost the lease")
        try await a.renewLeases()
        #expect(a.state(of: old) == .lost && a.leases.isEmpty)
    }

    @Test func `after a host's lease of a printer has ended, the host cannot start a job of this printer`() async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        try site.expireLeases(of: "a")
        let id = try await a.submit("job", to: "x").id
        #expect(try await a.claim(fromPrinters: ["x"]) == nil, "the lease ends in less than three seconds")
        try await b.renewLeases()
        #expect(try await a.claim(fromPrinters: ["x"]) == nil)
        #expect(try await b.claim(fromPrinters: ["x"])?.id == id)
    }

    @Test func `if a database failover loses the start of a job, changes are refused until the job starts again`()
        async throws
    {
        let a = try site.open("a")
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let id = try await a.submit("job", to: "x").id
        _ = try await a.claim(fromPrinters: ["x"])
        let lease = try #require(a.leases["x"])
        // The job waits again. The host still holds the lease, and continues a run whose start the database has lost.
        try await a.change(id, .interrupted, under: lease)
        let remote = RemoteJob(id: 7, uuid: "urn:uuid:7")
        #expect(await code { try await a.change(id, .createdAtPrinter(remote), under: lease) } == .leaseLost)
        #expect(try await a.claim(fromPrinters: ["x"])?.id == id)
        try await a.change(id, .createdAtPrinter(remote), under: lease)
    }

    @Test func `a job can be canceled on a host that does not drive the job's printer`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let id = try await b.submit("job", to: "x").id
        #expect(try await a.claim(fromPrinters: ["x"])?.id == id)
        let (_, action) = try await b.change(id, .cancelRequested(byOperator: false))
        #expect(action == .stopSending)
        #expect(try await a.job(id)?.reasons.contains(.processingToStopPoint) == true)
    }

    @Test func `a restarted process immediately takes the printers of the earlier process on the same host`()
        async throws
    {
        let first = try site.open("a")
        try await addPrinters("x", to: first)
        try await first.renewLeases()
        let id = try await first.submit("job", to: "x").id
        _ = try await first.claim(fromPrinters: ["x"])
        let old = try #require(first.leases["x"])
        try first.close()
        let second = try site.open("a")
        try await second.renewLeases()
        let new = try #require(second.leases["x"])
        #expect(new.epoch == old.epoch + 1 && new.incarnation != old.incarnation)
        try await second.change(id, .interrupted, under: new)
        #expect(try await second.claim(fromPrinters: ["x"])?.id == id)
    }

    @Test func `a second host with the same name is refused while the first host is alive`()
        async throws
    {
        let a = try site.open("a")
        try await a.renewLeases()
        #expect(throws: SpoolError.self) { try site.open("a", folder: 1) }
        try site.expireLeases(of: "a")
        let other = try site.open("a", folder: 2)
        #expect(await code { try await a.renewLeases() } == .locked)
        try await other.renewLeases()
    }

    @Test func `when printd stops, its printers are released immediately, and a second host takes the printers`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        try await a.endLeases()
        try await b.renewLeases()
        #expect(b.leases.keys.sorted() == ["x"])
        #expect(try await b.hosts().map(\.isAlive) == [false, true])
        try await b.removeHost("a")
        #expect(try await b.hosts().map(\.name) == ["b"])
    }

    @Test func `printers leave a drained host, move to the preferred host, and stay with the allowed hosts`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", "y", to: a)
        for spool in [a, b, a, b] { try await spool.renewLeases() }
        try await a.setDraining(true, host: "a")
        for spool in [a, b] { try await spool.renewLeases() }
        #expect(a.leases.isEmpty && b.leases.keys.sorted() == ["x", "y"])
        try await b.setDraining(false, host: "a")
        try await b.place("x", hosts: [], preferredHost: "a")
        try await b.place("y", hosts: ["b"], preferredHost: nil)
        for spool in [b, a] { try await spool.renewLeases() }
        #expect(a.leases.keys.sorted() == ["x"] && b.leases.keys.sorted() == ["y"])
        #expect(await code { try await b.place("x", hosts: ["nowhere"], preferredHost: nil) } == .notPossible)
        #expect(await code { try await b.place("x", hosts: ["b"], preferredHost: "a") } == .notPossible)
        #expect(await code { try await b.setDraining(true, host: "nowhere") } == .notPossible)
        #expect(await code { try await b.removeHost("a") } == .notPossible)
    }

    @Test func `a change of the preferred host or of the reachable hosts keeps the other setting`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        for spool in [a, b] { try await spool.renewLeases() }
        try await b.changeHosts(.restrict(printer: "x", hosts: ["a", "b"]))
        try await b.changeHosts(.move(printer: "x", host: "b"))
        var placement = try await a.hostList().placement(of: "x")
        #expect(placement?.hosts == ["a", "b"] && placement?.preferredHost == "b")
        #expect(await code { try await a.changeHosts(.restrict(printer: "x", hosts: ["a"])) } == .notPossible)
        try await a.changeHosts(.move(printer: "x", host: nil))
        try await a.changeHosts(.restrict(printer: "x", hosts: []))
        placement = try await a.hostList().placement(of: "x")
        #expect(placement?.hosts == [] && placement?.preferredHost == nil)
        #expect(await code { try await a.changeHosts(.move(printer: "nowhere", host: "a")) } == .noSuchPrinter)
        try await a.changeHosts(.drain(host: "b"))
        #expect(try await a.hosts().map(\.state) == [.alive, .draining])
    }

    @Test func `if a failover of the database loses a host, the host registers again`() async throws {
        let a = try site.open("a")
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        try site.query("DELETE FROM hosts; DELETE FROM leases")
        try await a.renewLeases()
        #expect(try await a.hosts().map(\.name) == ["a"])
        #expect(a.leases.keys.sorted() == ["x"])
    }

    @Test func `if another host took the name of a silent host, the silent host is refused`() async throws {
        let first = try site.open("a")
        try await addPrinters("x", to: first)
        try await first.renewLeases()
        try site.expireLeases(of: "a")
        let second = try site.open("a", folder: 1)
        try await second.renewLeases()
        await #expect { try await first.renewLeases() } throws: { ($0 as? SpoolError)?.code == .locked }
        #expect(second.leases.keys.sorted() == ["x"])
    }

    @Test func `a job starts only under a lease that the caller knows`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        _ = try await a.submit("first", to: "x")
        _ = try await a.submit("second", to: "x")
        #expect(try await a.claim(fromPrinters: ["x"])?.id == 1)
        try site.expireLeases(of: "a")
        try await b.renewLeases()
        // The caller must recover the job in progress before it starts others.
        #expect(try await b.claim(fromPrinters: ["x"], under: [:]) == nil)
        let stale = try #require(a.leases["x"])
        #expect(try await b.claim(fromPrinters: ["x"], under: ["x": stale]) == nil)
        #expect(try await b.claim(fromPrinters: ["x"], under: b.leases)?.id == 2)
    }

    @Test func `after a change between a network printer and a folder, the hosts that reach the printer change too`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        try await b.renewLeases()
        func hosts() async throws -> [[String]] { try await a.placements().map(\.hosts) }
        #expect(try await hosts() == [[]])
        try await b.addOrModifyPrinter(named: "x", PrinterChange(deviceURI: "folder:/var/tmp/x"))
        #expect(try await hosts() == [["b"]])
        try await a.addOrModifyPrinter(named: "x", PrinterChange(deviceURI: "folder:/var/tmp/y"))
        #expect(try await hosts() == [["a"]])
        try await a.addOrModifyPrinter(named: "x", PrinterChange(deviceURI: "ipp://localhost/x"))
        #expect(try await hosts() == [[]])
        try await a.changeHosts(.restrict(printer: "x", hosts: ["b"]))
        try await a.addOrModifyPrinter(named: "x", PrinterChange(deviceURI: "ipp://localhost/y"))
        #expect(try await hosts() == [["b"]])
    }

    @Test func `after the next version has changed the tables, hosts of this version still work and start`()
        async throws
    {
        let a = try site.open("a")
        try await addPrinters("x", "y", to: a)
        try await a.renewLeases()
        // A compatible change of the next version.
        try site.query(
            """
            ALTER TABLE jobs ADD COLUMN novelty text NOT NULL DEFAULT 'none';
            ALTER TABLE printers ADD COLUMN novelty text;
            CREATE TABLE novelties (id integer PRIMARY KEY);
            INSERT INTO schema_changes (schema, minimum_schema, program, time)
            SELECT max(schema) + 1, max(schema), '99.0.0', 0 FROM schema_changes;
            """)
        try site.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'printd %'")
        // The connections begin again.
        try await eventually("the host uses the database again", within: .seconds(20)) {
            (try? await a.renewLeases()) != nil
        }
        let id = try await a.submit("old", to: "x").id
        #expect(try await a.claim(fromPrinters: ["x"])?.id == id)
        let b = try site.open("b")
        try await b.renewLeases()
        try await a.renewLeases()
        try await b.renewLeases()
        #expect(try await b.job(id)?.state == .processing)
        #expect(b.leases.keys.sorted() == ["y"])
        // An incompatible change.
        try site.query("UPDATE schema_changes SET minimum_schema = schema WHERE program = '99.0.0'")
        #expect(await code { _ = try site.open("c") } == .tooNew)
    }

    @Test func `a simulated printer stays with its host`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await a.addPrinter(ConfiguredPrinter(name: "x", deviceURI: "printsim:x"))
        for spool in [a, b] { try await spool.renewLeases() }
        #expect(await code { try await b.changeHosts(.restrict(printer: "x", hosts: ["b"])) } == .notPossible)
        #expect(await code { try await b.changeHosts(.restrict(printer: "x", hosts: [])) } == .notPossible)
        #expect(await code { try await b.changeHosts(.move(printer: "x", host: "b")) } == .notPossible)
        try await b.changeHosts(.move(printer: "x", host: "a"))
    }

    @Test func `after an orderly stop, the state of a host is 'stopped' and not 'lost'`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await a.renewLeases()
        try await a.endLeases()
        try await b.renewLeases()
        #expect(try await b.hosts().map(\.state) == [.stopped, .alive])
        try site.query("UPDATE hosts SET heard_at = now() - interval '1 min' WHERE name = 'a'")
        #expect(try await b.hosts().map(\.state) == [.lost, .alive])
    }

    @Test func `a host reports the time since its last lease renewal and the properties of the database server`()
        async throws
    {
        let a = try site.open("a")
        #expect(a.timeSinceRenewal == nil && a.hostName == "a")
        try await a.renewLeases()
        #expect(try #require(a.timeSinceRenewal) < .seconds(60))
        let server = try #require(try await a.databaseServer())
        #expect(server.version.first?.isNumber == true && !server.version.contains(" "))
        #expect(abs(server.clockDifference) < 60 && server.roundTrip >= 0)
        #expect(!server.hasSynchronousStandby && server.connectedSynchronousStandbys == 0)
    }

    @Test func `a spool that is not shared refuses host changes`() async throws {
        let folder = try TemporaryFolder()
        let spool = try Spool(folder: folder.path("spool"), clock: Spool.systemTime)
        #expect(await code { _ = try await spool.hostList() } == .notPossible)
        #expect(await code { try await spool.changeHosts(.drain(host: "a")) } == .notPossible)
        #expect(try await spool.databaseServer() == nil && spool.hostName == nil)
    }

    @Test
    func `a change on one host wakes the observers of a second host and invalidates the second host's printer cache`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        var changes = b.changes().makeAsyncIterator()
        let id = try await a.submit("job", to: "x").id
        repeat { _ = await changes.next() } while try await b.job(id) == nil
        #expect(try await b.printers().map(\.name) == ["x"])
        // A change without an event is found by the poll.
        try site.query("UPDATE printers SET info = 'changed'")
        try await eventually("the printers are read again") { try await b.printers().first?.info == "changed" }
    }

    /// The response of a proxy to LISTEN.
    enum ListenFault: CaseIterable, Sendable { case refused, unanswered }

    @Test(arguments: ListenFault.allCases)
    func `a host whose LISTEN fails polls for the jobs of other hosts, and tries LISTEN again only after a pause`(
        fault: ListenFault
    ) async throws {
        let listens = Mutex(0)
        let proxy = try TCPProxy(to: site.server.port) { direction, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard direction == .toServer, text.contains("LISTEN ") else { return .forward }
            listens.withLock { $0 += 1 }
            return fault == .refused ? .replace(Array(text.replacing("LISTEN ", with: "LISTEM ").utf8)) : .discard
        }
        let (a, b) = (try site.open("a"), try site.open("b", port: proxy.port))
        try await addPrinters("x", to: a)
        try site.query("INSERT INTO placements (printer, preferred_host) VALUES ('x', 'b')")
        for spool in [a, b] { try await spool.renewLeases() }
        let warning = "database-notifications"
        try await eventually("the failure is noted", within: .seconds(10)) {
            b.databaseWarnings.map(\.check) == [warning]
        }
        for _ in 0..<2 {
            let wakeUps = b.commitCount
            let id = try await a.submit("job", to: "x").id
            try await eventually("the scheduler of host b is woken", within: .seconds(10)) { b.commitCount > wakeUps }
            #expect(try await b.claim(fromPrinters: ["x"])?.id == id)
        }
        #expect(listens.withLock { $0 } <= 2)
        #expect(a.databaseWarnings.isEmpty)
    }

    @Test func `a commit wakes the scheduler of another host only if it concerns the printers of that host`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", "y", to: a)
        for spool in [a, b, a, b] { try await spool.renewLeases() }
        #expect(a.leases.keys.sorted() == ["x"] && b.leases.keys.sorted() == ["y"])
        func isWoken(_ news: News?) async -> Bool {
            let count = Mutex(0)
            await b.wake({ count.withLock { $0 += 1 } }) { b.noteChange(news) }
            return count.withLock { $0 } > 0
        }
        #expect(await isWoken(.all))
        #expect(await isWoken(.jobs(of: ["x", "y"])))
        #expect(await !isWoken(.jobs(of: ["x"])))
        #expect(await !isWoken(News.none))
        #expect(await !isWoken(nil))
        // In strict order, a job at any printer concerns every host.
        _ = try await b.claim(fromPrinters: ["y"], order: .strict)
        #expect(await isWoken(.jobs(of: ["x"])))
        #expect(a.heldLeases.newsForOthers(.jobs(of: ["x"])) == News.none)
        #expect(a.heldLeases.newsForOthers(.jobs(of: ["x", "y"])) == .jobs(of: ["x", "y"]))
        #expect(a.heldLeases.newsForOthers(.all) == .all)
        #expect(b.heldLeases.newsForOthers(.jobs(of: ["y"])) == .jobs(of: ["y"]))
        for news in [News.none, .all, .jobs(of: ["x", "y-1_2.3"])] {
            let payload = PostgresNotifications.Payload(PostgresNotifications.Payload(sender: "s", news: news).text)
            #expect(payload.sender == "s" && payload.news == news)
        }
        let many = Set((0..<1000).map { "printer-\($0)" })
        #expect(PostgresNotifications.Payload(sender: "s", news: .jobs(of: many)).text == "s\n*")
    }

    @Test func `the start of a job in a shared spool writes one version of its row`() async throws {
        let updates = Mutex(0)
        var options = PostgresOptions()
        options.beforeStatement = { _, sql in if sql.hasPrefix("UPDATE jobs") { updates.withLock { $0 += 1 } } }
        let a = try site.open("a", options: options)
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let id = try await a.submit("job", to: "x").id
        updates.withLock { $0 = 0 }
        #expect(try await a.claim(fromPrinters: ["x"])?.id == id)
        #expect(updates.withLock { $0 } == 1)
        let lease = try #require(a.leases["x"])
        let stored = try site.query("SELECT lease_epoch, lease_incarnation FROM jobs")
        #expect(stored == "\(lease.epoch)|\(lease.incarnation)")
    }

    @Test func `the session with the oldest open transaction is named`() async throws {
        let a = try site.open("a")
        let control = try PostgresConnection.connect(to: site.address)
        #expect(try PostgresHosts.oldestSession(on: control, olderThan: 60) == nil)
        let old = try PostgresConnection.connect(
            to: site.address, options: PostgresOptions(applicationName: "a report"))
        try old.begin(.snapshot)
        try old.query("SELECT count(*) FROM jobs")
        // A short transaction of the host can be older for a moment.
        var found = try PostgresHosts.oldestSession(on: control, olderThan: 0)
        try await eventually("the report is the oldest session") {
            found = try PostgresHosts.oldestSession(on: control, olderThan: 0)
            return found?.process == old.serverProcess
        }
        let session = try #require(found)
        #expect(session.application == "a report" && session.user == "postgres")
        #expect(abs(try #require(session.since) - Spool.systemTime()) < 60)
        try old.commit()
        #expect(try await a.databaseServer()?.oldestSession == nil)
    }

    @Test func `in strict order, at most one job is in progress across all hosts`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", "y", to: a)
        for spool in [a, b, a, b] { try await spool.renewLeases() }
        let first = try await a.submit("first", to: "x").id
        try await a.submit("second", to: "y")
        #expect(try await b.claim(fromPrinters: ["y"], order: .strict) == nil)
        #expect(try await a.claim(fromPrinters: ["x"], order: .strict)?.id == first)
        #expect(try await b.claim(fromPrinters: ["y"], order: .strict) == nil)
    }

    @Test func `if a stale process holds a database lock on a job, a different host can still take the job's printer`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let id = try await a.submit("job", to: "x").id
        _ = try await a.claim(fromPrinters: ["x"])
        try site.expireLeases(of: "a")
        let incarnation = try #require(a.leases["x"]).incarnation
        // A connection with the name of host a's connections keeps a lock, like a process that does not run any more.
        let stale = try PostgresConnection.connect(
            to: site.address, options: PostgresOptions(applicationName: "printd \(incarnation)"))
        try stale.begin()
        try stale.query("SELECT id FROM jobs WHERE id = $1 FOR UPDATE", [id])
        try await b.renewLeases()
        #expect(b.leases.keys.sorted() == ["x"])
        #expect(throws: PostgresError.self) { try stale.query("SELECT 1") }
    }

    @Test func `a silent host that holds the lock of the event log does not block the submissions of other hosts`()
        async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        try await a.renewLeases()
        let incarnation = try #require(a.leases["x"]).incarnation
        try site.expireLeases(of: "a")
        // A connection with the name of host a's connections keeps a lock, like a host that stopped before a commit.
        let stale = try PostgresConnection.connect(
            to: site.address, options: PostgresOptions(applicationName: "printd \(incarnation)"))
        try stale.begin()
        try stale.query("SELECT lock_events()")
        try await b.renewLeases()
        let job = try await b.submit("job", to: "x")
        #expect(job.state == .pending)
        #expect(throws: PostgresError.self) { try stale.query("SELECT 1") }
    }

    @Test func `if two hosts receive the same submission at the same time, both return the same job`() async throws {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        var submission = Submission(printer: "x", owner: "ada", name: "job")
        let id = try await a.createJob(submission).id
        // The transaction is not committed yet, so host b cannot find the submission.
        let first = try PostgresConnection.connect(to: site.address)
        try first.begin()
        try first.execute("UPDATE jobs SET submission_id = 'once' WHERE id = $1", [id])
        submission.submissionID = "once"
        let second = Task { [submission] in try await b.createJob(submission).id }
        try await eventually("host b waits for the transaction") {
            try site.query(
                """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """) == "1"
        }
        try first.commit()
        #expect(try await second.value == id)
    }

    @Test func `while a document is uploaded to one host, no host aborts the job because of its deadline`() async throws
    {
        let (a, b) = (try site.open("a"), try site.open("b"))
        try await addPrinters("x", to: a)
        let job = try await a.createJob(Submission(printer: "x", owner: "ada", name: "slow"))
        let incoming = a.makeIncoming(for: job.id)
        defer { incoming.discard() }
        try site.query("UPDATE jobs SET incoming_until = extract(epoch FROM now()) - 1")
        try await a.renewLeases()
        #expect(try await b.releaseDueJobs().isEmpty)
        #expect(try await b.job(job.id)?.state == .pendingHeld)
    }

    @Test func `a spool in PostgreSQL keeps the documents of the SQLite database in the same folder`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("spool")
        let sqlite = try Spool(folder: path)
        try await addPrinters("x", to: sqlite)
        let document = sqlite.makeIncoming()
        try document.write([UInt8](repeating: 7, count: 100_000))
        try await sqlite.submit(
            Submission(printer: "x", owner: "ada", name: "large"),
            documents: [(document, name: "large.pdf", format: .pdf)])
        try sqlite.close()
        let shared = try Spool(folder: path, clock: Spool.systemTime, medium: .postgres(site.address, host: "a"))
        _ = try await shared.sweep()
        try shared.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/jobs/1/document-1.pdf"))
        #expect(bytes == Data(repeating: 7, count: 100_000))
    }
}
