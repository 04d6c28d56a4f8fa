// Runs a transaction of another process between two statements of a transaction on a simulated database server.

import PrintSpool
import Synchronization

/// The locks of a transaction on a simulated database server, which last until its end.
///
/// They follow the locks of `PostgresTransaction`. A transaction that needs a lock of another transaction fails, as in
/// PostgreSQL after the time of `lock_timeout`.
struct SimulatedLocks {
    /// The subject of a lock.
    enum Subject: Hashable {
        case job(Int)
        case printer(String)
        case queue
    }

    /// An error for a lock that another transaction holds.
    struct Timeout: Error {
        let subject: Subject
    }

    /// The locks; a value is true if no other transaction may share the lock.
    private var subjects: [Subject: Bool] = [:]

    mutating func add(_ subject: Subject, isExclusive: Bool) {
        subjects[subject] = isExclusive || subjects[subject] == true
    }

    /// Returns whether another transaction has to wait for a lock.
    func prevent(_ subject: Subject, isExclusive: Bool) -> Bool {
        subjects[subject].map { $0 || isExclusive } ?? false
    }
}

/// The writes of a process that have reached the server, and run in one or more transactions.
final class SimulatedWrite: Sendable {
    let store: SimulatedServerStore
    private let body: Mutex<(@Sendable (any StoreSession) -> Void)?>

    init(of store: SimulatedServerStore, _ body: @escaping @Sendable (any StoreSession) -> Void) {
        self.store = store
        self.body = Mutex(body)
    }

    /// Returns the function that runs the writes; nil if they have run, between the statements of another process.
    func take() -> (@Sendable (any StoreSession) -> Void)? { body.withLock { $0.take() } }
}

extension SimulatedServerSession {
    /// Lets transactions of other processes run before the next statement.
    ///
    /// The database has one connection. Therefore, the transaction must not have changed anything: it ends, and begins
    /// again after the other transactions. Its locks remain.
    ///
    /// - Parameter isChange: Whether the statement changes what the transaction has read.
    func letOthersRun(isChange: Bool = false) throws {
        guard isInTransaction, changeCount == changesBefore else { return }
        while let write = store.server.nextWrite(beside: self), store.client.isInterrupted(beforeChange: isChange) {
            try base.rollback()
            store.server.run(write, before: self)
            store.server.keepForced()
            try base.begin(durability)
            saved = store.server.tables.withLock { $0 }
        }
    }

    /// Locks a job or a printer that this transaction reads in order to change it.
    func read(_ subject: SimulatedLocks.Subject, isExclusive: Bool = true) throws {
        try lock(subject, isExclusive: isExclusive)
        seen[subject] = store.server.lastChange
    }

    /// Records the change of a job or a printer, and whether it reverts the change of another process.
    ///
    /// This check does not depend on the locks.
    func write(_ subject: SimulatedLocks.Subject) throws {
        try letOthersRun(isChange: true)
        try lock(subject)
        if store.server.change(subject) > seen[subject, default: firstSeen] {
            noteStaleWrite("\(process.host) reverted a change of \(subject) that it had not read")
        }
        seen[subject] = store.server.lastChange
    }

    /// Locks a job, a printer or the queue until the end of the transaction.
    ///
    /// - Throws: `SimulatedLocks.Timeout` if another transaction has the lock.
    func lock(_ subject: SimulatedLocks.Subject, isExclusive: Bool = true) throws {
        guard store.server.fault != .forgetsLocks else { return }
        if other?.prevents(subject, isExclusive: isExclusive) == true {
            throw SimulatedLocks.Timeout(subject: subject)
        }
        locks.add(subject, isExclusive: isExclusive)
    }

    /// Returns whether this transaction, or the transaction that waits for its end, has a lock.
    private func prevents(_ subject: SimulatedLocks.Subject, isExclusive: Bool) -> Bool {
        locks.prevent(subject, isExclusive: isExclusive)
            || other?.prevents(subject, isExclusive: isExclusive) ?? false
    }
}
