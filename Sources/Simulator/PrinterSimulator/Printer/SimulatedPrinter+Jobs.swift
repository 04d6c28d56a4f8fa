// Creates and cancels jobs, and records their end.

package import PrintModel
import SafeFiles

extension SimulatedPrinter {
    /// Creates a job that waits for its document.
    ///
    /// The job's number is stored before this function returns.
    ///
    /// - Throws: `noSpace`, or `fileSystem` when the job's folder cannot be created.
    package func createJob(_ request: SimulatedJobRequest) throws(SimulatorError) -> SimulatedJob {
        try makeJob(request) { _ throws(SimulatorError) in }
    }

    /// Creates a job with a single document.
    ///
    /// The job's number is stored before this function returns.
    ///
    /// - Parameters:
    ///   - path: The path of a file from `nextDocument()`. The function moves the file into the job's folder.
    ///   - format: The format that the client declared. If nil or `application/octet-stream`, the printer detects the
    ///     format.
    /// - Throws: `unsupportedFormat`, `noSpace`, `fileSystem`. In case of an error, no job is created.
    package func createJob(
        _ request: SimulatedJobRequest, document path: String, format: DocumentFormat? = nil, name: String? = nil
    ) throws(SimulatorError) -> SimulatedJob {
        // Check the format before a job number is assigned.
        let format = try self.format(ofDocument: path, said: format)
        let job = try makeJob(request) { job throws(SimulatorError) in
            try take(path, format: format, name: name, into: &job)
            job.arrive()
        }
        wake()
        return job
    }

    /// Creates a job, and calls `fill`, which can add a document to the job.
    ///
    /// The report is written last. If the printer is switched off before the report is written, the job does not exist.
    private func makeJob(
        _ request: SimulatedJobRequest, _ fill: (inout SimulatedJob) throws(SimulatorError) -> Void
    ) throws(SimulatorError) -> SimulatedJob {
        try checkRoom()
        let (id, name) = try makeFolder(for: request)
        var job = SimulatedJob(
            id: id, folder: name, uuid: environment.makeUUID(), request: request, printer: description,
            now: environment.now())
        memory.nextJobID = id + 1
        do {
            try folder.remember(memory)
            try keep(request.request, of: &job)
            try fill(&job)
            try folder.write(JobReport(job: job, printer: description.name))
        } catch {
            folder.removeUnbegun(job.folder)
            throw error
        }
        jobs[job.id] = job
        queue.append(job.id)
        tell(.jobChanged(job.id))
        return job
    }

    private func keep(_ request: [UInt8], of job: inout SimulatedJob) throws(SimulatorError) {
        guard !request.isEmpty else { return }
        try folder.keep(request: request, number: job.requests + 1, folder: job.folder)
        job.requests += 1
    }

    /// Creates the folder of the next job, and returns the job's number and the folder's name.
    ///
    /// The folder's name contains the job number that the spooler's queue has assigned. If the printer has no queue, or
    /// the job comes from another client, the name contains the printer's job number.
    private func makeFolder(for request: SimulatedJobRequest) throws(SimulatorError) -> (id: Int, name: String) {
        var id = environment.jobNumbers.take(from: memory.nextJobID)
        if environment.isOfQueue, let number = request.queueNumber {
            // The spooler can send a job again, for example after a lost connection or a partial print.
            var name = JobFolder(.job, number)
            while try !FileOperations.makeNewFolder(folder.path(of: name.name)) {
                name = JobFolder(.job, number, delivery: name.delivery + 1)
            }
            return (id, name.name)
        }
        while true {
            // Skip folders that exist, so that a number is never reused, even if the stored state was lost.
            let name = JobFolder(environment.isOfQueue ? .ofPrinter : .job, id).name
            if try FileOperations.makeNewFolder(folder.path(of: name)) { return (id, name) }
            id = environment.jobNumbers.take(from: id + 1)
        }
    }

    /// Write the document to this path, then call `addDocument`.
    package nonisolated func nextDocument() -> String { folder.incomingFile() }

    package static let mostDocuments = 100

    /// Moves a document into the job's folder; after the last document, the job is added to the queue.
    ///
    /// - Parameters:
    ///   - path: The path of a file from `nextDocument()`.
    ///   - format: The format that the client declared. If nil or `application/octet-stream`, the printer detects the
    ///     format.
    ///   - isLast: Whether this document is the last document of the job.
    ///   - request: The bytes of the client's request before the document; empty if they are not stored.
    /// - Throws: `noSuchJob`, `notPossible` when the job has ended or is closed, `tooManyDocuments`,
    ///   `unsupportedFormat`, `noSpace`, `fileSystem`.
    @discardableResult
    package func addDocument(
        _ path: String, format: DocumentFormat? = nil, name: String? = nil, to id: Int, isLast: Bool = true,
        request: [UInt8] = []
    ) throws(SimulatorError) -> SimulatedJob {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard !job.state.isTerminal else {
            throw SimulatorError(.notPossible, "job \(id) is already \(job.state) and accepts no more documents")
        }
        guard job.isIncoming else {
            throw SimulatorError(.notPossible, "job \(id) is closed; send the document in a new job")
        }
        guard job.documents.count < Self.mostDocuments else {
            throw SimulatorError(
                .tooManyDocuments,
                "job \(id) has the maximum of \(Self.mostDocuments) documents; send the document in a new job")
        }
        try checkRoom()
        try keep(request, of: &job)
        try take(path, format: format, name: name, into: &job)
        if isLast { job.arrive() }
        try folder.write(JobReport(job: job, printer: description.name))
        change(job)
        wake()
        return job
    }

    /// Closes a job, and adds the job to the queue (IPP Close-Job).
    ///
    /// A job that is already closed does not change. A job without a document is aborted.
    ///
    /// - Throws: `noSuchJob`, `fileSystem`.
    @discardableResult
    package func closeJob(_ id: Int) throws(SimulatorError) -> SimulatedJob {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard job.isIncoming else { return job }
        guard !job.documents.isEmpty else {
            job.abort(.errorsDetected, Job.noDocument, at: environment.now())
            finish(job)
            return job
        }
        job.arrive()
        try folder.write(JobReport(job: job, printer: description.name))
        change(job)
        wake()
        return job
    }

    /// Aborts a job that waits for its document, after an error of the client.
    ///
    /// - Parameter reason: `multiple-operation-time-out` or a similar reason. The function adds the reason
    ///   `aborted-by-system`.
    /// - Throws: `noSuchJob`; `notPossible` when the job has its document or has ended.
    package func abortJob(_ id: Int, _ reason: JobStateReason, message: String) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard job.isIncoming else {
            throw SimulatorError(.notPossible, "job \(id) is \(job.state) and is not waiting for a document")
        }
        job.abort(reason, message, at: environment.now())
        finish(job)
    }

    /// Cancels a job.
    ///
    /// A waiting job ends immediately. A printing job ends at the next side.
    ///
    /// - Throws: `noSuchJob`; `notPossible` when the job has ended or is already being canceled.
    package func cancelJob(_ id: Int, byOperator: Bool = false) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        if try job.cancel(byOperator: byOperator, at: environment.now()) {
            finish(job)
        } else {
            // Store the cancellation, so that the printer does not print the job after a power failure.
            let pages = current?.job == id ? current?.pages ?? [] : []
            try? folder.write(
                JobReport(
                    job: job, printer: description.name, pages: pages,
                    resolution: pages.isEmpty ? nil : description.previewResolution))
            change(job)
            if current?.job == id { current?.reading?.cancel() }
            wake()
        }
    }

    // MARK: - Deleting

    /// Deletes an ended job, with its documents, pages and report.
    ///
    /// - Throws: `noSuchJob`; `notPossible` when the job has not ended, or belongs to the queue of a spool.
    package func deleteJob(_ id: Int) throws(SimulatorError) {
        guard let job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard job.state.isTerminal else {
            throw SimulatorError(.notPossible, "job \(id) is \(job.state); cancel the job first")
        }
        try checkDeletable()
        remove(job)
    }

    /// Deletes all ended jobs, and returns their number.
    ///
    /// - Throws: `notPossible` when the jobs belong to the queue of a spool.
    package func deleteEndedJobs() throws(SimulatorError) -> Int {
        try checkDeletable()
        let ended = endedJobs
        for job in ended { remove(job) }
        return ended.count
    }

    private func checkDeletable() throws(SimulatorError) {
        guard environment.isOfQueue else { return }
        throw SimulatorError(
            .notPossible, "the jobs of '\(description.name)' belong to the queue of printd, which removes old jobs")
    }

    private func remove(_ job: SimulatedJob) {
        folder.removeJob(job.folder)
        history.removeAll { $0 == job.id }
        jobs[job.id] = nil
        tell(.jobChanged(job.id))
    }

    /// Deletes the oldest ended jobs until no more jobs are left than the printer keeps.
    func removeOldJobs() {
        guard let kept = environment.keptJobs else { return }
        for id in history.prefix(max(0, history.count - kept)) { if let job = jobs[id] { remove(job) } }
    }

    // MARK: - Implementation

    private func take(
        _ path: String, format: DocumentFormat?, name: String?, into job: inout SimulatedJob
    ) throws(SimulatorError) {
        let format = try self.format(ofDocument: path, said: format)
        let bytes = try FileOperations.size(path)
        let file = try folder.keep(path, as: format, number: job.documents.count + 1, folder: job.folder)
        job.documents.append(.init(file: file, name: name, format: format, bytes: bytes))
    }

    /// - Throws: `unsupportedFormat` when the printer does not support the format, `fileSystem`.
    package nonisolated func format(
        ofDocument path: String, said: DocumentFormat?
    ) throws(SimulatorError) -> DocumentFormat {
        var format = said ?? .octetStream
        if format == .octetStream {
            do throws(SystemFailure) {
                format = DocumentFormat.sniff(try FileBytes.read(path, count: 1024)) ?? .octetStream
            } catch {
                throw .fileSystem("read", path, error.number)
            }
        }
        guard description.formats.contains(format) else {
            let supported = description.formats.map(\.rawValue).joined(separator: ", ")
            throw SimulatorError(
                .unsupportedFormat, "printer '\(description.name)' does not support \(format); use \(supported)")
        }
        return format
    }

    func change(_ job: SimulatedJob) {
        jobs[job.id] = job
        tell(.jobChanged(job.id))
    }

    /// Records the end of a job: writes the job's report and log line, and moves the job to the history.
    func finish(_ job: SimulatedJob, pages: [PageImage] = []) {
        var job = job
        do throws(SimulatorError) {
            try record(job, pages: pages)
        } catch {
            job.warnings.append(error.message)
        }
        conclude(job)
    }

    func record(_ job: SimulatedJob, pages: [PageImage]) throws(SimulatorError) {
        let report = JobReport(
            job: job, printer: description.name, pages: pages,
            resolution: pages.isEmpty ? nil : description.previewResolution)
        try folder.write(report)
        try folder.log(report)
    }

    func conclude(_ job: SimulatedJob) {
        folder.removeUnprinted(job.folder)
        queue.removeAll { $0 == job.id }
        change(job)
        guard job.id > memory.purgedThrough else {
            jobs[job.id] = nil
            return
        }
        history.append(job.id)
        removeOldJobs()
        if history.count > Self.historyLength { jobs[history.removeFirst()] = nil }
    }
}

// MARK: - Disk space

extension SimulatedPrinter {
    var isSpoolFull: Bool { active.contains { $0.fault.kind == .warning(Fault.spoolAreaFull) } }

    /// Throws an error while the spool area is full, so that new jobs and documents are refused.
    ///
    /// Clients can try again later.
    ///
    /// The status is `server-error-temporary-error`, as RFC 8011 §B.1.5.6 specifies for a full disk.
    /// `server-error-too-many-jobs` (PWG 5100.5 §13) means that clients must not try again. `server-error-busy` and
    /// `server-error-not-accepting-jobs` are for printers that refuse all jobs for other reasons.
    ///
    /// - Throws: `noSpace`.
    package func checkRoom() throws(SimulatorError) {
        guard isSpoolFull else { return }
        throw SimulatorError(
            .noSpace, "printer '\(description.name)' has no space for more jobs (spool-area-full); try again later")
    }

    /// The interval at which a write to a full disk is retried.
    private static let timeout = Duration.seconds(1)

    /// Performs a write operation, and retries the operation as long as the disk is full.
    ///
    /// - Parameter isPatient: Whether to continue the retries after the job was canceled.
    /// - Returns: The result; nil when the task or the job is canceled first.
    func withRoom<Value>(
        for id: Int, isPatient: Bool = false, _ body: () throws(SimulatorError) -> Value
    ) async throws(SimulatorError) -> Value? {
        while true {
            do throws(SimulatorError) {
                return try body()
            } catch {
                guard error.code == .noSpace else { throw error }
                guard await rest(for: .spoolAreaFull(error.message), of: id, isPatient: isPatient) else { return nil }
            }
        }
    }

    /// Stops the job for the retry interval, and then continues the job.
    ///
    /// Returns false if the task was canceled, or if the job was canceled and `isPatient` is false.
    func rest(for stop: StopCondition, of id: Int, isPatient: Bool = false) async -> Bool {
        currentStop = stop
        current?.isMoving = false
        if var job = jobs[id], !job.isStopping {
            job.stop(for: stop)
            change(job)
        }
        tell(.printerChanged)
        let isOver = (try? await environment.clock.sleep(for: Self.timeout)) == nil
        currentStop = nil
        current?.isMoving = true
        if var job = jobs[id], job.state == .processingStopped {
            job.goOn()
            change(job)
        }
        tell(.printerChanged)
        return !isOver && (isPatient || jobs[id]?.isStopping != true)
    }
}
