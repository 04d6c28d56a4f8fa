// Accepts jobs and their documents.

import FoundationEssentials
public import PrintModel

extension Spool {
    /// Returns an empty document that receives an upload.
    ///
    /// - Parameter jobID: The id of a job created by `createJob`. The job's timeout for documents does not expire
    ///   during the upload.
    public func makeIncoming(for jobID: Int? = nil) -> IncomingDocument {
        // While changes use the reserve, an upload must not take the space that they need.
        let admits = { @Sendable [database] in database.reserve?.renew() ?? true }
        guard let jobID else { return store.makeIncoming(admits: admits) }
        uploads.begin(for: jobID)
        return store.makeIncoming(admits: admits) { [uploads] in uploads.end(for: jobID) }
    }

    /// Accepts a job with its documents (IPP `Print-Job`).
    ///
    /// The job and the documents are on the disk when the function returns.
    ///
    /// If the owner has used the `submissionID` before, returns the job of the first submission and discards the
    /// documents. The documents are also discarded when the submission is refused.
    ///
    /// - Parameter groups: Returns the groups of the owner. The function is called only if groups have quotas.
    /// - Throws: `noSuchPrinter`, `notAccepting`, `overBudget`, `accountLimitReached`, `noSpace`, `unwritable`.
    @discardableResult
    public func submit(
        _ submission: Submission, documents: [(IncomingDocument, name: String?, format: DocumentFormat)],
        groups: @escaping GroupLookUp = { _ in [] }
    ) async throws(SpoolError) -> Job {
        let arrivals = documents.map {
            Arrival(document: $0.0, name: $0.name, format: $0.format, password: submission.documentPassword)
        }
        let expected = ExpectedSubmission(
            printer: submission.printer, owner: submission.owner, submissionID: submission.submissionID)
        return try await accepting(arrivals, expecting: expected, groups) { [self] finished, id, known, transaction in
            if let earlier = try knownJob(submission, in: transaction) {
                return Acceptance(job: earlier, areTaken: false)
            }
            try budgets.admitJob(
                of: submission.owner, bytes: finished.map(\.document.bytes).reduce(0, +), in: transaction)
            var job = try insert(submission, id: id, incoming: false, groups: known, in: transaction)
            for arrival in finished { try insert(arrival, of: &job, in: transaction) }
            return Acceptance(
                job: job, news: try waitsBehindOthers(job, in: transaction) ? .none : .jobs(of: [job.printer]))
        }
    }

    /// Accepts a job without documents (IPP `Create-Job`).
    ///
    /// The function `addDocument` adds the documents later.
    ///
    /// The job is `pending-held` with `job-incoming`. The job is aborted if the next document does not arrive within
    /// `incomingTimeout`.
    ///
    /// - Parameter groups: Returns the groups of the owner. The function is called only if groups have quotas.
    /// - Throws: `noSuchPrinter`, `notAccepting`, `overBudget`, `accountLimitReached`, `noSpace`, `unwritable`.
    public func createJob(
        _ submission: Submission, groups: @escaping GroupLookUp = { _ in [] }
    ) async throws(SpoolError) -> Job {
        try await withGroups(groups) { known throws(SpoolError) in
            try await self.write(.forced, adds: true) { [self] transaction in
                if let earlier = try knownJob(submission, in: transaction) { return earlier }
                try budgets.admitIncomingJob(of: submission.owner, in: transaction)
                try budgets.admitJob(of: submission.owner, bytes: 0, in: transaction)
                return try insert(submission, incoming: true, groups: known, in: transaction)
            }
        }
    }

    /// Adds a document to a job created by `createJob` (IPP `Send-Document`).
    ///
    /// The last document completes the job.
    ///
    /// - Parameters:
    ///   - password: The password of the document, which is deleted when the job ends; nil for no password.
    ///   - number: The number of the document in the job, counted from 1; nil for the next number. If the job already
    ///     has a document with this number, the document is discarded, because a client has repeated its request.
    /// - Throws: `noSuchJob`, `notPossible` when the job accepts no more documents or an earlier document is missing,
    ///   `overBudget`, `noSpace`, `unwritable`.
    public func addDocument(
        _ document: IncomingDocument, name: String?, format: DocumentFormat, password: String? = nil, to jobID: Int,
        number: Int? = nil, isLast: Bool
    ) async throws(SpoolError) -> Job {
        let arrival = Arrival(document: document, name: name, format: format, password: password)
        return try await accepting([arrival], of: jobID) { [self] finished, _, _, transaction in
            let before = try transaction.existingJob(jobID)
            let next = before.documents.count + 1
            if let number, number < next { return Acceptance(job: before, areTaken: false, news: .none) }
            try checkIncoming(before)
            if let number, number > next {
                throw SpoolError.notPossible("document \(next) of job \(jobID) is missing; send it first")
            }
            var job = before
            if password != nil { job.ticket.hasDocumentPassword = true }
            try budgets.admit(bytes: finished.map(\.document.bytes).reduce(0, +), of: job.owner, in: transaction)
            for arrival in finished { try insert(arrival, of: &job, in: transaction) }
            try store(job, since: before, incomingUntil: clock() + incomingTimeout, in: transaction)
            return Acceptance(job: isLast ? try apply(.documentsArrived, to: job, in: transaction).job : job)
        }
    }

    /// Closes a job created by `createJob` (IPP `Close-Job`).
    ///
    /// A job without a document is aborted.
    ///
    /// - Throws: `noSuchJob`, or `notPossible` when the job is already closed.
    public func closeJob(_ id: Int) async throws(SpoolError) -> Job {
        try await write { [self] transaction in
            let job = try transaction.existingJob(id)
            try checkIncoming(job)
            return try apply(
                job.documents.isEmpty ? .closedWithoutDocuments : .documentsArrived, to: job, in: transaction
            ).job
        }
    }

    // MARK: - Implementation

    /// An uploaded document with its name and format.
    private struct Arrival: Sendable {
        var document: IncomingDocument
        var name: String?
        var format: DocumentFormat
        var password: String?
        /// The number of the stored content, if the database stores large documents.
        var contentID: Int?
        /// The name of the large document's file in the folder of the job.
        var file: String?
    }

    /// The result of a submission: the job, and the necessary actions.
    private struct Acceptance: Sendable {
        var job: Job
        /// Whether the uploaded documents now belong to the job.
        ///
        /// Documents that do not belong to the job are discarded.
        var areTaken = true
        /// What schedulers must check, because another job may be printable now.
        var news = News.all
    }

    /// Returns whether other jobs of the same printer are ahead of a new job.
    ///
    /// If other jobs are ahead, the new job cannot start now, and the scheduler does not need to run.
    private func waitsBehindOthers(_ job: Job, in transaction: any SpoolTransaction) throws -> Bool {
        guard job.state == .pending else { return false }
        return try transaction.headOfQueue(of: job.printer, limit: 1) != [job.id]
    }

    /// Syncs documents to disk, and then runs `body` in a transaction.
    ///
    /// - Parameters:
    ///   - jobID: The id of the job that the documents belong to; nil for a new job.
    ///   - groups: Returns the groups of the owner of a new job.
    ///   - body: A closure that receives the documents, the reserved id of a new job with large documents, and groups.
    private func accepting(
        _ arrivals: [Arrival], of jobID: Int? = nil, expecting expected: ExpectedSubmission? = nil,
        _ groups: @escaping GroupLookUp = { _ in [] },
        _ body:
            @escaping @Sendable (
                [Arrival], _ reservedID: Int?, KnownGroups, any SpoolTransaction
            ) throws -> Acceptance
    ) async throws(SpoolError) -> Job {
        var arrivals = arrivals
        var reservedID: Int?
        defer { if let reservedID { store.arriving.remove("\(reservedID)") } }
        do {
            if arrivals.contains(where: \.document.isLarge) {
                try await store.onDisk { [arrivals] () throws(SpoolError) in
                    for arrival in arrivals { _ = try arrival.document.finish() }
                }
                if let contents = database.largeDocuments {
                    try await store(&arrivals, in: contents)
                } else {
                    let id: Int
                    if let jobID { id = jobID } else { id = try await reserveJobID() }
                    if jobID == nil { reservedID = id }
                    arrivals = try await place(arrivals, of: id, isNew: jobID == nil)
                }
            }
            let (finished, newID) = (arrivals, reservedID)
            let undo: @Sendable () -> Void = {
                for arrival in finished where arrival.contentID != nil { arrival.document.takeBack() }
            }
            let accepted = try await withGroups(groups) { known throws(SpoolError) in
                try await write(.forced, expecting: expected, adds: true, undo: undo, news: \.news) {
                    try body(finished, newID, known, $0)
                }
            }
            if accepted.areTaken {
                for arrival in arrivals { arrival.document.handOver() }
                for (arrival, document) in zip(arrivals, accepted.job.documents.suffix(arrivals.count))
                where arrival.contentID != nil {
                    store.keepCopy(store.fileName(document.number, document.format), jobID: accepted.job.id)
                }
            } else {
                await discard(arrivals, reservedID)
            }
            return accepted.job
        } catch {
            if error.isOutcomeUnknown {
                // A job that may have been committed keeps its files. `sweep` removes files without a job.
                for arrival in arrivals { arrival.document.handOver() }
            } else {
                await discard(arrivals, reservedID)
            }
            throw error
        }
    }

    /// Moves large documents durably into the folder of their job, and returns the documents with their file names.
    ///
    /// This happens before the transaction that accepts the job. Otherwise all other writes would wait until the disk
    /// has stored the names of the files.
    private func place(_ arrivals: [Arrival], of jobID: Int, isNew: Bool) async throws(SpoolError) -> [Arrival] {
        try await store.onDisk { [store] () throws(SpoolError) in
            var arrivals = arrivals
            for index in arrivals.indices where arrivals[index].document.isLarge {
                let format = arrivals[index].format
                let file = isNew ? store.fileName(index + 1, format) : store.unusedFileName(format, jobID: jobID)
                try store.place(arrivals[index].document, as: file, jobID: jobID)
                arrivals[index].file = file
            }
            return arrivals
        }
    }

    /// Removes documents that were not accepted, and the folder of the job that was not created.
    private func discard(_ arrivals: [Arrival], _ reservedID: Int?) async {
        if arrivals.contains(where: \.document.isLarge) {
            await store.files.perform { for arrival in arrivals { arrival.document.discard() } }
        } else {
            for arrival in arrivals { arrival.document.discard() }
        }
        if let reservedID { await store.removeFolders(of: [reservedID]) }
        for id in arrivals.compactMap(\.contentID) { await database.largeDocuments?.discard(id) }
    }

    /// Stores the contents of large documents in the database.
    ///
    /// This happens before the transaction that accepts the job, because a large document would delay other writes for
    /// seconds.
    private func store(_ arrivals: inout [Arrival], in contents: any LargeDocuments) async throws(SpoolError) {
        for index in arrivals.indices {
            guard let path = arrivals[index].document.filePath else { continue }
            do {
                arrivals[index].contentID = try await contents.add(contentOfFile: path)
            } catch {
                throw database.error(error)
            }
        }
    }

    /// Returns the job that an earlier submission with the same id created; nil if no earlier submission has this id.
    func knownJob(_ submission: Submission, in transaction: any SpoolTransaction) throws -> Job? {
        guard let submissionID = submission.submissionID else { return nil }
        let id = try transaction.jobID(owner: submission.owner, submissionID: submissionID)
        return try id.map { try transaction.existingJob($0) }
    }

    /// - Throws: `notPossible` when the job is not waiting for documents.
    private func checkIncoming(_ job: Job) throws {
        guard job.state == .pendingHeld, job.reasons.contains(.jobIncoming) else {
            throw SpoolError.notPossible(
                "job \(job.id) is \(job.state) and accepts no more documents; submit a new job")
        }
    }

    func insert(
        _ submission: Submission, id: Int? = nil, incoming: Bool, groups: KnownGroups,
        in transaction: any SpoolTransaction
    ) throws -> Job {
        let admission = try transaction.admission(to: submission.printer)
        guard let admission else { throw SpoolError.noSuchPrinter(submission.printer) }
        guard admission.isAccepting else { throw SpoolError.notAccepting(submission.printer) }
        let limitedGroups = admission.hasQuotas ? try admit(submission, groups: groups, in: transaction) : nil
        let now = clock()
        let uuid = "urn:uuid:" + store.makeName()
        var job = submission.job(uuid: uuid, incoming: incoming, now: now)
        if let id { job.id = id }
        job.ticket.limitedGroups = limitedGroups
        try transaction.insert(&job, incomingUntil: incoming ? now + incomingTimeout : nil)
        if let password = submission.releasePassword { try transaction.insert(password, of: job.id) }
        // No earlier transaction can end this change: a job that waits for the clock depends on them.
        if incoming || job.waitsForClock { dueTimes.beginChange() }
        try appendEvent("job-created", of: job, message: "Accepted for \(job.printer)", in: transaction)
        return job
    }

    private func insert(_ arrival: Arrival, of job: inout Job, in transaction: any SpoolTransaction) throws {
        let document = JobDocument(
            number: job.documents.count + 1, name: arrival.name, format: arrival.format, bytes: arrival.document.bytes)
        var stored = StoredDocument(number: document.number, format: document.format, name: document.name)
        switch try arrival.document.finish() {
        case .inline(let bytes): stored.content = Array(bytes)
        case .file where arrival.contentID != nil:
            let file = store.fileName(document.number, document.format)
            try store.placeCopy(arrival.document, as: file, jobID: job.id)
            stored.contentID = arrival.contentID
        case .file: stored.file = arrival.file
        }
        try transaction.insert(stored, bytes: document.bytes, of: job.id)
        if let password = arrival.password {
            try transaction.insert(password: password, ofDocument: document.number, of: job.id)
        }
        job.documents.append(document)
    }
}
