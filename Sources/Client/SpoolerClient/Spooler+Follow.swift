// Follows one job until it ends.

extension Spooler {
    /// Follows a job until it ends, and returns its final state.
    ///
    /// Reads the job after each event of the job or its printer. Also reads the job every 30 seconds, when printd's
    /// wait times out, because the queue position and the remaining hold time change without an event. If printd has
    /// too many subscriptions and refuses another subscription, reads the job once per second.
    ///
    /// - Parameters:
    ///   - pause: Waits for a duration; throws if the task is canceled.
    ///   - onLook: Called after each read.
    /// - Throws: `SpoolerClientError` with `temporary` if the task is canceled, or `unavailable` if printd ends and
    ///   cannot be restarted.
    package func follow(
        _ id: Int, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onLook: (JobView) async -> Void
    ) async throws(SpoolerClientError) -> JobView {
        var request = WatchRequest(jobs: [id])
        (request.tellsOfPrinters, request.comesByEvery) = (true, .seconds(1))
        var last: JobView?
        // Ignore notices about a lost connection: reading the job starts printd again.
        try await EventWatch(self, request, pause: pause, notice: { _ in }).run {
            (events: [EventView]) async throws(SpoolerClientError) in
            if let last, !events.isEmpty, !events.contains(where: { $0.concerns(last) }) { return .wait }
            let job = JobView(try await job(id, JobView.followedNames))
            await onLook(job)
            last = job
            return job.hasEnded ? .stop : .wait
        }
        guard let last, last.hasEnded else {
            throw SpoolerClientError(.temporary, "stopped waiting for job \(id); the job stays in the queue")
        }
        return last
    }
}

extension EventView {
    /// Returns whether the event may have changed the state or the explanation of a job.
    fileprivate func concerns(_ job: JobView) -> Bool { jobID.map { $0 == job.id } ?? (printer == job.printer) }
}
