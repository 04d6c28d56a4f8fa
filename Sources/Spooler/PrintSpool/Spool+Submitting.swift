// Accepts jobs and their documents.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// Returns a document for an upload.
    ///
    /// - Parameter jobID: The id of a job created by `createJob`. The job's timeout for documents does not expire
    ///   during the upload.
    public func makeIncoming(for jobID: Int? = nil) -> IncomingDocument {
        guard let jobID else { return store.makeIncoming() }
        uploads.begin(for: jobID)
        return store.makeIncoming { [uploads] in uploads.end(for: jobID) }
    }

    /// Accepts a job with its documents (IPP `Print-Job`).
    ///
    /// The job and the documents are on the disk when the function returns.
    ///
    /// If the owner has used the `submissionID` before, returns the job of the first submission and discards the
    /// documents. The documents are also discarded when the submission is refused.
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

    /// Accepts a job without documents (IPP `Create-Job`).
    ///
    /// The function `addDocument` adds the documents later.
    ///
    /// The job is `pending-held` with `job-incoming`. The job is aborted if the next document does not arrive within
    /// `incomingTimeout`.
    ///
    /// - Throws: `noSuchPrinter`, `notAccepting`, `overBudget`, `noSpace`, `unwritable`.
    public func createJob(_ submission: Submission) async throws(SpoolError) -> Job {
        try await write { [self] db in
            if let known = try knownJob(submission, in: db) { return known }
            try budgets.admitIncomingJob(of: submission.owner, in: db)
            try budgets.admitJob(of: submission.owner, bytes: 0, in: db)
            return try insert(submission, incoming: true, in: db)
        }
    }

    /// Adds a document to a job created by `createJob` (IPP `Send-Document`).
    ///
    /// The last document completes the job.
    ///
    /// - Throws: `noSuchJob`, `notPossible` when the job accepts no more documents, `overBudget`, `noSpace`,
    ///   `unwritable`.
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

    /// Closes a job created by `createJob` (IPP `Close-Job`).
    ///
    /// A job without a document is aborted.
    ///
    /// - Throws: `noSuchJob`, or `notPossible` when the job is already closed.
    public func closeJob(_ id: Int) async throws(SpoolError) -> Job {
        try await write { [self] db in
            let job = try incomingJob(id, in: db)
            return try apply(
                job.documents.isEmpty ? .closedWithoutDocuments : .documentsArrived, to: job, in: db
            ).job
        }
    }

    // MARK: - Implementation

    /// An uploaded document with its name and format.
    private struct Arrival: Sendable {
        var document: IncomingDocument
        var name: String?
        var format: DocumentFormat
    }

    /// The result of a submission: the job, and the necessary actions.
    private struct Acceptance: Sendable {
        var job: Job
        /// Whether the uploaded documents now belong to the job.
        ///
        /// Documents that do not belong to the job are discarded.
        var areTaken = true
        /// Whether the scheduler must check the queue, because another job may be printable now.
        var isNews = true
    }

    /// Returns whether other jobs of the same printer are ahead of a new job.
    ///
    /// If other jobs are ahead, the new job cannot start now, and the scheduler does not need to run.
    private func waitsBehindOthers(_ job: Job, in db: Database) throws -> Bool {
        guard job.state == .pending else { return false }
        let statement = try db.cachedStatement(sql: Self.headOfQueue)
        return try Int.fetchOne(statement, arguments: [job.printer]) != job.id
    }

    /// The query for the job at the head of a printer's queue.
    private static let headOfQueue =
        "SELECT id FROM jobs WHERE printer = ? AND \(JobCondition.isPending()) ORDER BY priority DESC, id LIMIT 1"

    /// Syncs documents to disk, and then runs `body` in a transaction.
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

    /// Returns the job that an earlier submission with the same id created; nil if no earlier submission has this id.
    func knownJob(_ submission: Submission, in db: Database) throws -> Job? {
        guard let submissionID = submission.submissionID else { return nil }
        let id = try Int.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM jobs WHERE owner = ? AND submission_id = ?"),
            arguments: [submission.owner, submissionID])
        return try id.map { try JobRecord.job($0, in: db) }
    }

    /// Returns the job with the given id, which must be waiting for documents.
    ///
    /// - Throws: `noSuchJob`, or `notPossible` when the job is not waiting for documents.
    private func incomingJob(_ id: Int, in db: Database) throws -> Job {
        let job = try JobRecord.job(id, in: db)
        guard job.state == .pendingHeld, job.reasons.contains(.jobIncoming) else {
            throw SpoolError.notPossible("job \(id) is \(job.state) and accepts no more documents; submit a new job")
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

// MARK: - Documents

extension Spool {
    /// Returns the documents of a job as files, in order.
    ///
    /// The function first writes small documents from the database to files.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a document's file is missing or was not kept, `noSpace`,
    ///   `unwritable`.
    public func documents(of jobID: Int) async throws(SpoolError) -> [InputDocument] {
        let rows = try await read { db in
            _ = try JobRecord.job(jobID, in: db)
            return try Row.fetchAll(
                db, sql: "SELECT number, format, file, content, name FROM documents WHERE job_id = ? ORDER BY number",
                arguments: [jobID]
            ).map {
                Stored(
                    number: $0[0], format: DocumentFormat(rawValue: $0[1]), file: $0[2], content: $0[3], name: $0[4])
            }
        }
        return try await store.onDisk { [store] () throws(SpoolError) in
            var documents: [InputDocument] = []
            for row in rows {
                documents.append(
                    InputDocument(path: try row.path(jobID, store), format: row.format, name: row.name))
            }
            return documents
        }
    }

    /// Returns the path for a job's prepared PDF, and creates the folder of this file.
    ///
    /// - Throws: `noSpace`, `unwritable`.
    public func preparedPath(of jobID: Int) throws(SpoolError) -> String {
        try store.files.makeFolder(store.folder(of: jobID))
        return store.folder(of: jobID) + "/prepared.pdf"
    }

    /// A row of the table `documents`.
    private struct Stored: Sendable {
        var number: Int
        var format: DocumentFormat
        var file: String?
        var content: [UInt8]?
        var name: String?

        init(number: Int, format: DocumentFormat, file: String?, content: Data?, name: String?) {
            self.number = number
            self.format = format
            self.file = file
            self.content = content.map(Array.init)
            self.name = name
        }

        func path(_ jobID: Int, _ store: DocumentStore) throws(SpoolError) -> String {
            if let content {
                return try store.materialize(content, as: store.fileName(number, format), jobID: jobID)
            }
            guard let file else { throw .documentNotKept(number, job: jobID) }
            let path = store.folder(of: jobID) + "/" + file
            guard store.files.isReadable(path) else { throw .documentMissing(number, job: jobID, path: path) }
            return path
        }
    }
}

// MARK: - Submitting a job again

extension Spool {
    /// Creates a new job from the documents of an ended job (IPP `Resubmit-Job`, PWG 5100.7-2023 §5.3).
    ///
    /// The ended job does not change.
    ///
    /// Small documents are copied. Large documents are shared as hard links.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a document was not kept, `notPossible` for a job that has not
    ///   ended, and the errors of `submit`.
    public func resubmit(_ id: Int, as submission: Submission) async throws(SpoolError) -> Job {
        try await write { [self] db in
            if let known = try knownJob(submission, in: db) { return known }
            let old = try JobRecord.job(id, in: db)
            guard old.state.isTerminal else { throw SpoolError.notEnded(old) }
            let files = try keptFiles(of: id, in: db)
            try budgets.admitJob(of: submission.owner, bytes: old.documents.map(\.bytes).reduce(0, +), in: db)
            var submission = submission
            submission.parentID = id
            let job = try insert(submission, incoming: false, in: db)
            for file in files { try store.share(file, of: id, with: job.id) }
            try db.execute(
                sql: """
                    INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                    SELECT ?, number, name, format, bytes, file, content FROM documents WHERE job_id = ?
                    """, arguments: [job.id, id])
            return try JobRecord.job(job.id, in: db)
        }
    }

    /// Returns the file names of a job's documents that are stored as files.
    ///
    /// - Throws: `documentMissing` when a document was not kept, or its file is missing.
    private func keptFiles(of jobID: Int, in db: Database) throws -> [String] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, file, content IS NULL FROM documents WHERE job_id = ?", arguments: [jobID])
        return try rows.compactMap { row in
            guard let file: String = row[1] else {
                if row[2] { throw SpoolError.documentNotKept(row[0], job: jobID) }
                return nil
            }
            let path = store.folder(of: jobID) + "/" + file
            guard store.files.isReadable(path) else {
                throw SpoolError.documentMissing(row[0], job: jobID, path: path)
            }
            return file
        }
    }
}
