// One job, followed to its end.

extension Spooler {
    /// Follows a job to its end, and gives its last state.
    ///
    /// It is looked at when printd tells that something has happened to it or at its printer, and every half minute, when
    /// printd's patience is over: how many come before it, or how long it is held yet, changes without an event. A printd
    /// that gives no subscription, because too many have one, is asked once a second.
    ///
    /// - Parameters:
    ///   - pause: waits a moment; throws when the task is cancelled.
    ///   - onLook: called after each look.
    /// - Throws: `SpoolerClientError` with `temporary` when the task is cancelled, `unavailable` when printd goes and cannot be
    ///   started again.
    package func follow(
        _ id: Int, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onLook: (JobView) async -> Void
    ) async throws(SpoolerClientError) -> JobView {
        var request = WatchRequest(jobs: [id])
        (request.tellsOfPrinters, request.comesByEvery) = (true, .seconds(1))
        var last: JobView?
        // Nobody need be told that printd has gone: looking at the job starts it again.
        try await EventWatch(self, request, pause: pause, notice: { _ in }).run {
            (events: [EventView]) async throws(SpoolerClientError) in
            if let last, !events.isEmpty, !events.contains(where: { $0.concerns(last) }) { return .wait }
            let job = JobView(try await job(id, JobView.followedNames))
            await onLook(job)
            last = job
            return job.hasEnded ? .stop : .wait
        }
        guard let last, last.hasEnded else {
            throw SpoolerClientError(.temporary, "waiting for job \(id) was given up; it stays in the queue")
        }
        return last
    }
}

extension EventView {
    /// Whether it may have changed what there is to say of a job.
    fileprivate func concerns(_ job: JobView) -> Bool { jobID.map { $0 == job.id } ?? (printer == job.printer) }
}
