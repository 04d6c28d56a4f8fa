// Follows one job until it ends.

import IPP
import PrintModel

extension Spooler {
    /// Follows a job until the job ends, and returns the final state of the job.
    ///
    /// This function reads the job after each event of the job or its printer. Without events, this function reads the
    /// job every 30 seconds, because the queue position and the remaining hold time change without an event.
    ///
    /// If printd refuses a subscription because the number of subscriptions has reached its limit, this function reads
    /// the job once per second.
    ///
    /// - Parameters:
    ///   - pause: The function that waits for a duration. The function throws an error if the task is canceled.
    ///   - onPast: The function that is called before `onLook`, once for each page that was printed after the previous
    ///     read. The argument is the state of the job at the time when this page was printed.
    ///   - onLook: The function that is called each time the job has been read.
    /// - Throws: `SpoolerClientError` with `temporary` if the task is canceled, or `unavailable` if printd ends and
    ///   cannot be restarted.
    package func follow(
        _ id: Int, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onPast: ((JobView) -> Void)? = nil, onLook: (JobView) async -> Void
    ) async throws(SpoolerClientError) -> JobView {
        var request = WatchRequest(jobs: [id])
        (request.tellsOfPrinters, request.comesByEvery) = (true, .seconds(1))
        var last: JobView?
        // Ignore notices about a lost connection: reading the job starts printd again.
        try await EventWatch(self, request, pause: pause, notice: { _ in }).run {
            (events: [EventView]) async throws(SpoolerClientError) in
            if let last, !events.isEmpty, !events.contains(where: { $0.concerns(last) }) { return .wait }
            // The first read includes the events before the subscription.
            let history = onPast != nil && last == nil ? ["printq-timeline"] : []
            let group = try await job(id, JobView.followedNames + history)
            let job = JobView(group)
            if let onPast {
                let past = last == nil ? EventView.latestRun(ofJob: group) : events
                for step in past.compactMap({ job.printing(at: $0, after: last) }) { onPast(step) }
            }
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
    /// Returns whether the event can change the state of the job, or the reason why the job is waiting.
    fileprivate func concerns(_ job: JobView) -> Bool { jobID.map { $0 == job.id } ?? (printer == job.printer) }
}

extension JobView {
    /// Returns the state of the job at the time of a printing event; nil if the event reports no new progress of this
    /// job.
    ///
    /// A fast printer prints several pages between two reads. Therefore the reads alone would omit pages.
    ///
    /// - Parameter last: The job at the previous read. The function returns nil for pages that were already printed at
    ///   that time.
    fileprivate func printing(at event: EventView, after last: JobView?) -> JobView? {
        guard event.jobID == id, event.state == .processing, event.reasons.contains("job-printing"),
            !event.message.isEmpty
        else { return nil }
        let printed = event.impressionsCompleted ?? 0
        if let last, last.reasons.contains("job-printing"), printed <= last.impressionsCompleted { return nil }
        var job = self
        (job.state, job.reasons, job.message) = (event.state, event.reasons, event.message)
        // The number of pages at that time follows from the number of sides.
        (job.impressionsCompleted, job.progress) = (printed, nil)
        return job
    }
}

extension EventView {
    /// Returns the events of a job since the job last left a waiting or stopped state, oldest first.
    ///
    /// - Parameter group: The attributes of the job, including `printq-timeline`.
    fileprivate static func latestRun(ofJob group: AttributeGroup) -> [EventView] {
        let id = group["job-id"]?.values ?? []
        let events = (group["printq-timeline"]?.values ?? []).compactMap(\.collectionValue).map { event in
            var attributes = event.members
            if let message = attributes.first(where: { $0.name == "notify-text" })?.values {
                attributes.append(Attribute("job-state-message", message))
            }
            return EventView(AttributeGroup(.eventNotification, attributes + [Attribute("notify-job-id", id)]))
        }
        let start = events.lastIndex { $0.state != .processing && $0.state?.isTerminal != true }
        return Array(events[(start.map { $0 + 1 } ?? 0)...])
    }
}
