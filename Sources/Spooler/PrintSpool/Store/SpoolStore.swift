// Defines the port between a spool and its database.

package import PrintModel

/// The database of a spool.
///
/// The interface of a store consists of operations on jobs, printers and events, and contains no SQL. The rules, such
/// as the state machine of jobs and the texts of events, are in `Spool`, so that all stores follow the same rules. A
/// writer of the store runs one write transaction at a time. Each read uses a snapshot of the committed data.
package protocol SpoolStore: Sendable {
    /// The number of writers, whose transactions can overlap.
    var writers: Int { get }

    /// Runs `body` with the session of the first writer as soon as the session is free.
    func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void)

    /// Runs `body` with the session of a writer as soon as the session is free.
    ///
    /// - Parameter writer: The number of the writer, from 0.
    func startWriting(as writer: Int, _ body: @escaping @Sendable (any StoreSession) -> Void)

    /// Runs `body` on a snapshot of the committed data.
    func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void)

    /// Runs `body` on a snapshot of the committed data, and waits for its result.
    func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value

    /// The large documents in the database; nil if large documents are files in the spool's folder.
    var largeDocuments: (any LargeDocuments)? { get }

    /// The hosts that share the database; nil if no other process can use the database.
    var hosts: (any HostRegistry)? { get }

    /// The space that the store keeps for changes while the disk is full; nil if the store keeps no space.
    var reserve: SpaceReserve? { get }

    /// Gives a part of `reserve` back to the disk after a change has failed because the disk is full.
    ///
    /// - Parameter level: The level of the reserve before the change.
    /// - Returns: Whether the change can be repeated.
    func makeSpace(below level: Int) async -> Bool

    /// Gives the space of the store's log back to the disk, as far as possible.
    func shortenLog() async

    /// The restrictions of the connection to the database, for the log and for `printq doctor`.
    var warnings: [HealthFinding] { get }

    /// Notifies the other hosts about a committed change, without waiting.
    func announceChange(_ news: News)

    /// Calls `body` after changes of other hosts, until the store is closed.
    ///
    /// The store also calls `body` from time to time with nil, because the store may fail to detect a change.
    func observeChanges(_ body: @escaping @Sendable (News?) -> Void)

    /// Returns whether a transaction that failed with an error had no effect and should be repeated immediately.
    ///
    /// An example is a deadlock with the transaction of another host.
    func mayRepeat(_ error: any Error) -> Bool

    /// Performs maintenance after a transaction has ended and the callers of the transaction have continued.
    func tidy(_ session: any StoreSession)

    /// Writes a consistent copy of the committed data to a new or empty database file, while other work continues.
    func copy(to path: String) throws

    /// Converts an error of the database to an error of the spool.
    ///
    /// An error that already is a `SpoolError` does not change.
    func error(_ error: any Error) -> SpoolError

    /// Closes the database.
    ///
    /// All later calls throw an error.
    func close() throws
}

/// The durability that a write must have before the caller continues.
package enum Durability: Sendable {
    /// A write whose changes are synced to disk.
    case forced
    /// A committed write that is not synced to disk.
    ///
    /// The write survives the end of this process. A power failure may lose the write until a later write is synced to
    /// disk. If the write is lost, all later writes are lost too.
    case ordered
}

/// The writing session of a store.
///
/// One thread at a time uses the session.
package protocol StoreSession {
    /// The operations of the current transaction.
    var transaction: any SpoolTransaction { get }

    /// Reserves the id of a new job, so that files can be stored in the folder of the job before the job is inserted.
    ///
    /// The reservation is not synced to disk. Only a store without `LargeDocuments` reserves ids.
    func reserveJobID() throws -> Int

    /// Begins a transaction.
    ///
    /// This call throws an error if the store is closed.
    func begin(_ durability: Durability) throws

    /// Reads in advance what submissions need, which is faster than a query for each submission.
    ///
    /// The writes of the transaction that follow immediately are these submissions, in this order.
    func expect(_ submissions: [ExpectedSubmission]) throws

    /// Sets the function that waits for the end of all earlier transactions of this process.
    ///
    /// The session calls the function at most once, before the first statement of the transaction that depends on
    /// earlier transactions. Submissions do not depend on them, if they do nothing that was not read in advance.
    func beforeDependence(_ takeTurn: @escaping () -> Void)

    /// Sends the new rows of the transaction to the database, without waiting.
    func sendAhead() throws

    /// Whether the session can begin another transaction; false after its connection was lost.
    var isUsable: Bool { get }

    /// Commits the transaction, and returns when the transaction has the required durability.
    ///
    /// - Throws: `UnknownOutcome` if the transaction may have been committed. After any other error nothing was
    ///   committed.
    func commit() throws

    /// Rolls the transaction back; does nothing if the database has already rolled the transaction back.
    func rollback() throws

    /// Whether a transaction is in progress.
    ///
    /// A serious error, such as a full disk, ends the transaction.
    var isInTransaction: Bool { get }

    /// A number that increases with each statement that may have changed rows.
    var changeCount: Int { get }

    /// Overwrites deleted documents that the database still keeps in its log.
    ///
    /// The call may have no effect while a reader needs the log. A later call succeeds.
    func eraseDeletedContent()
}

extension SpoolStore {
    package var writers: Int { 1 }
    package func startWriting(as writer: Int, _ body: @escaping @Sendable (any StoreSession) -> Void) {
        startWriting(body)
    }
    package var largeDocuments: (any LargeDocuments)? { nil }
    package var hosts: (any HostRegistry)? { nil }
    package var reserve: SpaceReserve? { nil }
    package func makeSpace(below level: Int) async -> Bool { false }
    package func shortenLog() async {}
    package var warnings: [HealthFinding] { [] }
    package func announceChange(_ news: News) {}
    package func observeChanges(_ body: @escaping @Sendable (News?) -> Void) {}
    package func mayRepeat(_ error: any Error) -> Bool { false }
}

extension StoreSession {
    package func reserveJobID() throws -> Int { preconditionFailure("the documents of this store are in its database") }
    package func expect(_ submissions: [ExpectedSubmission]) throws {}
    package func beforeDependence(_ takeTurn: @escaping () -> Void) { takeTurn() }
    package func sendAhead() {}
    package var isUsable: Bool { true }
}

/// A submission that a write will make unless the submission is refused.
package struct ExpectedSubmission: Sendable {
    /// The identification of a submission that a client may repeat.
    package struct Key: Hashable, Sendable {
        var owner: String
        var submissionID: String
    }

    package var printer: String
    package var owner: String
    /// The client's id for the submission; nil if the client has sent no id.
    package var submissionID: String?

    package var key: Key? { submissionID.map { Key(owner: owner, submissionID: $0) } }
}

/// An error for a transaction that may or may not have been committed.
///
/// The writes of the transaction must not run again, and their changes outside the database must not be reverted.
package struct UnknownOutcome: Error {
    package var cause: any Error

    package init(cause: any Error) { self.cause = cause }
}

extension SpoolError {
    /// Whether the change that failed may have been saved.
    package var isOutcomeUnknown: Bool { cause is UnknownOutcome }
}

/// The session of a store without a connection; every transaction fails.
package struct UnavailableSession: StoreSession {
    package let error: any Error

    package init(error: any Error) { self.error = error }

    package var transaction: any SpoolTransaction { fatalError("a transaction that did not begin has no operations") }
    package var isUsable: Bool { false }
    package var isInTransaction: Bool { false }
    package var changeCount: Int { 0 }
    package func begin(_ durability: Durability) throws { throw error }
    package func commit() throws { throw error }
    package func rollback() throws {}
    package func eraseDeletedContent() {}
}
