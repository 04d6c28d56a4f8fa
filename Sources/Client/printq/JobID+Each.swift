// Helpers for commands that change several jobs.

import IPP
import PrintqOutput
import SpoolerClient

extension [JobID] {
    /// Calls `change` for each job, and writes the resulting states.
    ///
    /// The output is one line for each job, or one JSON array.
    ///
    /// If the change of one job fails, the other jobs are still changed.
    ///
    /// - Parameter words: The function that returns the line for a changed job.
    /// - Throws: The last failure, after all other failures have been reported.
    func changeEach(
        in queue: Spooler, _ output: OutputChoice, words: (JobView) -> String = \.outcome,
        _ change: (Int) async throws(SpoolerClientError) -> Void
    ) async throws(SpoolerClientError) {
        var failure: SpoolerClientError?
        var changed = ChangedJobs(output)
        for id in self {
            do throws(SpoolerClientError) {
                try await change(id.number)
                changed.note(try await queue.job(id.number, JobView.listedNames), words: words)
            } catch {
                if let failure { StandardOutput.complain(failure.message) }
                failure = error
            }
        }
        changed.end()
        if let failure { throw failure }
    }
}

/// A writer of the states of changed jobs.
struct ChangedJobs {
    private let output: OutputChoice
    private var groups: [AttributeGroup] = []

    /// Creates a writer for an output format.
    init(_ output: OutputChoice) { self.output = output }

    /// Writes the state of a job, or adds the state to the JSON array.
    mutating func note(_ job: AttributeGroup, words: (JobView) -> String = \.outcome) {
        if output.json { groups.append(job) } else { StandardOutput.print(words(JobView(job)) + "\n") }
    }

    /// Writes the JSON array of changed jobs.
    func end() {
        if output.json { StandardOutput.print(.array(groups.map { JSONText($0.attributes) })) }
    }
}

extension JobView {
    /// The state of the job as a sentence.
    var outcome: String { "job \(id) is \(stateText(now: Session.now))" }
}
