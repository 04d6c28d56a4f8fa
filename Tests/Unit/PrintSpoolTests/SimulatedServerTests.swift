import Foundation
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool
@testable import SimulatedDatabase

/// Tests of hosts that share a simulated database server, and of the server's rules.
struct SimulatedServerTests {
    private let database: MemoryDatabase
    private let server: SimulatedDatabaseServer
    private let folder: TemporaryFolder

    init() throws {
        database = try MemoryDatabase()
        server = SimulatedDatabaseServer(database, clock: { 0 }, observe: { _ in })
        folder = try TemporaryFolder()
    }

    private func open(
        _ host: String, budget: UserBudget = UserBudget(),
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws -> (spool: Spool, client: UndisturbedClient) {
        let client = UndisturbedClient()
        let handle = SimulatedDatabaseServer.Handle(
            server, for: client, host: host, incarnation: "\(host)-1", folder: host)
        let medium = SpoolMedium.shared(
            files: POSIXFileSystem(), database: handle, makeName: RandomUUID.make, uptime: uptime)
        let spool = try Spool(folder: folder.path(host), budget: budget, clock: { 0 }, medium: medium)
        return (spool, client)
    }

    private func addPrinter(to spool: Spool) async throws {
        try await spool.addPrinter(ConfiguredPrinter(name: "x", deviceURI: "ipp://localhost/x"))
    }

    private func submit(_ bytes: [UInt8], to spool: Spool) async throws -> Job {
        let document = spool.makeIncoming()
        try document.write(bytes)
        return try await spool.submit(
            Submission(printer: "x", owner: "ada", name: "job"), documents: [(document, name: nil, format: .pdf)])
    }

    @Test func `jobs that a user submits on other hosts count toward the user's limits after a second`() async throws {
        let uptime = Mutex(ContinuousClock.now)
        let budget = UserBudget(jobs: 4)
        let a = try open("a", budget: budget, uptime: { uptime.withLock { $0 } }).spool
        let b = try open("b", budget: budget, uptime: { uptime.withLock { $0 } }).spool
        try await addPrinter(to: a)
        _ = try await submit([1], to: b)
        for _ in 1...3 { _ = try await submit([1], to: a) }
        #expect(await code { _ = try await submit([1], to: a) } == .overBudget)
        uptime.withLock { $0 += BudgetTracker.lifetime }
        #expect(await code { _ = try await submit([1], to: b) } == .overBudget)
        try await a.change(1, .cancelRequested(byOperator: false))
        _ = try await submit([1], to: b)
    }

    @Test func `after a submission that may not have been saved, a job with the same id has its own document`()
        async throws
    {
        let (a, client) = try open("a")
        let (b, _) = try open("b")
        try await addPrinter(to: a)
        let (lost, kept) = ([UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 100_000))
        client.fates.withLock { $0 = [.unknown(isCommitted: false)] }
        let error = await #expect(throws: SpoolError.self) { try await submit(lost, to: a) }
        #expect(error?.isOutcomeUnknown == true)
        // The server has crashed, and uses the number again.
        try database.execute("DELETE FROM sqlite_sequence WHERE name = 'jobs'")
        let job = try await submit(kept, to: b)
        let path = try #require(try await a.documents(of: job.id).first?.path)
        #expect(FileManager.default.contents(atPath: path) == Data(kept))
    }

    @Test func `a job starts only under a lease that the caller of claim knows`() async throws {
        let (a, _) = try open("a")
        try await addPrinter(to: a)
        let job = try await submit([1], to: a)
        let known = a.leases
        try await a.renewLeases()
        #expect(try await a.claim(fromPrinters: ["x"], under: known) == nil)
        #expect(try await a.claim(fromPrinters: ["x"], under: a.leases)?.id == job.id)
    }

    /// While a lease is over or near its end, the scheduler finds a new job but cannot start the job.
    @Test(arguments: [(2, false), (7, true), (11, true)])
    func `the renewal of a lease wakes the scheduler if no job could start before the renewal`(
        seconds: Int, isWoken: Bool
    ) async throws {
        let uptime = Mutex(ContinuousClock.now)
        let wakeUps = Mutex(0)
        let a = try open("a", uptime: { uptime.withLock { $0 } }).spool
        try await addPrinter(to: a)
        try await a.renewLeases()
        uptime.withLock { $0 += .seconds(seconds) }
        try await a.wake({ wakeUps.withLock { $0 += 1 } }) { try await a.renewLeases() }
        #expect(wakeUps.withLock { $0 } == (isWoken ? 1 : 0))
    }

    @Test func `a host does not use a lease any more when the server ends the lease at the host's request`()
        async throws
    {
        let (a, client) = try open("a")
        try await addPrinter(to: a)
        try await a.renewLeases()
        let lease = try #require(a.leases["x"])
        try await a.setDraining(true, host: "a")
        let state = Mutex<PrinterLease.State?>(nil)
        client.beforeAnswer.withLock { $0 = { state.withLock { $0 = a.state(of: lease) } } }
        try await a.renewLeases()
        #expect(state.withLock { $0 } == .lost)
    }

    @Test func `a process takes a lease after its end, and a job in progress then belongs to the process`() throws {
        let (a, b) = (process("a"), process("b"))
        var tables = HostTables()
        let taken = tables.acquire("x", for: a, inProgress: [], at: 0)
        let first = try #require(taken)
        tables.jobLeases[7] = HostTables.JobLease(first)
        #expect(tables.confirm(first, at: 6.9) && !tables.confirm(first, at: 7))
        let early = tables.acquire("x", for: b, inProgress: [7], at: 10)
        let renewed = tables.renew(["x"], of: a, at: 10)
        #expect(early == nil && renewed == [first])
        let takenOver = tables.acquire("x", for: b, inProgress: [7], at: 20.1)
        let second = try #require(takenOver)
        #expect(second.epoch == 2 && tables.jobLeases[7] == HostTables.JobLease(second))
        let late = tables.renew(["x"], of: a, at: 20.2)
        #expect(late.isEmpty)
    }

    @Test func `a second process with the same host name is refused until the first process is silent`() {
        let (first, second) = (process("a"), process("a", run: 2, folder: "other"))
        var tables = HostTables()
        let isRegistered = tables.register(first, at: 0)
        let isRefused = !tables.register(second, at: 10)
        let isReplaced = tables.register(second, at: 10.1)
        #expect(isRegistered && isRefused && isReplaced)
        let isHeard = tables.hear(first, at: 11)
        #expect(!isHeard)
    }

    private func process(_ host: String, run: Int = 1, folder: String? = nil) -> HostProcess {
        HostProcess(host: host, incarnation: "\(host)-\(run)", folder: folder ?? host)
    }
}
