// Waits until all jobs of a spool have ended.

import Foundation
import IPP
import PrintModel
import PrintTestSupport
import SpoolerClient
import SpoolerTrials

/// The end of all jobs: resumed printers, released held jobs, and decisions about suspended jobs.
struct Settling {
    let world: CrashTrial.World
    let client: TrialClient
    /// The time limit without any change.
    private let timeout = Duration.seconds(100)

    /// The error for jobs that do not end.
    struct Restless: Error, CustomStringConvertible { var description: String }

    func settle() async throws {
        for printer in CrashTrial.printers { _ = try await client.insist(.resumePrinter, printer: printer) }
        try await untilJobsEnd()
        try await settled("printers have ended their jobs") {
            let open = Evidence(spool: world.spooler.spool).printed.filter { $0.hasDocument && !$0.hasEnded }
            return open.isEmpty ? nil : "\(open)"
        }
        // Workers of a killed program finish their current work.
        try await settled("orphaned processes have ended") {
            let strays = world.spooler.strays
            return strays.isEmpty ? nil : "\(strays)"
        }
    }

    private func untilJobsEnd() async throws {
        var last: [Int: String] = [:]
        var nextWord = ContinuousClock.now + .seconds(10)
        var end = ContinuousClock.now + timeout
        try await client.queue.eventually("all jobs have ended", within: .seconds(3600)) {
            let open = try await client.jobs(.notCompleted)
            if open.isEmpty { return true }
            for job in open { try await help(job) }
            let now = Dictionary(uniqueKeysWithValues: open.map { ($0.id, "\($0.state) \($0.reasons) \($0.message)") })
            if now != last { (last, end) = (now, .now + timeout) }
            if ContinuousClock.now > nextWord {
                nextWord += .seconds(10)
                SpoolerTrial.say("still waiting for \(now)")
            }
            guard ContinuousClock.now < end else { throw Restless(description: "these jobs have not ended: \(now)") }
            return false
        }
    }

    private func help(_ job: Evidence.QueuedJob) async throws {
        if job.isSuspended {
            world.note(.doubtShown(job: job.id, words: job.message))
            world.count("doubtful")
            // A person checks the paper and cancels, resumes or reprints the job. The job number selects the decision.
            if job.id % 4 == 0 {
                world.note(.cancelAsked(job: job.id))
                _ = try await client.insist(.cancelJob, job: job.id)
            } else if job.id % 4 < 3, try await client.insist(.resumeJob, job: job.id).status.isSuccess {
                world.note(.doubtResumed(job: job.id))
                world.count("resumed")
            } else {
                world.note(.doubtReleased(job: job.id))
                _ = try await client.insist(.releaseJob, job: job.id)
            }
        } else if job.state == .pendingHeld, !job.reasons.contains("job-incoming") {
            _ = try await client.insist(.releaseJob, job: job.id)
        }
    }

    /// Polls until there is no unavailability.
    ///
    /// A remaining unavailability is not an error here, because the comparison reports it.
    private func settled(_ what: String, _ unavailability: () throws -> String?) async throws {
        var seen: String?
        do {
            try await eventually(what, within: .seconds(15), every: .milliseconds(50)) {
                seen = try unavailability()
                return seen == nil
            }
        } catch is NeverSo {
            SpoolerTrial.say("not yet: \(what): \(seen ?? "")")
        }
    }
}
