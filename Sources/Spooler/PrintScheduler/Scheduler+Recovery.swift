// Continues the jobs in progress of an earlier process, and follows the changes of other hosts.

import PrintModel
import PrintSpool

extension Scheduler {
    /// Continues the jobs that an earlier process or another host has left in progress.
    ///
    /// Call this function before the scheduler starts other jobs at the same printers.
    ///
    /// A job that was never sent to a printer returns to its position in the queue. Any other job is looked up at its
    /// printer. If the spool reports an error, the next call continues with the remaining jobs. If this process still
    /// delivers a job under a lease that has ended, the job is recovered after that delivery has ended.
    func recoverJobs(in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        if case .some(let printers) = unrecovered, printers.isEmpty { return }
        let recovered = unrecovered
        unrecovered = .some([])
        let printers = try await spool.printers()
        var remaining: Set<String> = []
        for job in try await spool.jobsToRescue() where recovered.contains(job.printer) {
            guard running[job.id] == nil else {
                if running[job.id]?.lost.isGiven == true { remaining.insert(job.printer) }
                continue
            }
            let lease = leases[job.printer]
            guard lease != nil || !spool.isShared else { continue }
            guard var remote = job.remote, let printer = printers.first(where: { $0.name == job.printer }) else {
                let message = "\(job.printer) no longer exists, and \(job.doubt)"
                let event: JobStateMachine.Event = job.remote == nil ? .interrupted : .doubted(message: message)
                do throws(SpoolError) {
                    try await spool.change(job.id, event, under: lease)
                } catch {
                    guard !error.concernsAllJobs else { throw error }
                    remaining.insert(job.printer)
                    noteFailure(error, of: job.printer)
                }
                continue
            }
            logger.notice("looking up a job after a restart", metadata: job.logFields)
            remote.owner = job.owner
            startRun(job, on: printer, from: .lookUp(remote), in: &group)
        }
        // A delivery may have ended meanwhile because this process had ended the lease.
        unrecovered.insert(remaining)
    }

    // MARK: - Several hosts

    /// Adapts this scheduler to the changes that other hosts have made to a shared spool.
    ///
    /// The function ends the deliveries to printers that this process no longer drives, and stops the jobs that were
    /// canceled on another host. If this process has a new lease of a printer, `recoverJobs` then continues the jobs in
    /// progress at that printer.
    func followOtherHosts() async throws(SpoolError) {
        guard spool.isShared else { return }
        let current = spool.leases
        if current != leases {
            var printers = Set(current.keys)
            if case .some(let names) = unrecovered { printers = names }
            for (printer, lease) in current where leases[printer] != lease { printers.insert(printer) }
            unrecovered = .some(printers.filter { current[$0] != nil })
            leases = current
            for run in running.values where run.lease != current[run.printer] { run.lost.give() }
        }
        guard !running.isEmpty else { return }
        for job in try await spool.jobsToRescue() where job.isBeingCanceled { running[job.id]?.stop.give() }
    }
}
