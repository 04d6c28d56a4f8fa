// The writing session of a spool in PostgreSQL.

import FoundationEssentials
import PostgresClient
import PrintModel
import Synchronization

/// A connection that a transaction or a snapshot uses.
///
/// A statement whose result is not needed is sent together with the next query or with the commit. That query or commit
/// also throws the error of the statement. New jobs and documents of several writes are inserted together before the
/// next other statement. A failed statement ends the transaction. `GroupCommitter` then runs each write of the
/// transaction again in a separate transaction.
final class PostgresSession: StoreSession {
    let connection: PostgresConnection
    /// The address for the connection that looks up the outcome of a commit; nil for a snapshot.
    private let address: PostgresAddress?
    private(set) var changeCount = 0
    /// The leases under which the jobs that the transaction has locked are in progress, by job id.
    var jobLeases: [Int: JobLease] = [:]
    /// The events of the transaction, which the commit stores.
    var events: [StoredEvent] = []
    /// The new jobs and documents that are not inserted yet.
    private var (jobs, documents) = (PostgresInsertion(into: "jobs"), PostgresInsertion(into: "documents"))
    /// The size of the contents of `documents`.
    private var contentBytes = 0
    /// What was read in advance for submissions; nil after another statement, which may have changed it.
    var expectations: PostgresExpectations?
    /// The ids that were reserved for submissions of the transaction, and are not used yet.
    private var reservedIDs: ArraySlice<Int> = []
    /// The function that waits for the end of earlier transactions of the process; nil if they have ended.
    private var takeTurn: (() -> Void)?
    private let submissions: SubmissionsInProgress
    /// The lower bound of the ids of unfinished jobs; nil if unknown.
    private let floor: PostgresQueueFloor?
    private var keys: Set<ExpectedSubmission.Key> = []
    /// The name of the writer in the table `commits`.
    private let writer: String
    /// The number of the transaction in the table `commits`, which no other transaction of this process has.
    private var number = 0
    private static let lastNumber = Atomic(0)
    /// `changeCount` at the start of the transaction.
    private var changesBefore = 0
    /// The leases under which the transaction starts jobs, which the updates of the jobs store.
    var newLeases: [Int: PrinterLease] = [:]

    /// The lease under which a job was started or taken over last.
    struct JobLease: Equatable {
        var epoch: Int?
        var incarnation: String?
    }

    init(
        _ connection: PostgresConnection, address: PostgresAddress?, writer: String = "",
        submissions: SubmissionsInProgress = SubmissionsInProgress(), floor: PostgresQueueFloor? = nil
    ) {
        (self.connection, self.address, self.writer, self.submissions) = (connection, address, writer, submissions)
        self.floor = floor
    }

    var transaction: any SpoolTransaction { PostgresTransaction(self) }

    /// Whether the session can write.
    ///
    /// If true, a query for a job locks the row of the job until the end of the transaction.
    var isWriting: Bool { address != nil }

    var isUsable: Bool { connection.isOpen }

    var isInTransaction: Bool { connection.transactionStatus == .open }

    func begin(_ durability: Durability) throws {
        (jobs, documents) = (PostgresInsertion(into: "jobs"), PostgresInsertion(into: "documents"))
        (events, contentBytes, expectations, takeTurn, jobLeases, newLeases) = ([], 0, nil, nil, [:], [:])
        reservedIDs = []
        try connection.begin()
        (number, changesBefore) = (Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, changeCount)
        try connection.enqueue(PostgresOutcome.begin, [durability == .forced ? "on" : "off", "\(floor?.value ?? 0)"])
    }

    func beforeDependence(_ takeTurn: @escaping () -> Void) { self.takeTurn = takeTurn }

    func expect(_ expected: [ExpectedSubmission]) throws {
        // A submission may repeat a submission of the transaction before, whose result is not known yet.
        let new = Set(expected.compactMap(\.key)).subtracting(keys)
        if !submissions.begin(new) {
            waitForTurn()
            _ = submissions.begin(new)
        }
        keys.formUnion(new)
        try insertRows()
        reservedIDs += expectations?.ids ?? []
        expectations = try PostgresExpectations(of: expected, on: connection)
    }

    /// Returns an id that was reserved for a submission; nil if all ids are in use.
    func takeReservedID() -> Int? { reservedIDs.popFirst() ?? expectations?.takeID() }

    func sendAhead() throws {
        try insertRows()
        try connection.sendPipeline()
    }

    /// Waits for the end of earlier transactions of the process.
    func waitForTurn() {
        guard let takeTurn else { return }
        self.takeTurn = nil
        takeTurn()
    }

    private func endSubmissions() {
        submissions.end(keys)
        keys = []
    }

    func commit() throws {
        defer { endSubmissions() }
        try insertRows()
        try noteCommit()
        do {
            try connection.commit()
        } catch  where error.kind == .commitUncertain {
            guard let address else { throw UnknownOutcome(cause: error) }
            connection.close()
            try PostgresOutcome.confirm(number, of: writer, at: address, after: error)
        }
    }

    /// Stores the events and the number of the transaction; does nothing if the transaction changes nothing.
    private func noteCommit() throws {
        guard changeCount != changesBefore else { return }
        if number.isMultiple(of: PostgresOutcome.period) {
            try connection.enqueue(PostgresOutcome.removeEarlier, [writer, number])
        }
        if events.isEmpty {
            try connection.enqueue(PostgresOutcome.note, [writer, number])
        } else {
            try PostgresTransaction.insert(events, notingCommit: number, of: writer, on: connection)
        }
    }

    func rollback() throws {
        connection.rollback()
        endSubmissions()
    }

    func eraseDeletedContent() {}

    // MARK: - Statements

    /// Prepares for a statement that can depend on the earlier writes of the transaction, or change what was read in
    /// advance.
    private func beginStatement() throws {
        waitForTurn()
        reservedIDs += expectations?.ids ?? []
        expectations = nil
        try insertRows()
    }

    func query(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> PostgresRows {
        try beginStatement()
        return try connection.query(sql, Self.storable(parameters))
    }

    /// Runs a query whose result need not contain the changes of transactions that are in progress.
    ///
    /// The query waits for no earlier transaction, and what was read in advance for submissions stays valid.
    func queryCommitted(_ sql: String, _ parameters: [(any PostgresParameter)?]) throws -> PostgresRows {
        try connection.query(sql, Self.storable(parameters))
    }

    /// Adds a query that is sent together with the next query.
    ///
    /// The next query also reads the rows of this query, and passes the rows to `receive`.
    func query(
        _ sql: String, _ parameters: [(any PostgresParameter)?], receive: @escaping (PostgresRows) -> Void
    ) throws {
        try beginStatement()
        try connection.enqueue(sql, Self.storable(parameters), receive: receive)
    }

    /// Runs a statement that changes rows, and returns the rows of the statement's result.
    func change(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> PostgresRows {
        try beginStatement()
        let rows = try connection.query(sql, Self.storable(parameters))
        changeCount += rows.affectedRows
        return rows
    }

    /// Sends a statement that changes rows, and does not wait for its result.
    func enqueue(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws {
        changeCount += 1
        try beginStatement()
        try connection.enqueue(sql, Self.storable(parameters))
    }

    // MARK: - Rows

    /// The size of contents at which documents are sent to the server.
    private static let sendingBytes = 1 << 20

    /// Adds a new job, which is inserted before the next other statement.
    func insertJob(_ fields: [PostgresInsertion.Field]) {
        changeCount += 1
        jobs.append(fields)
    }

    /// Adds a document, which is inserted before the next other statement.
    func insertDocument(_ fields: [PostgresInsertion.Field], contentBytes bytes: Int) throws {
        changeCount += 1
        documents.append(fields)
        contentBytes += bytes
        if contentBytes >= Self.sendingBytes { try insertRows() }
    }

    /// Inserts the new jobs and documents, without waiting for the results.
    private func insertRows() throws {
        try jobs.enqueue(in: self)
        try documents.enqueue(in: self)
        contentBytes = 0
    }

    /// Appends an event, which the commit stores.
    func append(_ event: StoredEvent) {
        changeCount += 1
        events.append(event)
    }

    /// Replaces zero bytes in texts, because PostgreSQL cannot store zero bytes.
    static func storable(_ parameters: [(any PostgresParameter)?]) -> [(any PostgresParameter)?] {
        parameters.map { ($0 as? String)?.withoutZeroBytes ?? $0 }
    }
}

extension String {
    /// The text with a replacement character for each zero byte, which PostgreSQL cannot store.
    var withoutZeroBytes: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

/// The submissions of transactions in progress, so that no transaction waits for the row of a later transaction.
final class SubmissionsInProgress: Sendable {
    private let keys = Mutex<Set<ExpectedSubmission.Key>>([])

    /// Adds submissions; returns false if one of them is in progress.
    func begin(_ new: Set<ExpectedSubmission.Key>) -> Bool {
        keys.withLock { keys in
            guard keys.isDisjoint(with: new) else { return false }
            keys.formUnion(new)
            return true
        }
    }

    func end(_ ended: Set<ExpectedSubmission.Key>) { keys.withLock { $0.subtract(ended) } }
}
