// The next job is made ready while one prints.

import PrintModel
import PrintSpool

extension Scheduler {
    /// Forgets what was made ready for jobs that no longer wait for it: canceled, held, moved, changed.
    func tidyPreparations() async throws(SpoolError) {
        for (id, preparation) in preparations.sorted(by: { $0.key < $1.key }) {
            if let job = try await spool.job(id), job.isWaiting(as: preparation.job) { continue }
            preparation.stop.give()
            // Work that has not come to its end wakes the loop when it has.
            guard preparation.isOver else { continue }
            preparations[id] = nil
            await spool.removePrepared(of: id)
        }
    }

    /// Has the next job of a printer that prints be prepared.
    ///
    /// One at a time: of the documents the worker takes at once, a place stays free for a job whose turn has come.
    func prepareAhead(at now: UnixTime, in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        guard preparations.values.allSatisfy(\.isOver), !running.isEmpty else { return }
        let printers = try await spool.printers()
        let candidates = printers.map(\.name).filter(mayPrepareAhead)
        // A run that has just stored its job's next try may be about to hand back what is ready for it.
        guard let job = try await spool.nextJobs(ofPrinters: candidates, order: order, now: now).first,
            running[job.id] == nil,
            let printer = printers.first(where: { $0.name == job.printer })
        else { return }
        let preparation = Preparation(of: job)
        preparations[job.id] = preparation
        let run = PreparationRun(spool: spool, preparer: preparer(for: printer), logger: logger)
        group.addTask {
            await run.see(preparation)
            self.wake()
        }
    }

    /// Whether a printer prints, with nothing made ready for it; in strict order, whether any does.
    private func mayPrepareAhead(_ printer: String) -> Bool {
        let inHand = running.values.filter { order == .strict || $0.printer == printer }
        let isPrinting = !inHand.isEmpty && inHand.allSatisfy(\.ready.isGiven)
        return isPrinting && !preparations.values.contains { order == .strict || $0.job.printer == printer }
    }
}
