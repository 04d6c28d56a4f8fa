// Delivers events and the states of a job as asynchronous sequences.

import PrintModel
import Synchronization

extension Spooler {
    /// Returns the events of jobs and printers from now on, as `printq watch` does.
    ///
    /// The method returns when `printd` delivers events, so that an event after a later request is in the sequence. The
    /// sequence has no end. It continues after a restart of `printd` without missing or repeating an event, but does not
    /// start `printd` again. If the task that reads the sequence is canceled, or the sequence is released, the
    /// subscription at `printd` ends.
    ///
    ///     for try await event in try await spooler.events(ofJobs: [7]) {
    ///         print(event.text)                           // job 7 (Letter) on office: printing page 2 of 5
    ///     }
    ///
    /// Events that the program has not read yet stay in memory.
    ///
    /// - Parameters:
    ///   - ids: The numbers of jobs; empty for all jobs and printers.
    ///   - printer: The name of the printer whose events are delivered; nil for all printers.
    ///   - event: The number of the event after which the sequence begins; 0 for all stored events, nil for new events.
    ///   - onNotice: The function that is called after a change of the connection, and when events are missing.
    /// - Returns: The events. The sequence throws `SpoolerClientError` if `printd` refuses a request.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such job, printer or event; `temporary` if there are too
    ///   many subscriptions; `noPermission` for a job of another user.
    public func events(
        ofJobs ids: [Int] = [], at printer: String? = nil, after event: Int? = nil,
        onNotice: @escaping @Sendable (EventNotice) -> Void = { _ in }
    ) async throws(SpoolerClientError) -> AsyncThrowingStream<EventView, any Error> {
        let watch = EventWatch(self, WatchRequest(printer: printer, jobs: ids, after: event), notice: onNotice)
        let (events, continuation) = AsyncThrowingStream.makeStream(of: EventView.self)
        let start = SubscriptionStart()
        let delivery = Task {
            do throws(SpoolerClientError) {
                try await watch.run { (batch: [EventView]) async throws(SpoolerClientError) in
                    start.finish(.success(()))
                    for event in batch { continuation.yield(event) }
                    return .wait
                }
                continuation.finish()
            } catch {
                start.finish(.failure(error))
                continuation.finish(throwing: error)
            }
            start.finish(.failure(SpoolerClientError(.temporary, "the subscription was canceled")))
        }
        continuation.onTermination = { _ in delivery.cancel() }
        await withTaskCancellationHandler {
            await start.wait()
        } onCancel: {
            delivery.cancel()
        }
        try start.result()
        return events
    }

    /// Returns a job now, and again after each change of the job or its printer; the last element is the ended job.
    ///
    /// If the task that reads the sequence is canceled, or the sequence is released, the subscription at `printd` ends.
    /// The job continues.
    ///
    ///     for try await job in spooler.watch(7) { print(job.stateText(now: now), job.pages) }      // printing 2/5
    ///
    /// - Returns: The states of the job. The sequence throws the errors of ``wait(for:)``.
    public func watch(_ id: Int) -> AsyncThrowingStream<JobView, any Error> {
        let (jobs, continuation) = AsyncThrowingStream.makeStream(of: JobView.self)
        let following = Task {
            do throws(SpoolerClientError) {
                _ = try await follow(id) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in following.cancel() }
        return jobs
    }

    /// Waits until a job has ended, as `printq submit --wait` does, and returns the ended job.
    ///
    /// - Returns: The job. Its state is `completed`, `canceled` or `aborted`.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such job; `temporary` if the task is canceled, which does
    ///   not affect the job; `unavailable` if `printd` ends and cannot be started.
    @discardableResult
    public func wait(for id: Int) async throws(SpoolerClientError) -> JobView { try await follow(id) { _ in } }
}

/// A change of the connection to `printd`, or a gap in the events.
public enum EventNotice: Hashable, Sendable {
    /// The connection was lost. The delivery continues when `printd` runs again.
    case lost
    /// The delivery continues after the event with the given number.
    case reconnected(after: Int)
    /// printd deleted events up to the event with the given number before their delivery.
    case missing(through: Int)

    /// The notice as a sentence for the user.
    public var text: String {
        switch self {
        case .lost: "lost the connection to printd; waiting until printd is running again"
        case .reconnected(let event): "reconnected to printd; continuing after event \(event)"
        case .missing(let event): "some events up to event \(event) are missing because their jobs were deleted"
        }
    }
}

/// The start of a subscription, for which one task waits.
private final class SubscriptionStart: Sendable {
    private struct State {
        var result: Result<Void, SpoolerClientError>?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Stores the first result, and resumes the waiting task.
    func finish(_ result: Result<Void, SpoolerClientError>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return nil as CheckedContinuation<Void, Never>? }
            state.result = result
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result != nil
            }
            if isFinished { continuation.resume() }
        }
    }

    func result() throws(SpoolerClientError) { try state.withLock { $0.result }?.get() }
}
