import Foundation
import PostgresClient
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool

/// Tests of the store in PostgreSQL that concern several hosts and failures of the server.
@Suite(.disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"))
struct PostgresStoreTests {
    /// A database on a server, and the folders of the hosts that use the database.
    final class Hosts: Sendable {
        let server: PrivatePostgres
        let database: String
        let address: PostgresAddress
        private let folders: [TemporaryFolder]

        init(_ count: Int = 2, server: PrivatePostgres? = nil) throws {
            self.server = try server ?? .shared()
            database = try self.server.makeDatabase()
            address = try PostgresAddress(self.server.address(database: database))
            folders = try (0..<count).map { _ in try TemporaryFolder() }
        }

        /// Opens the spool of a host.
        func open(_ host: Int = 0) async throws -> Spool {
            let spool = try Spool(
                folder: folders[host].path("spool"), clock: Spool.systemTime, medium: .postgres(address))
            if try await spool.printers().isEmpty {
                try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser"))
            }
            return spool
        }

        @discardableResult
        func query(_ sql: String) throws -> String { try server.query(sql, database: database) }
    }

    @Test
    func `if two hosts submit to PostgreSQL, all jobs have distinct IDs, and readers of the event log miss no event`()
        async throws
    {
        let hosts = try Hosts()
        let spools = [try await hosts.open(0), try await hosts.open(1)]
        let start = try await spools[0].latestEventSequence()
        let count = 8 * 30
        let seen = Task {
            var seen: [JobEvent] = []
            while seen.count < count {
                seen += try await spools[1].events(after: seen.last?.sequence ?? start)
            }
            return seen
        }
        let ids = try await withThrowingTaskGroup(of: [Int].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    var ids: [Int] = []
                    for number in 0..<30 { ids.append(try await spools[writer % 2].submit("\(writer)-\(number)").id) }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == count)
        let polled = try await seen.value
        #expect(polled.map(\.sequence) == Array(start + 1...start + count))
        #expect(Set(polled.compactMap(\.jobID)) == Set(ids))
        #expect(try await spools[0].events(after: start, limit: 1000).map(\.sequence) == polled.map(\.sequence))
    }

    @Test func `if PostgreSQL is killed during submissions, every accepted job exists once after the restart`()
        async throws
    {
        let hosts = try Hosts(server: PrivatePostgres())
        let spool = try await hosts.open()
        let accepted = Accepted()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { await submit(as: writer, to: spool, killing: hosts.server, accepted) }
            }
        }
        let known = accepted.jobs.withLock { $0 }
        #expect(known.count >= 60)
        let latest = try await spool.latestEventSequence()
        #expect(latest > PostgresTimeline.jump, "the numbers of events skip a range after the failure")
        let jobs = try await spool.jobs(JobFilter(.all), in: JobListRange(limit: nil))
        let names = Dictionary(grouping: jobs, by: \.name)
        #expect(names.values.allSatisfy { $0.count == 1 })
        for (id, name) in known { #expect(names[name]?.first?.id == id) }
    }

    /// What the writing connections of a store have sent and waited for.
    private struct Cost {
        var statements = 0
        var roundTrips = 0

        init(of spool: Spool) async {
            for writer in 0..<spool.database.writers {
                let counts = await withCheckedContinuation { continuation in
                    spool.database.startWriting(as: writer) { session in
                        let connection = (session as? PostgresSession)?.connection
                        continuation.resume(
                            returning: (connection?.statementCount ?? 0, connection?.roundTripCount ?? 0))
                    }
                }
                statements += counts.0
                roundTrips += counts.1
            }
        }
    }

    /// Submits jobs while another write is in progress, so that they share a transaction; returns the jobs and the
    /// cost of the transaction.
    private func submitTogether(
        _ count: Int, to spool: Spool, _ name: @escaping @Sendable (Int) -> String = { "\($0)" }
    ) async throws -> (jobs: [Job?], statements: Int, roundTrips: Int) {
        let isBlocking = Atomic(false)
        let mayEnd = DispatchSemaphore(value: 0)
        let before = await Cost(of: spool)
        async let blocker: Void = spool.write(.ordered) { _ in
            isBlocking.store(true, ordering: .relaxed)
            mayEnd.wait()
        }
        try await eventually("the blocking write runs") { isBlocking.load(ordering: .relaxed) }
        let jobs = try await withThrowingTaskGroup(of: Job?.self) { group in
            for number in 0..<count {
                group.addTask {
                    let document = try spool.document("hello")
                    let name = name(number)
                    let submission = Submission(printer: "laser", owner: "ada", name: name, submissionID: name)
                    return try? await spool.submit(submission, documents: [(document, name: nil, format: .text)])
                }
            }
            defer { mayEnd.signal() }
            try await eventually("\(spool.waitingWrites) of \(count) writes wait") { spool.waitingWrites == count }
            mayEnd.signal()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await blocker
        let after = await Cost(of: spool)
        return (jobs, after.statements - before.statements, after.roundTrips - before.roundTrips)
    }

    @Test func `64 submissions that arrive together cost PostgreSQL 7 statements and 2 round trips`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        // What the owner has in the spool is read once a second.
        try await spool.submit("first")
        let (jobs, statements, roundTrips) = try await submitTogether(64, to: spool)
        #expect(jobs.count { $0 != nil } == 64)
        // The blocking write costs BEGIN, the choice of the durability and COMMIT, in one round trip.
        #expect(statements == 7 + 3)
        #expect(roundTrips == 2 + 1)
        #expect(Set(jobs.compactMap { $0?.id }) == Set(2...65))
        #expect(try await spool.events(after: 2).map(\.jobID) == Array(2...65))
    }

    @Test func `while new jobs are committed in PostgreSQL, the next transaction adds its jobs and commits after them`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("first")
        let other = try PostgresConnection.connect(to: hosts.address)
        defer { other.close() }
        // Events cannot be numbered, so that the next transaction waits before its commit.
        try other.begin()
        try other.query("SELECT lock_events()")
        func state(_ condition: String) throws -> Bool {
            try hosts.query(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND \(condition)") == "1"
        }
        let waitsForLock = "wait_event_type = 'Lock' AND query LIKE '%lock_events%'"
        async let second = spool.submit("second", submissionID: "second")
        try await eventually("a transaction waits for the event log") { try state(waitsForLock) }
        async let third = spool.submit("third", submissionID: "third")
        let hasInserted = "wait_event = 'ClientRead' AND query LIKE 'INSERT INTO documents%'"
        try await eventually("another transaction has inserted a job") { try state(hasInserted) }
        async let repeated = spool.submit("second", submissionID: "second")
        try other.commit()
        let jobs = try await (second, third, repeated)
        #expect(jobs.0.id < jobs.1.id && jobs.2 == jobs.0)
        let created = try await spool.events(after: 0).filter { $0.kind == "job-created" }.map(\.jobID)
        #expect(created == [1, jobs.0.id, jobs.1.id])
    }

    @Test func `the start of a job costs PostgreSQL 2 round trips`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("first")
        let before = await Cost(of: spool)
        #expect(try await spool.claim(fromPrinters: ["laser"])?.documents.count == 1)
        let after = await Cost(of: spool)
        #expect(after.statements - before.statements == 6)
        #expect(after.roundTrips - before.roundTrips == 2)
    }

    @Test func `of submissions with one ID that arrive together, PostgreSQL accepts the first submission`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let (jobs, _, _) = try await submitTogether(6, to: spool) { "\($0 % 2)" }
        #expect(jobs.compactMap { $0?.name }.sorted() == ["0", "0", "0", "1", "1", "1"])
        #expect(Set(jobs.compactMap { $0?.id }).count == 2)
        #expect(try await spool.jobs().count == 2)
        let again = try await submitTogether(6, to: spool) { "\($0 % 2)" }
        #expect(Set(again.jobs) == Set(jobs))
        let last = jobs.reduce(0) { max($0, $1?.id ?? 0) }
        #expect(try await spool.submit("next").id > last)
    }

    @Test func `refused submissions and repeated submissions use no job number`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let first = try await spool.submit("first", submissionID: "first")
        try await spool.setAccepting(false, printer: "laser")
        #expect(await code { try await spool.submit("refused") } == .notAccepting)
        #expect(await code { try await spool.submit("refused", to: "none") } == .noSuchPrinter)
        try await spool.setAccepting(true, printer: "laser")
        #expect(try await spool.submit("first", submissionID: "first") == first)
        #expect(try await spool.submit("second").id == first.id + 1)
    }

    @Test func `a printer that another host removes during submissions has no job that waits for ever`() async throws {
        let hosts = try Hosts()
        let spools = [try await hosts.open(0), try await hosts.open(1)]
        for round in 0..<20 {
            let name = "brief-\(round)"
            try await spools[0].addPrinter(ConfiguredPrinter(name: name, deviceURI: "printsim:\(name)"))
            async let submitted: [Int] = withTaskGroup(of: Int?.self) { group in
                for number in 0..<8 { group.addTask { try? await spools[0].submit("\(number)", to: name).id } }
                return await group.reduce(into: []) { ids, id in if let id { ids.append(id) } }
            }
            let removal = await code { try await spools[1].removePrinter(named: name) }
            let jobs = await submitted.count
            #expect((removal == nil) == (jobs == 0), "removal: \(String(describing: removal)), jobs: \(jobs)")
        }
    }

    /// The names of the accepted jobs, by id.
    private final class Accepted: Sendable {
        let jobs = Mutex<[Int: String]>([:])
    }

    /// Submits jobs until 120 jobs are accepted, and kills and starts the server after 60 jobs.
    private func submit(
        as writer: Int, to spool: Spool, killing server: PrivatePostgres, _ accepted: Accepted
    ) async {
        for number in 0..<10_000 {
            let name = "\(writer)-\(number)"
            guard let job = try? await spool.submit(name, submissionID: name) else { continue }
            let total = accepted.jobs.withLock { jobs in
                jobs[job.id] = name
                return jobs.count
            }
            if total == 60 {
                server.kill()
                try? server.start()
            }
            if total >= 120 { return }
        }
    }

    @Test func `each PostgreSQL error is converted to the matching spool error code`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let cases: [(PostgresError.Kind, String?, SpoolError.Code)] = [
            (.readOnly, "25006", .unavailable), (.diskFull, "53100", .noSpace), (.connectionLost, nil, .unavailable),
            (.serverShutsDown, "57P01", .unavailable), (.commitUncertain, nil, .unavailable),
            (.uniqueViolation(constraint: "x"), "23505", .inconsistent), (.other, "23514", .inconsistent),
            (.closed, nil, .closed), (.authentication, "28P01", .unwritable),
        ]
        for (kind, state, code) in cases {
            let error = PostgresError(kind, "a message", sqlState: state)
            #expect(SpoolError.postgres(error, address: hosts.address).code == code, "\(kind)")
        }
        try hosts.server.query("ALTER DATABASE \(hosts.database) SET default_transaction_read_only = on")
        try spool.close()
        let readOnly = try await hosts.open()
        #expect(await code { try await readOnly.submit("refused") } == .unavailable)
        try readOnly.close()
        try hosts.server.query("ALTER DATABASE \(hosts.database) RESET default_transaction_read_only")
        let writable = try await hosts.open()
        try await writable.submit("accepted")
        #expect(try await writable.jobs().map(\.name) == ["accepted"])
    }

    @Test func `a PostgreSQL server is reported as unavailable if it is not running`() async throws {
        let server = try PrivatePostgres()
        let hosts = try Hosts(server: server)
        try server.stop()
        #expect(await code { _ = try await hosts.open() } == .unavailable)
    }

    @Test func `a PostgreSQL database of a newer version is refused and not changed`() async throws {
        let hosts = try Hosts()
        try await hosts.open().close()
        try hosts.query(
            "INSERT INTO schema_changes (schema, minimum_schema, program, time) VALUES (99, 98, '9.9.9', 0)")
        let before = try hosts.query("SELECT server, last FROM event_log")
        let error = await #expect(throws: SpoolError.self) { _ = try await hosts.open() }
        #expect(error?.code == .tooNew)
        #expect(error?.message.contains("printq 9.9.9") == true)
        #expect(try hosts.query("SELECT server, last FROM event_log") == before)
    }

    @Test func `a PostgreSQL database of a build before printq 1.0.0 is refused and not changed`() async throws {
        let hosts = try Hosts()
        try await hosts.open().close()
        try hosts.query("UPDATE schema_changes SET program = '0.1.0'")
        let before = try hosts.query("SELECT server, last FROM event_log")
        let error = await #expect(throws: SpoolError.self) { _ = try await hosts.open() }
        #expect(error?.code == .tooOld)
        #expect(error?.message.contains("set 'store' to an empty database") == true, "\(error?.message ?? "")")
        #expect(try hosts.query("SELECT server, last FROM event_log") == before)
    }

    /// The migrations of a later version, which exist only in this test.
    static let later =
        PostgresSchema.migrations + [
            "ALTER TABLE jobs ADD COLUMN novelty text NOT NULL DEFAULT 'none'",
            "CREATE TABLE novelties (id integer PRIMARY KEY); INSERT INTO novelties (id) VALUES (1)",
        ]

    @Test func `if hosts of a later version start at the same time, the tables in PostgreSQL are migrated only once`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("old")
        let address = hosts.address
        let steps = try await withThrowingTaskGroup(of: [MigrationProgress].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
                    defer { connection.close() }
                    var steps: [MigrationProgress] = []
                    try PostgresSchema.migrate(connection, migrations: Self.later) { steps.append($0) }
                    return steps
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let (current, last) = (PostgresSchema.number, Self.later.count)
        #expect(steps.map(\.step) == Array(current + 1...last) + [nil])
        #expect(steps.allSatisfy { $0.from == current && $0.to == last && $0.jobs == 1 })
        #expect(try hosts.query("SELECT max(schema) FROM schema_changes") == "\(last)")
        #expect(try hosts.query("SELECT count(*) FROM novelties") == "1")
        #expect(try await spool.job(1)?.name == "old", "a host of the earlier version still works")
    }

    @Test func `if a migration of a PostgreSQL database fails, nothing changes, and the database can be used`()
        async throws
    {
        let hosts = try Hosts()
        try await hosts.open().submit("old")
        let connection = try PostgresConnection.connect(to: hosts.address, check: PostgresSchema.setUp)
        #expect(throws: PostgresError.self) {
            try PostgresSchema.migrate(connection, migrations: Self.later + ["CREATE TABLE jobs (id integer)"]) { _ in }
        }
        connection.close()
        #expect(try hosts.query("SELECT max(schema) FROM schema_changes") == "\(PostgresSchema.number)")
        #expect(try hosts.query("SELECT to_regclass('novelties') IS NULL") == "t")
        #expect(try await hosts.open().job(1)?.name == "old")
    }

    @Test func `if hosts start at the same time, the PostgreSQL database is migrated only once`() async throws {
        let hosts = try Hosts(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { try PostgresStore.open(hosts.address).close() }
            }
            try await group.waitForAll()
        }
        #expect(
            try hosts.query("SELECT schema, program FROM schema_changes")
                == "\(PostgresSchema.number)|\(Release.version)")
        #expect(try hosts.query("SELECT count(*) FROM identity") == "1")
    }

    @Test func `a job with a damaged row in PostgreSQL is aborted with a message`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("damaged")
        try await spool.submit("sound")
        try hosts.query("UPDATE jobs SET reasons = '[7]' WHERE id = 1")
        #expect(try await spool.claimAll(from: ["laser"]) == ["sound"])
        let job = try #require(try await spool.job(1))
        #expect(job.state == .aborted)
        let events = try await spool.events(after: 0, jobID: 1)
        #expect(events.contains { $0.message.hasPrefix("The damaged record was: id = 1, ") })
    }

    @Test func `a completed job with a damaged row in PostgreSQL stays completed`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("done")
        try await spool.complete(1)
        try hosts.query("UPDATE jobs SET reasons = '[7]' WHERE id = 1")
        let job = try #require(try await spool.job(1))
        #expect(job.state == .completed && job.reasons == [.jobCompletedSuccessfully])
        #expect(job.message == "The stored record of this job was damaged after the job was completed")
    }

    @Test func `after a PostgreSQL server is restored or replaced, the event numbers skip a range`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let last = try await spool.latestEventSequence()
        try spool.close()
        #expect(try await hosts.open().latestEventSequence() == last)
        try hosts.query("UPDATE event_log SET timeline = 0")
        #expect(try await hosts.open(1).latestEventSequence() == last + PostgresTimeline.jump)
    }

    @Test func `a backup of a spool in PostgreSQL is refused with a message that suggests 'pg_dump'`() async throws {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let error = #expect(throws: SpoolError.self) { _ = try spool.makeCopy() }
        #expect(error?.code == .notPossible)
        #expect(error?.message.contains("pg_dump") == true)
    }

    @Test func `in PostgreSQL, zero bytes in job names are replaced, and a search ignores the case of Greek letters`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("a\0b")
        try await spool.submit("ΟΔΟΣ Straße")
        #expect(try await spool.jobs().map(\.name) == ["a\u{FFFD}b", "ΟΔΟΣ Straße"])
        for text in ["οδος", "οδοσ", "STRASSE", "straße"] {
            var filter = JobFilter(.all)
            filter.search = JobSearch(text, reader: nil)
            #expect(try await spool.jobs(filter).count == (text == "STRASSE" ? 0 : 1), "\(text)")
        }
    }
}

extension PostgresStoreTests {
    @Test func `while another session holds a transaction open, no statement reads the old versions of counters`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let old = try PostgresConnection.connect(to: hosts.address)
        defer { old.close() }
        try old.begin(.snapshot)
        try old.query("SELECT count(*) FROM jobs")
        let connection = try PostgresConnection.connect(to: hosts.address, check: PostgresSchema.setUp)
        defer { connection.close() }
        /// Returns the number of pages that the server reads for a statement.
        func pages(_ sql: String) throws -> Int {
            try connection.begin()
            defer { connection.rollback() }
            let plan = try connection.query("EXPLAIN (ANALYZE, BUFFERS) \(sql)").map { try $0.string(0) }
            // The first line has the pages of the whole statement: 'Buffers: shared hit=3 read=1'.
            let line = plan.first { $0.contains("Buffers: shared") } ?? ""
            return line.split(separator: " ").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
                .reduce(0, +)
        }
        let statements = [
            "SELECT \(PostgresTransaction.lastEvent)", "SELECT lock_events()",
            "INSERT INTO commits (writer, number) VALUES ('w', 1)",
        ]
        let status = PrinterStatus(state: .idle, message: "Ready")
        for number in 0..<400 { try await spool.noteStatus(status, message: "\(number)", of: "laser") }
        for _ in 0..<200 { try await spool.complete(spool.submit().id) }
        for statement in statements {
            _ = try pages(statement)  // reads the catalogs
            #expect(try pages(statement) < 20, "\(statement)")
        }
        // The queue is empty, and its index has 200 entries of jobs that have waited.
        let head = PostgresTransaction.headOfQueue.replacing("$1", with: "'laser'").replacing("$2", with: "1")
        let isPrinting = PostgresTransaction.isPrinting.replacing("$1", with: "'laser'")
        let before = try [head, isPrinting].map(pages)
        let floor = try #require((spool.database as? PostgresStore)?.floor)
        for _ in 0..<2 { try floor.advance(on: connection, isForced: true) }
        try connection.query("SELECT set_config('printq.floor', $1, false)", ["\(floor.value)"])
        let after = try [head, isPrinting].map(pages)
        #expect(zip(after, before).allSatisfy { $0 * 2 < $1 }, "\(before) pages, and \(after) with the lower bound")
        let versions = try hosts.query(
            "SELECT pg_relation_size('event_log') / 8192, (SELECT count(*) FROM commits) <= 1500")
        #expect(versions == "1|t")
    }

    @Test func `the lower bound of the ids of waiting jobs exceeds no job that a transaction can still insert`()
        async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        let floor = try #require((spool.database as? PostgresStore)?.floor)
        let connection = try PostgresConnection.connect(to: hosts.address, check: PostgresSchema.setUp)
        func advance() throws -> Int {
            for _ in 0..<3 { try floor.advance(on: connection, isForced: true) }
            return floor.value
        }
        #expect(try advance() == 1)
        let other = try PostgresConnection.connect(to: hosts.address)
        try other.begin()
        #expect(try other.query("SELECT nextval('jobs_id_seq')")[0].int(0) == 1)
        for _ in 0..<2 { try await spool.complete(spool.submit().id) }
        #expect(try advance() == 1, "the other transaction can insert job 1")
        try other.commit()
        #expect(try advance() == 4)
        let held = try await spool.submit("held", holdUntil: .indefinite)
        let next = try await spool.submit("next")
        try await spool.complete(next.id)
        #expect(try advance() == held.id)
        try await spool.change(held.id, .releaseRequested)
        #expect(try await spool.claim(fromPrinters: ["laser"])?.id == held.id)
        // After the server was replaced, the end of a job may be lost.
        floor.reset(server: "other")
        #expect(try advance() == 0)
    }

    @Test func `a pooler that shares the sessions of PostgreSQL is refused, and the error names its modes`() throws {
        let hosts = try Hosts()
        let proxy = try TCPProxy(to: hosts.server.port) { direction, bytes in
            // All connections seem to use one process of the server, as with 'pool_mode = transaction'.
            let row: [UInt8] = [UInt8(ascii: "D"), 0, 0, 0, 14, 0, 1, 0, 0, 0, 4]
            guard direction == .toClient, bytes.firstRange(of: Array("pg_backend_pid".utf8)) != nil,
                let value = bytes.firstRange(of: row)?.upperBound
            else { return .forward }
            var changed = bytes
            changed.replaceSubrange(value..<value + 4, with: [0, 0, 0, 1])
            return .replace(changed)
        }
        let address = try PostgresAddress(hosts.server.uri(database: hosts.database, port: proxy.port))
        let error = #expect(throws: SpoolError.self) { try PostgresStore.open(address).close() }
        #expect(error?.message.contains("PgBouncer with pool_mode 'transaction' or 'statement'") == true)
    }

    @Test func `a commit whose number is void cannot succeed, and a committed number cannot become void`() async throws
    {
        let hosts = try Hosts()
        let spool = try await hosts.open()
        try await spool.submit("job")
        let row = try hosts.query("SELECT writer, number FROM commits ORDER BY noted_at DESC, number DESC LIMIT 1")
            .split(separator: "|").map(String.init)
        let (writer, number) = (row[0], try #require(Int(row[1])))
        let lost = PostgresError(.commitUncertain, "lost")
        try PostgresOutcome.confirm(number, of: writer, at: hosts.address, after: lost)
        try PostgresOutcome.confirm(number, of: writer, at: hosts.address, after: lost)
        for _ in 0..<2 {
            let error = #expect(throws: PostgresError.self) {
                try PostgresOutcome.confirm(number + 1000, of: writer, at: hosts.address, after: lost)
            }
            #expect(error?.kind == .connectionLost && error?.isRetrySafe == true)
        }
        let late = try PostgresConnection.connect(to: hosts.address)
        #expect(throws: PostgresError.self) { try late.query(PostgresOutcome.note, [writer, number + 1000]) }
    }
}

/// Tests of the indexes that queries in PostgreSQL use.
@Suite(.disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"))
struct PostgresPlanTests {
    /// Without statistics: in the first minute after many jobs arrived, before autovacuum has run.
    @Test(arguments: [true, false])
    func `with 20,000 jobs in PostgreSQL, the queue and the job lists are read through indexes`(
        isAnalyzed: Bool
    ) async throws {
        let hosts = try PostgresStoreTests.Hosts()
        try await hosts.open().close()
        try hosts.query(
            """
            INSERT INTO jobs (uuid, printer, owner, name, state, reasons, message, ticket, priority, attempts,
                created_at, processing_at, completed_at, impressions_completed, sheets_completed)
            SELECT 'urn:uuid:' || n, 'p' || n % 50, 'o' || n % 100, 'job', CASE WHEN n % 1000 = 0 THEN 5
                WHEN n % 2 = 0 THEN 3 ELSE 9 END, '[]', '', '{}', 50, 0, n, n, CASE WHEN n % 2 = 1 THEN n END, 0, 0
            FROM generate_series(1, 20000) AS n;
            INSERT INTO printers (name, device_uri, info, is_default, is_paused, pause_message, is_accepting,
                error_policy) SELECT 'p' || n, 'x:', '', false, false, '', true, 'retry-job'
            FROM generate_series(0, 49) AS n;
            INSERT INTO events (sequence, job_id, printer, time, kind, message)
            SELECT n + 100, n, 'p1', n, 'job-created', '' FROM generate_series(1, 20000) AS n;
            INSERT INTO documents (job_id, number, format, bytes)
            SELECT id, 1, 'application/pdf', 1 FROM jobs;
            """)
        if isAnalyzed { try hosts.query("ANALYZE") }
        let connection = try PostgresConnection.connect(to: hosts.address, check: PostgresSchema.setUp)
        var owned = JobFilter(.all)
        owned.owner = "o1"
        var ofPrinter = JobFilter(.all)
        ofPrinter.printer = "p1"
        let end = EndPosition(endedAt: 20_000, id: 20_000)
        func unfinished(_ part: QueuePosition.Part, _ filter: JobFilter) throws -> SQLQuery {
            try PostgresTransaction.unfinishedIDs(part, filter, after: nil, limit: 50, offset: 0)
        }
        func ended(_ filter: JobFilter) throws -> SQLQuery {
            try PostgresTransaction.endedJobs(filter, after: end, limit: 50, offset: 0)
        }
        func query(_ sql: String, _ values: (any SQLValue)...) -> SQLQuery {
            SQLQuery(sql, values)
        }
        var expected: [(SQLQuery, index: String)] = [
            (query(PostgresTransaction.headOfQueue, "p1", 1), "jobs_queue"),
            (query(PostgresExpectations.statement, "{p1}", "{o1}", "{s1}"), "jobs_queue"),
            (query(PostgresExpectations.statement, "{p1}", "{o1}", "{s1}"), "jobs_submissions"),
            (
                query(PostgresTransaction.lockNextJobs(.perPrinter, isGuarded: false), #"["p1"]"#, 0.0, 1, "[]"),
                "jobs_pkey"
            ),
            (
                query(
                    PostgresTransaction.lockNextJobs(.perPrinter, isGuarded: true), #"["p1"]"#, 0.0, 1, "[]", "{p1}",
                    "{i}", "{1}"),
                "jobs_pkey"
            ),
            (query(PostgresTransaction.nextJobs(.perPrinter), #"["p1"]"#, 0.0, 1, "[]"), "jobs_queue"),
            (query(PostgresTransaction.nextJobs(.fair), #"["p1"]"#, 0.0, 1, "[]"), "jobs_queue_of_owner"),
            (query(PostgresTransaction.waitingByOwner, "p1"), "jobs_queue_of_owner"),
            (query(PostgresTransaction.firstJobsByOwner, "p1"), "jobs_queue_of_owner"),
            (query(PostgresTransaction.isPrinting, "p1"), "jobs_unfinished_of_printer"),
            (query(PostgresTransaction.jobsInProgress), "jobs_unfinished"),
            (try unfinished(.waiting, JobFilter(.all)), "jobs_unfinished"),
            (try unfinished(.waiting, owned), "jobs_unfinished_of_owner"),
            (try unfinished(.inProgress, JobFilter(.all)), "jobs_unfinished"),
            (try unfinished(.waiting, ofPrinter), "jobs_unfinished_of_printer"),
            (try ended(JobFilter(.all)), "jobs_ended"), (try ended(owned), "jobs_ended_of_owner"),
            (try ended(ofPrinter), "jobs_ended_of_printer"), (query(PostgresTransaction.newestEnded), "jobs_ended"),
            (query("SELECT \(PostgresTransaction.lastEvent)"), "events_pkey"),
            (query(PostgresTransaction.eventsQuery(ofJob: false), 19_000, 100), "events_pkey"),
            (query(PostgresTransaction.eventsQuery(ofJob: true), 0, 7, 100), "events_of_job"),
        ]
        if isAnalyzed {
            expected.append((query(PostgresTransaction.waitingBefore, 1000), "jobs_queue"))
            expected.append((query(PostgresTransaction.waitingForRetry, "p1"), "jobs_retry_at"))
        }
        for (query, index) in expected {
            let plan = try connection.query("EXPLAIN \(query.sql)", query.parameters).map { try $0.string(0) }
                .joined(separator: "\n")
            #expect(plan.contains("\(index) ") || plan.contains("\(index)\n"), "\(plan)")
            #expect(!plan.contains("Seq Scan on jobs") && !plan.contains("Seq Scan on events"), "\(plan)")
            #expect(!plan.contains("Seq Scan on documents"), "\(plan)")
        }
        // PostgreSQL plans a statement that runs often without its parameters.
        try connection.runScript(
            """
            SET plan_cache_mode = force_generic_plan;
            PREPARE due (float8, float8, float8) AS \(PostgresTransaction.dueOrSetBack);
            PREPARE next (float8) AS \(PostgresTransaction.nextDue);
            PREPARE expect (text[], text[], text[]) AS \(PostgresExpectations.statement);
            """)
        for statement in ["due (0, 0, 0)", "next (0)", "expect ('{p1}', '{o1}', '{s1}')"] {
            let plan = try connection.query("EXPLAIN EXECUTE \(statement)").map { try $0.string(0) }
                .joined(separator: "\n")
            #expect(!plan.contains("Seq Scan on jobs"), "\(plan)")
        }
    }
}
