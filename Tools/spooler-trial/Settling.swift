// Letting a spool come to rest.

import Foundation
import IPP
import PrintModel
import PrintTestSupport
import SpoolerClient
import SpoolerTrials

/// Lets everything end that can: printers go on, held jobs are released, suspended ones decided.
struct Settling {
    let world: CrashTrial.World
    let client: TrialClient
    /// How long nothing at all may happen.
    private let patience = Duration.seconds(100)

    /// What does not come to rest.
    struct Restless: Error, CustomStringConvertible { var description: String }

    func settle() async throws {
        for printer in CrashTrial.printers { _ = try await client.insist(.resumePrinter, printer: printer) }
        try await untilJobsEnd()
        try await settled("printers have ended their jobs") {
            let open = Evidence(spool: world.spooler.spool).printed.filter { $0.hasDocument && !$0.hasEnded }
            return open.isEmpty ? nil : "\(open)"
        }
        // Workers of a program that was killed finish what they are at.
        try await settled("orphaned processes have ended") {
            let strays = world.spooler.strays
            return strays.isEmpty ? nil : "\(strays)"
        }
    }

    private func untilJobsEnd() async throws {
        var last: [Int: String] = [:]
        var nextWord = ContinuousClock.now + .seconds(10)
        var end = ContinuousClock.now + patience
        try await client.queue.eventually("all jobs have ended", within: .seconds(3600)) {
            let open = try await client.jobs(.notCompleted)
            if open.isEmpty { return true }
            for job in open { try await help(job) }
            let now = Dictionary(uniqueKeysWithValues: open.map { ($0.id, "\($0.state) \($0.reasons) \($0.message)") })
            if now != last { (last, end) = (now, .now + patience) }
            if ContinuousClock.now > nextWord {
                nextWord += .seconds(10)
                SpoolerTrial.say("still waiting for \(now)")
            }
            guard ContinuousClock.now < end else { throw Restless(description: "these jobs do not end: \(now)") }
            return false
        }
    }

    private func help(_ job: Evidence.QueuedJob) async throws {
        if job.isSuspended {
            world.note(.doubtShown(job: job.id, words: job.message))
            world.count("doubtful")
            // Whoever looked at the paper says leave it, print the rest, or print all again; chance is in the number.
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

    /// Waits until nothing is in the way, of which nothing tells; what is, is no error here: the comparison will say so.
    private func settled(_ what: String, _ obstacle: () throws -> String?) async throws {
        var seen: String?
        do {
            try await eventually(what, within: .seconds(15), every: .milliseconds(50)) {
                seen = try obstacle()
                return seen == nil
            }
        } catch is NeverSo {
            SpoolerTrial.say("not yet: \(what): \(seen ?? "")")
        }
    }
}
