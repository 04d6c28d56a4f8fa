// Tracks the watched jobs that have not ended.

import PrintModel
package import SpoolerClient

/// The watched jobs that have not ended.
///
/// If the user specifies no jobs, all jobs are watched.
package struct OpenJobs: Sendable {
    private let named: [Int]
    private var open: Set<Int> = []
    /// The numbers of the watched jobs that have ended, in the order in which the jobs ended.
    package private(set) var ended: [Int] = []

    /// Creates a tracker of the jobs with the given numbers.
    ///
    /// An empty array means all jobs.
    package init(named: [Int]) { self.named = named }

    /// Whether all watched jobs have ended.
    package var isEmpty: Bool { open.isEmpty }

    /// Reads the current state of the watched jobs.
    ///
    /// - Parameter printer: The printer of the jobs if all jobs are watched; nil for all printers.
    /// - Returns: The messages about jobs that have already ended, or a message that there are no open jobs.
    package mutating func look(at queue: Spooler, printer: String?) async throws(SpoolerClientError) -> [String] {
        guard !named.isEmpty else {
            open = Set(
                try await queue.jobs(JobListQuery(.notCompleted, printer: printer), ["job-id"]).map(JobView.init).map(
                    \.id))
            return open.isEmpty ? ["no jobs are waiting or printing"] : []
        }
        var words: [String] = []
        for id in named {
            let job = JobView(try await queue.job(id, JobView.listedNames))
            if job.hasEnded {
                ended.append(id)
                words.append("job \(id) has already ended: \(job.state?.description ?? "")")
            } else {
                open.insert(id)
            }
        }
        return words
    }

    /// Updates the tracker with an event.
    package mutating func note(_ event: EventView) {
        guard let id = event.jobID, named.isEmpty || named.contains(id) else { return }
        if event.state?.isTerminal == true {
            open.remove(id)
            if !ended.contains(id) { ended.append(id) }
        } else if !ended.contains(id) {
            open.insert(id)
        }
    }
}
