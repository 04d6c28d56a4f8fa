// Resumes, reprints, moves and changes jobs.

import IPP
public import PrintModel

extension Spooler {
    /// Resumes a suspended job from a side, counted from 1 over all copies.
    ///
    /// If the number of the side is nil, printing continues at the first side that the printer has not reported as
    /// printed.
    ///
    /// - Throws: `SpoolerClientError`: `notDone` if the job is not suspended; `noPermission` for a job of another user.
    public func resume(_ id: Int, from impression: Int? = nil) async throws(SpoolerClientError) {
        try await ask(.resumeJob, job: id, attributes: impression.map { [.resumeFrom($0)] } ?? [])
    }

    /// Prints the documents of a job again, and returns the number of the resulting job.
    ///
    /// For an ended job, printd creates a new job with a new number. A suspended job keeps its number.
    ///
    /// - Throws: `SpoolerClientError`: `notDone` if the documents were deleted, the job has not ended, or options are set
    ///   for a suspended job; `noPermission` for a job of another user.
    @discardableResult
    public func reprint(_ reprint: JobReprint) async throws(SpoolerClientError) -> Int {
        let job = JobView(try await job(reprint.job, JobView.listedNames))
        guard job.isSuspended else {
            // The submission id makes the request idempotent, so it can be repeated.
            return try Self.jobID(try await send(reprint.request(user: user), isRepeatable: true))
        }
        guard !reprint.changesSomething else {
            throw SpoolerClientError(
                .notDone,
                "cannot change the options of job \(job.id) in a reprint, because the job is suspended; omit all "
                    + "options, or use 'printq resume' or 'printq move'")
        }
        try await ask(.restartJob, job: job.id)
        return job.id
    }

    /// Changes options and the name of a waiting job (Set-Job-Attributes, RFC 3380).
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - ticket: The options to change. Other options keep their values.
    ///   - title: The new name; nil to keep the old name.
    /// - Throws: `SpoolerClientError`: `notDone` if the job is printing or has ended; `usage` for an option that the
    ///   printer does not support; `noPermission` for a job of another user.
    public func change(_ id: Int, to ticket: JobTicket, title: String? = nil) async throws(SpoolerClientError) {
        var attributes = ticket.attributes
        if let title { attributes.append(Attribute("job-name", .name(title))) }
        var request = Message.request(.setJobAttributes, job: id, user: user)
        request.groups.append(AttributeGroup(.job, attributes))
        try await send(request, isRepeatable: true)
    }

    /// Moves a waiting or suspended job to another printer.
    ///
    /// The job keeps its number and its place in the order of arrival. The option `priority` of
    /// ``change(_:to:title:)`` changes the place in the queue.
    ///
    /// - Throws: `SpoolerClientError`: `notDone` if the job is printing or has ended; `usage` if there is no such
    ///   printer; `noPermission` for a job of another user.
    public func move(_ id: Int, to printer: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, job: id, attributes: [.destination(printer)])
    }

    /// Moves all waiting jobs of a printer to another printer.
    ///
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer; `noPermission` if the user may not move the
    ///   jobs of other users.
    public func move(to printer: String, fromPrinter source: String) async throws(SpoolerClientError) {
        try await ask(.cupsMoveJob, printer: source, attributes: [.destination(printer)])
    }
}
