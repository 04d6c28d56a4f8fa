// How jobs come in.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// A document on its way in.
    ///
    /// With the id of a job made by `createJob`, that job's time for its documents does not run out meanwhile.
    public func makeIncoming(for jobID: Int? = nil) -> IncomingDocument {
        guard let jobID else { return store.makeIncoming() }
        uploads.begin(for: jobID)
        return store.makeIncoming { [uploads] in uploads.end(for: jobID) }
    }

    /// Accepts a job with its documents: both are on the disk when this returns (IPP `Print-Job`).
    ///
    /// A submission whose `submissionID` its owner used before makes no second job: the first is returned, and the
    /// documents are discarded. They are discarded as well when the submission is refused.
    ///
    /// - Throws: `noSuchPrinter`, `notAccepting`, `overBudget`, `noSpace`, `unwritable`.
    @discardableResult
    public func submit(
        _ submission: Submission, documents: [(IncomingDocument, name: String?, format: DocumentFormat)]
    ) async throws(SpoolError) -> Job {
        let arrivals = documents.map { Arrival(document: $0.0, name: $0.name, format: $0.format) }
        return try await accepting(arrivals) { [self] finished, db in
            if let known = try knownJob(submission, in: db) { return Acceptance(job: known, areTaken: false) }
            try budgets.admitJob(
                of: submission.owner, bytes: finished.map(\.document.bytes).reduce(0, +), in: db)
            var job = try insert(submission, incoming: false, in: db)
            for arrival in finished { try insert(arrival, of: &job, in: db) }
            return Acceptance(job: job, isNews: try !waitsBehindOthers(job, in: db))
        }
    }

    /// Accepts a job whose documents are still to come (IPP `Create-Job`).
    ///
    /// It is `pending-held` with `job-incoming`, and given up when its next document takes longer than
    /// `incomingTimeout`.
    ///
    /// - Throws: `noSuchPrinter`, `notAccepting`, `noSpace`, `unwritable`.
    public func createJob(_ submission: Submission) async throws(SpoolError) -> Job {
        try await write { [self] db in
            if let known = try knownJob(submission, in: db) { return known }
            try budgets.admitIncomingJob(of: submission.owner, in: db)
            try budgets.admitJob(of: submission.owner, bytes: 0, in: db)
            return try insert(submission, incoming: true, in: db)
        }
    }

    /// Adds a document to a job made by `createJob` (IPP `Send-Document`); with the last one the job is complete.
    ///
    /// - Throws: `noSuchJob`, `notPossible` when the job takes no more documents, `noSpace`, `unwritable`.
    public func addDocument(
        _ document: IncomingDocument, name: String?, format: DocumentFormat, to jobID: Int, isLast: Bool
    ) async throws(SpoolError) -> Job {
        try await accepting([Arrival(document: document, name: name, format: format)]) { [self] finished, db in
            var job = try incomingJob(jobID, in: db)
            try budgets.admit(bytes: finished.map(\.document.bytes).reduce(0, +), of: job.owner, in: db)
            for arrival in finished { try insert(arrival, of: &job, in: db) }
            try store(job, incomingUntil: clock() + incomingTimeout, in: db)
            return Acceptance(job: isLast ? try apply(.documentsArrived, to: job, in: db).job : job)
        }
    }

    /// Says that a job made by `createJob` has all its documents (IPP `Close-Job`); a job without one is aborted.
    ///
    /// - Throws: `noSuchJob`, `notPossible` when that was said before.
    public func closeJob(_ id: Int) async throws(SpoolError) -> Job {
        try await write { [self] db in
            let job = try incomingJob(id, in: db)
            return try apply(
                job.documents.isEmpty ? .closedWithoutDocuments : .documentsArrived, to: job, in: db
            ).job
        }
    }

    // MARK: - Steps

    /// A document with what is known of it.
    private struct Arrival: Sendable {
        var document: IncomingDocument
        var name: String?
        var format: DocumentFormat
    }

    /// What was done with documents.
    private struct Acceptance: Sendable {
        var job: Job
        /// Whether the documents are the job's now; else they are discarded.
        var areTaken = true
        /// Whether something else may be to print now.
        var isNews = true
    }

    /// Whether a new job is not the next of its printer; what that printer does next is what it would have done before.
    private func waitsBehindOthers(_ job: Job, in db: Database) throws -> Bool {
        guard job.state == .pending else { return false }
        let statement = try db.cachedStatement(sql: Self.headOfQueue)
        return try Int.fetchOne(statement, arguments: [job.printer]) != job.id
    }

    /// Finds the job at the head of a printer's queue.
    private static let headOfQueue =
        "SELECT id FROM jobs WHERE printer = ? AND state = 3 ORDER BY priority DESC, id LIMIT 1"

    /// Forces documents onto the disk, then runs `body` in a transaction.
    private func accepting(
        _ arrivals: [Arrival], _ body: @escaping @Sendable ([Arrival], Database) throws -> Acceptance
    ) async throws(SpoolError) -> Job {
        do {
            if arrivals.contains(where: \.document.isLarge) {
                try await store.onDisk { () throws(SpoolError) in
                    for arrival in arrivals { _ = try arrival.document.finish() }
                }
            }
            let undo: @Sendable () -> Void = { for arrival in arrivals { arrival.document.takeBack() } }
            let accepted = try await write(.forced, undo: undo, isNews: \.isNews) { try body(arrivals, $0) }
            for arrival in arrivals {
                if accepted.areTaken { arrival.document.handOver() } else { arrival.document.discard() }
            }
            return accepted.job
        } catch {
            for arrival in arrivals { arrival.document.discard() }
            throw error
        }
    }

    /// The job that this submission made before.
    func knownJob(_ submission: Submission, in db: Database) throws -> Job? {
        guard let submissionID = submission.submissionID else { return nil }
        let id = try Int.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM jobs WHERE owner = ? AND submission_id = ?"),
            arguments: [submission.owner, submissionID])
        return try id.map { try JobRecord.job($0, in: db) }
    }

    /// The job, which must be waiting for documents.
    private func incomingJob(_ id: Int, in db: Database) throws -> Job {
        let job = try JobRecord.job(id, in: db)
        guard job.state == .pendingHeld, job.reasons.contains(.jobIncoming) else {
            throw SpoolError.notPossible("job \(id) is \(job.state) and takes no more documents; submit a new job")
        }
        return job
    }

    func insert(_ submission: Submission, incoming: Bool, in db: Database) throws -> Job {
        let accepts = try Bool.fetchOne(
            try db.cachedStatement(sql: "SELECT is_accepting FROM printers WHERE name = ?"),
            arguments: [submission.printer])
        guard let accepts else { throw SpoolError.noSuchPrinter(submission.printer) }
        guard accepts else { throw SpoolError.notAccepting(submission.printer) }
        let now = clock()
        let uuid = "urn:uuid:" + store.makeName()
        var job = submission.job(uuid: uuid, incoming: incoming, now: now)
        if incoming || job.waitsForClock { dueTimes.beginChange() }
        try JobRecord.insert(&job, incomingUntil: incoming ? now + incomingTimeout : nil, in: db)
        try appendEvent("job-created", of: job, message: "Accepted for \(job.printer)", in: db)
        return job
    }

    private func insert(_ arrival: Arrival, of job: inout Job, in db: Database) throws {
        let document = JobDocument(
            number: job.documents.count + 1, name: arrival.name, format: arrival.format, bytes: arrival.document.bytes)
        var file: String?
        var content: Data?
        switch try arrival.document.finish() {
        case .inline(let bytes): content = Data(bytes)
        case .file:
            let name = store.fileName(document.number, document.format)
            try store.place(arrival.document, as: name, jobID: job.id)
            file = name
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                job.id, document.number, document.name, document.format.rawValue, document.bytes, file, content,
            ])
        job.documents.append(document)
    }
}
