// Lists and describes jobs, and changes the state of a job.

import Glibc
package import IPP
import PrintIPP
public import PrintModel

extension Spooler {
    // MARK: - Listing

    /// Returns jobs, as `printq queue` and `printq log` do: first the jobs that are not ended in the order of printing,
    /// then the ended jobs, newest first.
    ///
    /// Jobs of other users are in the list, but ``JobView/withheld`` replaces their names and owners if the user may
    /// not see them.
    ///
    /// - Parameters:
    ///   - selection: The states of the jobs.
    ///   - printer: The name of the printer of the jobs; nil for all printers.
    ///   - isMine: Whether to list only the jobs of the user.
    ///   - owner: The owner of the jobs; nil for all owners. Only administrators can list the jobs of another user.
    ///   - limit: The maximum number of jobs; nil for no limit.
    /// - Throws: `SpoolerClientError`: `usage` if there is no such printer; `noPermission` for the owner.
    public func jobs(
        _ selection: JobSelection = .notCompleted, printer: String? = nil, isMine: Bool = false, owner: String? = nil,
        limit: Int? = nil
    ) async throws(SpoolerClientError) -> [JobView] {
        let query = JobListQuery(selection, printer: printer, isMine: isMine, owner: owner, limit: limit)
        return try await jobs(query, JobView.listedNames).map(JobView.init)
    }

    /// Returns a job with its options, documents and events, as `printq show` does.
    ///
    /// - Throws: `SpoolerClientError` with `usage` if there is no such job.
    public func job(_ id: Int) async throws(SpoolerClientError) -> DetailedJob {
        DetailedJob(try await job(id, DetailedJob.attributeNames))
    }

    /// Explains the state of a job, as `printq why` does: the cause, the next step, and the remedies.
    ///
    /// - Throws: `SpoolerClientError` with `usage` if there is no such job.
    public func why(_ id: Int) async throws(SpoolerClientError) -> JobExplanation {
        JobExplanation(try await job(id, JobExplanation.attributeNames))
    }

    // MARK: - Changing

    /// Cancels a job.
    ///
    /// A printer that prints the job can finish a sheet first; ``wait(for:)`` waits for the end.
    ///
    /// - Throws: `SpoolerClientError`: `notDone` if the job has ended; `noPermission` for a job of another user.
    public func cancel(_ id: Int) async throws(SpoolerClientError) { try await ask(.cancelJob, job: id) }

    /// Cancels the jobs of the user that have not ended, as `printq cancel --all` does.
    ///
    /// - Parameter printer: The name of the printer of the jobs; nil for all printers.
    /// - Returns: The numbers of the jobs.
    @discardableResult
    public func cancelOwnJobs(at printer: String? = nil) async throws(SpoolerClientError) -> [Int] {
        let jobs = try await jobs(JobListQuery(.notCompleted, printer: printer, isMine: true), ["job-id"])
        if !jobs.isEmpty { try await ask(.cancelMyJobs, printer: printer) }
        return jobs.map { JobView($0).id }
    }

    /// Holds a waiting job.
    ///
    /// - Parameters:
    ///   - id: The number of the job.
    ///   - until: The time at which `printd` releases the job, such as `.time(1_893_456_000)`; `.indefinite` for a job
    ///     that a person releases.
    /// - Throws: `SpoolerClientError`: `notDone` if the job is printing or has ended; `noPermission` for a job of
    ///   another user.
    public func hold(_ id: Int, until: HoldUntil = .indefinite) async throws(SpoolerClientError) {
        try await ask(.holdJob, job: id, attributes: until.attributes)
    }

    /// Releases a held job, also a job of the user that waits for its PIN.
    ///
    /// - Throws: `SpoolerClientError`: `notDone` if the job is not held; `noPermission` for a job of another user.
    public func release(_ id: Int) async throws(SpoolerClientError) { try await ask(.releaseJob, job: id) }
}

/// The explanation of a job's state, which `printq why` shows.
public struct JobExplanation: Sendable, CustomStringConvertible {
    /// The job, without its printer, owner and name.
    private let job: JobView
    /// The cause of the state and the remedies, for programs; nil if the user may not see the reason.
    public let condition: JobCondition?
    /// Whether the user may see the reason: the owner and administrators may.
    public let isVisible: Bool

    /// The job attributes to request from printd.
    package static let attributeNames = [
        "job-id", "job-state", "job-state-reasons", "job-state-message", "printq-why", JobCondition.attributeName,
    ]

    package init(_ group: AttributeGroup) {
        job = JobView(group)
        condition = JobCondition(attributes: group)
        isVisible = group["printq-why"] != nil || group["job-state-message"] != nil
    }

    /// The state of the job; nil if this version does not know the state.
    public var state: JobState? { job.state }

    /// The commands of `printq` that apply the remedies, the most useful first: `printq release 3`.
    public var commands: [String] { condition?.remedies.compactMap(\.command) ?? [] }

    /// The explanation in English sentences; the state if the user may not see the reason.
    public var description: String { text(now: UnixTime(time(nil))) }

    /// Returns the explanation in English sentences; the state if the user may not see the reason.
    ///
    /// - Parameter now: The current time, for the time at which a held job is released.
    public func text(now: UnixTime) -> String {
        if !job.explanation.isEmpty { return job.explanation }
        let rest = isVisible ? "" : "; only the job's owner and administrators may see the reason"
        return "job \(job.id) is \(job.stateText(now: now))\(rest)"
    }
}
