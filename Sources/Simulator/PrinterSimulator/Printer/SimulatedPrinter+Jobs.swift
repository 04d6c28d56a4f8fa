// Jobs come in, and are called off.

package import PrintModel

extension SimulatedPrinter {
    /// Makes a job that waits for its document; its number is kept for ever before this returns.
    ///
    /// - Throws: `fileSystem` when its folder cannot be made.
    package func createJob(_ request: SimulatedJobRequest) throws(SimulatorError) -> SimulatedJob {
        try makeJob(request) { _ throws(SimulatorError) in }
    }

    /// Makes a job whose only document is there, which waits for its turn; its number is kept for ever before this returns.
    ///
    /// - Parameters:
    ///   - path: a file made at `nextDocument()`, which is moved into the job's folder.
    ///   - format: what the sender says it is; nil or `application/octet-stream` lets the printer look at it.
    /// - Throws: `unsupportedFormat`, `fileSystem`; there is no job then.
    package func createJob(
        _ request: SimulatedJobRequest, document path: String, format: DocumentFormat? = nil, name: String? = nil
    ) throws(SimulatorError) -> SimulatedJob {
        // Before a number is given away.
        let format = try self.format(ofDocument: path, said: format)
        let job = try makeJob(request) { job throws(SimulatorError) in
            try take(path, format: format, name: name, into: &job)
            job.arrive()
        }
        ring()
        return job
    }

    /// Makes a job and fills it.
    ///
    /// Its report is written last: switched off before that, the printer never had it.
    private func makeJob(
        _ request: SimulatedJobRequest, _ fill: (inout SimulatedJob) throws(SimulatorError) -> Void
    ) throws(SimulatorError) -> SimulatedJob {
        try checkRoom()
        let name = try makeFolder(for: request)
        var job = SimulatedJob(
            id: memory.nextJobID, folder: name, uuid: surroundings.makeUUID(), request: request, printer: description,
            now: surroundings.now())
        memory.nextJobID += 1
        do {
            try folder.remember(memory)
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

    /// Makes the folder of the next job, named after the number that the job has in the queue which the printer prints for, else
    /// after the printer's own number.
    private func makeFolder(for request: SimulatedJobRequest) throws(SimulatorError) -> String {
        if surroundings.isOfQueue, let number = request.queueNumber {
            // A job may be sent again, because it was lost on its way or only a part of it was printed.
            var name = JobFolder(.job, number)
            while try !FileOperations.makeNewFolder(folder.path(of: name.name)) {
                name = JobFolder(.job, number, delivery: name.delivery + 1)
            }
            return name.name
        }
        while true {
            // Another printer writing to the same folder, or a lost memory, never makes a number be used twice.
            let name = JobFolder(surroundings.isOfQueue ? .ofPrinter : .job, memory.nextJobID).name
            if try FileOperations.makeNewFolder(folder.path(of: name)) { return name }
            memory.nextJobID += 1
        }
    }

    /// A path of its own for a document that is about to arrive: write it there, then call `addDocument`.
    package nonisolated func nextDocument() -> String { folder.incomingFile() }

    /// The most documents of a job.
    package static let mostDocuments = 100

    /// Gives a job a document, which is moved into the job's folder; with the last one the job waits for its turn.
    ///
    /// - Parameters:
    ///   - path: a file made at `nextDocument()`.
    ///   - format: what the sender says it is; nil or `application/octet-stream` lets the printer look at it.
    ///   - isLast: whether no more documents follow.
    /// - Throws: `noSuchJob`, `notPossible` when the job has ended or has all of its documents, `tooManyDocuments`,
    ///   `unsupportedFormat`, `fileSystem`.
    @discardableResult
    package func addDocument(
        _ path: String, format: DocumentFormat? = nil, name: String? = nil, to id: Int, isLast: Bool = true
    ) throws(SimulatorError) -> SimulatedJob {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard !job.state.isTerminal else {
            throw SimulatorError(.notPossible, "job \(id) is \(job.state) and takes no document: it has ended")
        }
        guard job.isIncoming else {
            throw SimulatorError(.notPossible, "job \(id) has its documents; send others in a job of their own")
        }
        guard job.documents.count < Self.mostDocuments else {
            throw SimulatorError(
                .tooManyDocuments, "job \(id) has \(Self.mostDocuments) documents; send others in a job of their own")
        }
        try checkRoom()
        try take(path, format: format, name: name, into: &job)
        if isLast { job.arrive() }
        try folder.write(JobReport(job: job, printer: description.name))
        change(job)
        ring()
        return job
    }

    /// Lets a job that has its documents wait for its turn (IPP Close-Job); one that does already is left as it is, and one
    /// without a document is aborted.
    ///
    /// - Throws: `noSuchJob`, `fileSystem`.
    @discardableResult
    package func closeJob(_ id: Int) throws(SimulatorError) -> SimulatedJob {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard job.isIncoming else { return job }
        guard !job.documents.isEmpty else {
            job.abort(.errorsDetected, Job.noDocument, at: surroundings.now())
            finish(job)
            return job
        }
        job.arrive()
        try folder.write(JobReport(job: job, printer: description.name))
        change(job)
        ring()
        return job
    }

    /// Ends a job that waits for its document because of something its client did or left undone.
    ///
    /// - Parameter reason: `multiple-operation-time-out` and the like; `aborted-by-system` is added.
    /// - Throws: `noSuchJob`; `notPossible` when it has its document, or has ended.
    package func abortJob(_ id: Int, _ reason: JobStateReason, message: String) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        guard job.isIncoming else {
            throw SimulatorError(.notPossible, "job \(id) is \(job.state) and waits for no document")
        }
        job.abort(reason, message, at: surroundings.now())
        finish(job)
    }

    /// Calls a job off: a waiting one ends at once, one being printed at the next side.
    ///
    /// - Throws: `noSuchJob`; `notPossible` when it has ended or is being canceled already.
    package func cancelJob(_ id: Int, byOperator: Bool = false) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        if try job.cancel(byOperator: byOperator, at: surroundings.now()) {
            finish(job)
        } else {
            // Switched off now, it must not print what its client knows to be called off.
            let pages = current?.job == id ? current?.pages ?? [] : []
            try? folder.write(
                JobReport(
                    job: job, printer: description.name, pages: pages,
                    resolution: pages.isEmpty ? nil : description.previewResolution))
            change(job)
            if current?.job == id { current?.reading?.cancel() }
            ring()
        }
    }

    // MARK: - Steps

    /// Moves a document into a job's folder and notes it.
    private func take(
        _ path: String, format: DocumentFormat?, name: String?, into job: inout SimulatedJob
    ) throws(SimulatorError) {
        let format = try self.format(ofDocument: path, said: format)
        let bytes = try FileOperations.size(path)
        let file = try folder.keep(path, as: format, number: job.documents.count + 1, folder: job.folder)
        job.documents.append(.init(file: file, name: name, format: format, bytes: bytes))
    }

    /// The format that a document will be taken as: as it is said to be, else as it looks.
    ///
    /// - Throws: `unsupportedFormat` when the printer does not take it, `fileSystem`.
    package nonisolated func format(
        ofDocument path: String, said: DocumentFormat?
    ) throws(SimulatorError) -> DocumentFormat {
        var format = said ?? .octetStream
        if format == .octetStream {
            format = DocumentFormat.sniff(try FileOperations.head(path, count: 1024)) ?? .octetStream
        }
        guard description.formats.contains(format) else {
            let taken = description.formats.map(\.rawValue).joined(separator: ", ")
            throw SimulatorError(
                .unsupportedFormat, "printer '\(description.name)' does not take \(format); send \(taken)")
        }
        return format
    }

    /// Notes a job that goes on.
    func change(_ job: SimulatedJob) {
        jobs[job.id] = job
        tell(.jobChanged(job.id))
    }

    /// Notes a job that has ended: its report and its line in the log are written, and it moves to the history.
    func finish(_ job: SimulatedJob, pages: [PageImage] = []) {
        var job = job
        do throws(SimulatorError) {
            try record(job, pages: pages)
        } catch {
            job.warnings.append(error.message)
        }
        conclude(job)
    }

    /// Writes the report of a job that has ended, and its line in the log.
    func record(_ job: SimulatedJob, pages: [PageImage]) throws(SimulatorError) {
        let report = JobReport(
            job: job, printer: description.name, pages: pages,
            resolution: pages.isEmpty ? nil : description.previewResolution)
        try folder.write(report)
        try folder.log(report)
    }

    /// Moves a job that has ended to the history.
    func conclude(_ job: SimulatedJob) {
        folder.removeUnprinted(job.folder)
        queue.removeAll { $0 == job.id }
        change(job)
        guard job.id > memory.purgedThrough else {
            jobs[job.id] = nil
            return
        }
        history.append(job.id)
        if history.count > Self.historyLength { jobs[history.removeFirst()] = nil }
    }
}

// MARK: - Room for jobs

extension SimulatedPrinter {
    /// Whether a fault leaves no room for more jobs.
    var isSpoolFull: Bool { active.contains { $0.fault.kind == .warning(Fault.spoolAreaFull) } }

    /// Refuses new jobs and documents while there is no room for them; a client tries again later.
    ///
    /// That is `server-error-temporary-error`, which RFC 8011 §B.1.5.6 has for a full disk. `server-error-too-many-jobs`
    /// (PWG 5100.5 §13) says that the client should not try again: it is for a policy, or a capacity that does not come
    /// back. `server-error-busy` and `server-error-not-accepting-jobs` would be said of a printer that takes nothing at
    /// all for other reasons.
    ///
    /// - Throws: `noSpace`.
    package func checkRoom() throws(SimulatorError) {
        guard isSpoolFull else { return }
        throw SimulatorError(
            .noSpace, "printer '\(description.name)' has no room for more jobs (spool-area-full); try again later")
    }

    /// How often it is looked whether there is room again.
    private static let patience = Duration.seconds(1)

    /// Does what needs room on the disk, as often as it takes to find some.
    ///
    /// - Parameter isPatient: whether it must be done though the job is called off.
    /// - Returns: nil when the task is cancelled before, or the job is called off.
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

    /// Stops for a while; false when the task is cancelled meanwhile, or the job is called off.
    func rest(for stop: StopCondition, of id: Int, isPatient: Bool = false) async -> Bool {
        obstacle = stop
        current?.isMoving = false
        if var job = jobs[id], !job.isStopping {
            job.stop(for: stop)
            change(job)
        }
        tell(.printerChanged)
        let isOver = (try? await surroundings.clock.sleep(for: Self.patience)) == nil
        obstacle = nil
        current?.isMoving = true
        if var job = jobs[id], job.state == .processingStopped {
            job.goOn()
            change(job)
        }
        tell(.printerChanged)
        return !isOver && (isPatient || jobs[id]?.isStopping != true)
    }
}
