// A job that a task of this process sends to its destination.

import Synchronization

/// The job of a destination that returns only when the job has ended.
///
/// The job ends with the process.
final class RunningJob: PrintJobConnection {
    private struct State {
        var reports: [PrintReport] = []
        var number: Int?
        var followers: [Int: AsyncStream<PrintReport>.Continuation] = [:]
        var nextFollower = 0
        var end: Result<PrintEnd, any Error>?
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    private init() {}

    /// Starts a job, and returns when the destination has accepted the job or the job has ended.
    ///
    /// If the task is canceled before, the job is canceled.
    ///
    /// - Parameter submit: The function that sends the job, reports its progress and returns its end.
    /// - Throws: The reason why the job was not accepted; `CancellationError`.
    static func start(
        _ submit: @escaping @Sendable (_ report: @escaping @Sendable (PrintReport) -> Void) async throws -> PrintEnd
    ) async throws -> PrintJob {
        let job = RunningJob()
        let (acceptance, accepted) = AsyncStream<Never>.makeStream()
        let task = Task {
            let end: Result<PrintEnd, any Error>
            do {
                end = .success(
                    try await submit { report in
                        job.add(report)
                        if case .accepted = report { accepted.finish() }
                    })
            } catch {
                end = .failure(error)
            }
            job.finish(end)
            accepted.finish()
        }
        job.task.withLock { $0 = task }
        await withTaskCancellationHandler {
            // The iteration also ends when the task is canceled.
            for await _ in acceptance {}
            if Task.isCancelled { await task.value }
        } onCancel: {
            task.cancel()
        }
        let (number, reports, end) = job.state.withLock { ($0.number, $0.reports, $0.end) }
        if reports.isEmpty, let end, try end.get() == .canceled, Task.isCancelled { throw CancellationError() }
        return PrintJob(number: number, connection: job)
    }

    func status() async throws -> PrintJobStatus {
        state.withLock { state in
            var status = PrintJobStatus(state: .processing)
            for report in state.reports {
                switch report {
                case .accepted: break
                case .progress(let page, let count): (status.page, status.pageCount) = (page, count)
                case .alert(let text): status.alert = text
                case .alertCleared: status.alert = nil
                }
            }
            switch state.end {
            case nil: if status.alert != nil { status.state = .processingStopped }
            case .success(.completed): status.state = .completed
            case .success(.canceled): status.state = .canceled
            case .failure(let error): (status.state, status.message) = (.aborted, "\(error)")
            }
            if state.end != nil { status.alert = nil }
            return status
        }
    }

    func follow(_ report: @escaping @Sendable (PrintReport) -> Void) async throws -> PrintEnd {
        let (news, continuation) = AsyncStream.makeStream(of: PrintReport.self)
        let follower = state.withLock { state in
            for report in state.reports { if case .accepted = report {} else { continuation.yield(report) } }
            if state.end != nil { continuation.finish() } else { state.followers[state.nextFollower] = continuation }
            state.nextFollower += 1
            return state.nextFollower - 1
        }
        defer { state.withLock { $0.followers[follower] = nil } }
        for await one in news { report(one) }
        guard let end = state.withLock({ $0.end }) else { throw CancellationError() }
        return try end.get()
    }

    func cancel() async throws { task.withLock { $0 }?.cancel() }

    private func add(_ report: PrintReport) {
        state.withLock { state in
            if case .accepted(let number) = report { state.number = number }
            state.reports.append(report)
            for follower in state.followers.values { follower.yield(report) }
        }
    }

    private func finish(_ end: Result<PrintEnd, any Error>) {
        state.withLock { state in
            state.end = end
            for follower in state.followers.values { follower.finish() }
            state.followers = [:]
        }
    }
}
