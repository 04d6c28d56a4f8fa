// Which of the jobs that somebody waits for have not ended.

import PrintModel
package import SpoolerClient

/// The jobs that somebody waits for: those that are named, or all that come.
package struct OpenJobs: Sendable {
    private let named: [Int]
    private var open: Set<Int> = []
    /// Those that have ended, in the order in which that was seen.
    package private(set) var ended: [Int] = []

    /// The jobs of these numbers; none stands for all.
    package init(named: [Int]) { self.named = named }

    /// Whether there is none left to wait for.
    package var isEmpty: Bool { open.isEmpty }

    /// Looks how they are now.
    ///
    /// - Returns: what to say of those that have ended already.
    package mutating func look(at queue: Spooler, printer: String?) async throws(SpoolerClientError) -> [String] {
        guard !named.isEmpty else {
            open = Set(
                try await queue.jobs(JobListing(.notCompleted, printer: printer), ["job-id"]).map(JobView.init).map(
                    \.id))
            return open.isEmpty ? ["nothing waits or prints"] : []
        }
        var words: [String] = []
        for id in named {
            let job = JobView(try await queue.job(id, JobView.listedNames))
            if job.hasEnded {
                ended.append(id)
                words.append("job \(id) has ended already: \(job.state?.description ?? "")")
            } else {
                open.insert(id)
            }
        }
        return words
    }

    /// Notes what has happened to one.
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
