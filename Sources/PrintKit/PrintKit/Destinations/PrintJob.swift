// A job that a destination has accepted.

public import PrintModel

/// A job that a destination has accepted.
///
///     let job = try await controller.submit(to: printer, submissionID: "invoice 4711")
///     database.store(job.number)                          // the program can end here
///
///     let job = try await SpoolerDestination().job(number: number)     // after a restart
///     for try await report in job.reports { … }
///
/// The job does not depend on this value or on the task that submitted the job.
public struct PrintJob: Sendable {
    /// The number of the job at its destination; `nil` if the destination assigns no numbers.
    public let number: Int?
    private let connection: any PrintJobConnection

    /// Creates a value for a job that a destination has accepted.
    public init(number: Int?, connection: any PrintJobConnection) {
        (self.number, self.connection) = (number, connection)
    }

    /// Returns the current state of the job, with its progress and the alert of its printer.
    ///
    /// - Throws: `PrintError` when the destination is not available, or when it no longer has the job.
    public func status() async throws -> PrintJobStatus { try await connection.status() }

    /// The reports about the job from now on: the current progress and alert, and each change until the job has ended.
    ///
    /// Each access starts a sequence. The sequence throws the errors of `wait()`.
    public var reports: AsyncThrowingStream<PrintReport, any Error> {
        let (reports, continuation) = AsyncThrowingStream.makeStream(of: PrintReport.self)
        let following = Task { [connection] in
            do {
                _ = try await connection.follow { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in following.cancel() }
        return reports
    }

    /// Waits until the job has ended.
    ///
    /// Canceling the task stops the wait. The job continues.
    ///
    /// - Returns: The end of the job: completed or canceled.
    /// - Throws: `PrintError` with `jobFailed` when the job failed, or `printingNotAvailable` when the destination is
    ///   not available; `CancellationError` when the task is canceled.
    @discardableResult
    public func wait() async throws -> PrintEnd { try await connection.follow { _ in } }

    /// Cancels the job.
    ///
    /// If the job has ended, the method does nothing. A printer that is printing the job may finish a page; `wait()` waits for the end.
    ///
    /// - Throws: `PrintError` when the destination is not available, or when it refuses the request.
    public func cancel() async throws { try await connection.cancel() }
}

/// The state of a job at the time at which its destination was asked.
public struct PrintJobStatus: Hashable, Sendable {
    /// The state (IPP `job-state`).
    public var state: JobState
    /// The reasons for the state, as keywords (IPP `job-state-reasons`).
    public var reasons: [String] = []
    /// The explanation of the state, one sentence; empty if the destination reports no explanation.
    public var message = ""
    /// The number of pages that were printed.
    public var page = 0
    /// The number of pages of the job; `nil` if the number is unknown.
    public var pageCount: Int?
    /// The condition that requires attention at the printer, such as "Out of Paper"; `nil` if there is none.
    public var alert: String?

    /// Creates a status without progress.
    public init(state: JobState) { self.state = state }
}

/// A connection to an accepted job, which a destination provides for `PrintJob`.
public protocol PrintJobConnection: Sendable {
    /// Returns the current state of the job.
    func status() async throws -> PrintJobStatus

    /// Follows the job until the job has ended, and returns the end.
    ///
    /// If the task is canceled, the method throws `CancellationError`. The job continues.
    ///
    /// - Parameter report: A closure that receives the progress and the alerts. The closure can be called from any
    ///   thread.
    /// - Throws: The reason why the job failed, or why the destination is not available.
    func follow(_ report: @escaping @Sendable (PrintReport) -> Void) async throws -> PrintEnd

    /// Cancels the job, unless the job has ended.
    func cancel() async throws
}
