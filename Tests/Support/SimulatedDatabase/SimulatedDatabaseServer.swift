// Models a PostgreSQL server with a spool that several hosts share, for simulations.

import PrintModel
import PrintSpool
import Synchronization

/// A model of a PostgreSQL server with a spool that several hosts share.
///
/// The jobs are in a database in memory with the tables of SQLite. The tables of hosts and leases are Swift values with
/// the rules of `PostgresHosts` (`HostTables`). The model has the faults of a server and of a network: the server can
/// stop and lose commits that were not forced, and the answer to a commit can be lost.
///
/// All work runs on the calling thread, so only one thread at a time may use the server. Transactions of other processes
/// can run between the statements of a transaction, until its first change (`SimulatedLocks`).
package final class SimulatedDatabaseServer: Sendable {
    /// The callbacks of a process that uses the server.
    package protocol Client: MemoryDatabase.Process {
        /// Waits for a connection to the server for at most 10 seconds, and then runs `work` in the process.
        func connect(_ work: @escaping @Sendable (_ isConnected: Bool) -> Void)

        /// Sends a request on the connection for leases and large documents.
        ///
        /// - Parameters:
        ///   - arrive: The work of the server, which runs even if the process has stopped in the meantime. If the
        ///     request is lost, the work does not run.
        ///   - answer: The work of the process after the answer. `isAnswered` is false if the connection was lost.
        func request(
            arrive: @escaping @Sendable () -> Void, answer: @escaping @Sendable (_ isAnswered: Bool) -> Void)

        /// Whether the process is stopped, as by SIGSTOP.
        var isStopped: Bool { get }

        /// Runs the transaction that the server has received, now or a little later.
        func start(_ transaction: @escaping @Sendable () -> Void)

        /// Returns whether a transaction of another process runs before the next statement of this process.
        ///
        /// - Parameter isChange: Whether the statement changes what the process has read.
        func isInterrupted(beforeChange isChange: Bool) -> Bool

        /// Returns what happens to the next commit on the connection of the process.
        func fateOfCommit() -> CommitFate

        /// Runs `work` in the process when a notification arrives; the notification can be lost.
        func notify(_ work: @escaping @Sendable () -> Void)

        /// Runs `work` in the process after a number of seconds.
        func wait(_ seconds: Double, _ work: @escaping @Sendable () -> Void)

        /// Returns the content of a file on the disk of the process; nil if the file cannot be read.
        func read(_ path: String) -> [UInt8]?
    }

    /// The result of a commit from the view of the process.
    package enum CommitFate: Sendable {
        /// The server reports the result.
        case answered
        /// The connection is lost before the server receives the commit.
        case lost
        /// The connection is lost, and the process cannot find out whether the server has committed (`UnknownOutcome`).
        case unknown(isCommitted: Bool)
    }

    /// An error of the server that the simulation must detect.
    package enum Fault: Sendable {
        /// Every lease is accepted for claims and for writes about jobs in progress.
        case ignoresGuards
        /// A process can take the lease of another process six seconds before the end of the lease.
        case endsLeasesEarly
        /// A statement that reads a job or a printer to change it does not lock it.
        case forgetsLocks
    }

    /// An observation of the server, for checks and counts.
    package enum Observation: Sendable {
        /// A process without the lease of a job has changed the job in progress, or has reverted the change of another
        /// process.
        case staleWrite(String)
        /// The server has refused a write under a lease that another process has taken, or the start of a job.
        case refusedWrite
        /// A process has taken a printer with a number of jobs in progress from another process.
        case takeover(jobs: Int)
    }

    let database: MemoryDatabase
    /// The clock of the server, in seconds.
    let clock: @Sendable () -> Double
    let fault: Fault?
    let observe: @Sendable (Observation) -> Void
    /// The durability to which the writing connection of all processes is set.
    let durability = SQLiteDurability()
    let tables = Mutex(HostTables())
    /// The leases of jobs at the last forced commit, if a later commit can be lost.
    private let forcedJobLeases = Mutex<[Int: HostTables.JobLease]?>(nil)
    private let running = Atomic(true)
    private let starts = Atomic(0)
    private let stores = Mutex<[SimulatedServerStore]>([])
    /// The writes that have reached the server and have not run.
    private let writes = Mutex<[SimulatedWrite]>([])
    /// The number of the last change of all jobs and printers, and of each one.
    private let changes = Mutex<(last: Int, bySubject: [SimulatedLocks.Subject: Int])>((0, [:]))

    /// Creates a server whose jobs are in `database`.
    ///
    /// - Parameters:
    ///   - clock: The clock of the server, in seconds.
    ///   - fault: An error of the server, to test the simulation.
    ///   - observe: A function that receives the observations of the server.
    package init(
        _ database: MemoryDatabase, clock: @escaping @Sendable () -> Double, fault: Fault? = nil,
        observe: @escaping @Sendable (Observation) -> Void
    ) {
        (self.database, self.clock, self.fault, self.observe) = (database, clock, fault, observe)
    }

    // MARK: - Faults

    /// Whether the server accepts connections.
    package var isRunning: Bool { running.load(ordering: .relaxed) }

    /// The number of starts; a connection to an earlier start is lost.
    var startNumber: Int { starts.load(ordering: .relaxed) }

    /// Stops the server.
    ///
    /// - Parameter losesUnforced: Whether the commits after the last forced commit are lost, as after a crash of the
    ///   server or a failover to a synchronous standby.
    package func stop(losesUnforced: Bool) throws {
        running.store(false, ordering: .relaxed)
        guard losesUnforced, database.keepsForced else { return }
        try database.cutPower()
        forcedJobLeases.withLock { forced in
            if let forced { tables.withLock { $0.jobLeases = forced } }
        }
    }

    /// Starts the server.
    ///
    /// The event numbers skip a range (`PostgresTimeline`).
    package func start() throws {
        guard !isRunning else { return }
        try database.execute(
            "UPDATE sqlite_sequence SET seq = seq + \(EventNumbers.jump) WHERE name = 'events'")
        starts.add(1, ordering: .relaxed)
        running.store(true, ordering: .relaxed)
    }

    /// The names of the hosts that have the lease of a printer, by printer, for checks.
    package var drivers: [String: String] {
        tables.withLock { tables in
            tables.leases.filter { $0.value.until >= clock() }.mapValues(\.host)
        }
    }

    /// The time in seconds before its end at which a lease can be taken; 0 without a fault of the server.
    var early: Double { fault == .endsLeasesEarly ? 6 : 0 }

    // MARK: - The stores of the processes

    /// Prepares the database for a write that a crash of the server may lose.
    func keepForced() {
        let wasKept = database.keepsForced
        database.keepForced()
        guard !wasKept, database.keepsForced else { return }
        forcedJobLeases.withLock { forced in forced = tables.withLock { $0.jobLeases } }
    }

    /// Runs a forced transaction on the tables of hosts and leases.
    ///
    /// - Throws: The error of `body`; the transaction then has no effect.
    func transaction<Value>(
        _ body: (inout HostTables, SQLiteTransaction, _ now: Double) throws -> Value
    ) throws -> Value {
        var changed = tables.withLock { $0 }
        let value = try database.read { try body(&changed, $0, clock()) }
        tables.withLock { $0 = changed }
        // A forced commit also forces all earlier commits.
        database.dropForced()
        return value
    }

    /// The number of the last change of a job or a printer.
    var lastChange: Int { changes.withLock { $0.last } }

    /// Records a change of a job or a printer, and returns the number of its previous change.
    func change(_ subject: SimulatedLocks.Subject) -> Int {
        changes.withLock { changes in
            changes.last += 1
            return changes.bySubject.updateValue(changes.last, forKey: subject) ?? 0
        }
    }

    /// Notes a write that runs soon, or between two statements of another process.
    func receive(_ write: SimulatedWrite) { writes.withLock { $0.append(write) } }

    /// Returns the oldest write that can run now, and does not belong to a process whose transaction is in progress.
    func nextWrite(beside session: SimulatedServerSession) -> SimulatedWrite? {
        var busy: [SimulatedServerStore] = []
        var next: SimulatedServerSession? = session
        while let session = next { (busy, next) = (busy + [session.store], session.other) }
        return writes.withLock { writes in
            writes.first { write in
                let store = write.store
                return !busy.contains { $0 === store } && !store.client.isStopped
                    && store.failure(isConnected: true) == nil
            }
        }
    }

    /// Runs a write, if it has not run.
    ///
    /// - Parameter other: The session whose transaction continues after the write; nil if no transaction is in progress.
    func run(_ write: SimulatedWrite, before other: SimulatedServerSession? = nil) {
        writes.withLock { $0.removeAll { $0 === write } }
        guard let body = write.take() else { return }
        let store = write.store
        if let failure = store.failure(isConnected: true) { return body(UnavailableSession(error: failure)) }
        keepForced()
        database.write(for: store.client, setting: durability) { base in
            body(SimulatedServerSession(base, of: store, before: other))
        }
    }

    func open(_ store: SimulatedServerStore) { stores.withLock { $0.append(store) } }

    func close(_ store: SimulatedServerStore) { stores.withLock { $0.removeAll { $0 === store } } }

    /// Notifies the other processes about a change.
    func announceChange(_ news: News, by sender: SimulatedServerStore) {
        for store in stores.withLock({ $0 }) where store !== sender { store.receiveNotification(news) }
    }

    /// The error for a server that cannot be reached.
    static let unreachable = SpoolError(
        code: .unavailable, message: "cannot use the simulated database (connection lost)")
}
