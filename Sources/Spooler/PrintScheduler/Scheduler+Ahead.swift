// Prepares the next jobs of a printer while the printer prints.

import PrintModel
import PrintSpool

extension Scheduler {
    /// Removes the documents that were prepared in advance for jobs that users have canceled, held, moved or changed.
    func removeStalePreparations() async throws(SpoolError) {
        guard !preparations.isEmpty else { return }
        let ids = preparations.keys.sorted()
        let jobs = Dictionary(uniqueKeysWithValues: try await spool.jobs(withIDs: ids).map { ($0.id, $0) })
        for id in ids {
            guard let preparation = preparations[id], jobs[id]?.isWaiting(as: preparation.job) != true else { continue }
            preparation.cancel()
            // A preparation in progress wakes the loop when it ends.
            guard preparation.isOver else { continue }
            preparations[id] = nil
            await spool.removePrepared(of: id)
        }
    }

    /// Starts to prepare the next job of a busy printer.
    ///
    /// At most one job is prepared in advance at a time, so that the worker stays available for jobs that start.
    /// The preparation of an overtaken job does not count.
    /// A second job of the same printer is prepared, because a fast printer ends a job before the next one is prepared.
    func prepareAhead(at now: UnixTime, in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        guard preparations.values.allSatisfy({ $0.isOver || $0.isOvertaken }), !running.isEmpty else { return }
        let printers = try await spool.printers()
        let candidates = printers.map(\.name).filter(mayPrepareAhead)
        let next = try await spool.nextJobs(
            ofPrinters: candidates, holdingBack: heldBackOwners, order: order, besides: Set(preparations.keys), now: now
        )
        // A run that has just postponed its job may still return the prepared document.
        guard let job = next.first, running[job.id] == nil,
            let printer = printers.first(where: { $0.name == job.printer })
        else { return }
        let preparation = Preparation(of: job, isAhead: true)
        preparations[job.id] = preparation
        start(preparation, for: printer, in: &group)
    }

    /// Starts a preparation as a separate task.
    func start(_ preparation: Preparation, for printer: ConfiguredPrinter, in group: inout DiscardingTaskGroup) {
        let run = PreparationRun(
            spool: spool, preparer: preparer(for: printer), sleeper: workClock, logger: logger,
            lease: leases[printer.name], wake: { self.wake() })
        group.addTask {
            await run.run(preparation)
            if preparation.isAhead { self.wake() }
        }
    }

    // MARK: - Documents that take long

    /// The owners whose documents are being prepared while jobs of other owners overtake them, by printer.
    var heldBackOwners: [String: Set<String>] {
        var owners: [String: Set<String>] = [:]
        for preparation in preparations.values where preparation.isOvertaken {
            owners[preparation.job.printer, default: []].insert(preparation.job.owner)
        }
        return owners
    }

    /// Lets jobs of other owners overtake a job whose preparation takes long.
    ///
    /// The jobs of one owner never overtake each other, and in strict order no job overtakes another.
    func letOthersPass(at now: UnixTime) async throws(SpoolError) {
        guard order != .strict else { return }
        for run in running.values where !run.ready.isGiven {
            guard let preparation = run.preparation, preparation.isSlow else { continue }
            let owners = heldBackOwners[run.printer, default: []].union([preparation.job.owner])
            let others = try await spool.nextJobs(
                ofPrinters: [run.printer], holdingBack: [run.printer: owners], order: order, now: now)
            if !others.isEmpty { preparation.overtake() }
        }
    }

    /// Returns whether the printer is printing and another job can be prepared for this printer.
    ///
    /// In strict order, all printers count as a single printer.
    private func mayPrepareAhead(_ printer: String) -> Bool {
        let inProgress = running.values.filter { order == .strict || $0.printer == printer }
        let isPrinting = !inProgress.isEmpty && inProgress.allSatisfy(\.ready.isGiven)
        let prepared = preparations.values.count { order == .strict || $0.job.printer == printer }
        return isPrinting && prepared < (order == .perPrinter ? 2 : 1)
    }
}
