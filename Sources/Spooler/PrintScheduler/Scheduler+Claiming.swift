// Claims the next job of each printer.

import PrintModel
import PrintSpool

extension Scheduler {
    func claimAll(at now: UnixTime, in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        guard order != .strict || running.isEmpty else { return }
        let all = try await spool.printers()
        let busy = Set(running.values.map(\.printer))
        let printers = all.filter { !$0.isPaused && !busy.contains($0.name) && !unrecovered.contains($0.name) }
        failing = failing.filter { name in unrecovered.contains(name) || printers.contains { $0.name == name } }
        // Until a claimed job has a run, a cancellation of the job is only noted.
        stoppedWhileClaimed = []
        defer { stoppedWhileClaimed = nil }
        for job in try await claim(from: printers.map(\.name), at: now) {
            guard let printer = printers.first(where: { $0.name == job.printer }) else { continue }
            let preparation = Preparation(
                of: job, isAhead: false, after: preparations.removeValue(forKey: job.id))
            start(preparation, for: printer, in: &group)
            startRun(job, on: printer, from: .prepare(preparation), in: &group)
            if stoppedWhileClaimed?.contains(job.id) == true { running[job.id]?.stop.give() }
        }
    }

    /// Claims the next job of each printer.
    ///
    /// If the jobs cannot be claimed together, the function claims each job alone, so that one job does not stop the
    /// other printers.
    private func claim(from printers: [String], at now: UnixTime) async throws(SpoolError) -> [Job] {
        do throws(SpoolError) {
            return try await claimTogether(from: printers, at: now)
        } catch {
            guard !error.concernsAllJobs, order != .strict, printers.count > 1 else { throw error }
        }
        var jobs: [Job] = []
        for printer in printers {
            do throws(SpoolError) {
                jobs += try await claimTogether(from: [printer], at: now)
            } catch {
                // Jobs that were claimed before must be started.
                noteFailure(error, of: printer)
            }
        }
        return jobs
    }

    private func claimTogether(from printers: [String], at now: UnixTime) async throws(SpoolError) -> [Job] {
        // The spool may already have a new lease, whose jobs in progress must be recovered before others start.
        let jobs = try await spool.claimAll(
            fromPrinters: printers, unreachable: probes.withLock(\.unreachable), holdingBack: heldBackOwners,
            order: order, under: leases, now: now)
        failing.subtract(printers)
        return jobs
    }

    /// Notes that the next job of a printer can neither be claimed nor recovered now.
    ///
    /// It may be unknown whether the database saved the start of a job. Therefore the jobs in progress of the printer
    /// are recovered before the next attempt.
    func noteFailure(_ error: SpoolError, of printer: String) {
        unrecovered.insert([printer])
        guard failing.insert(printer).inserted else { return }
        logger.error(
            "a job of a printer cannot be started; trying again",
            metadata: ["printer": "\(printer)", "error": "\(error)"])
    }
}
