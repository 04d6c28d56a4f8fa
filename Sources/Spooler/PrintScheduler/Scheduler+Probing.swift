// Asks the printers that do not respond whether they can be reached again.

import Logging
public import PrintModel
import PrintSpool

extension Scheduler {
    /// Asks printers that could not be reached for their status, at the times of `PrinterProbes`.
    ///
    /// One task asks all printers. A printer that responds receives its waiting jobs immediately. Nothing is stored
    /// before that.
    func probePrinters() async {
        await withDiscardingTaskGroup { group in
            var wakeUps = probeWakeUps.makeAsyncIterator()
            repeat {
                let now = clock()
                let (started, next) = probes.withLock { ($0.start(at: now), $0.nextStart(after: now)) }
                for probe in started { group.addTask { await self.ask(probe) } }
                // The clock may be changed, so the task sleeps for one minute at most.
                let pause = next.map { max(0.01, min($0 - now, 60)) }
                guard await wait(for: &wakeUps, atMost: pause, probeWakeUp) else { break }
            } while true
            group.cancelAll()
        }
    }

    /// Delays the next attempt to deliver a job until the job's printer responds.
    func waitForPrinter(_ printer: ConfiguredPrinter, toPrint job: Job, since moment: UnixTime) {
        probes.withLock { $0.add(printer, for: job, at: moment, retry) }
        probeWakeUp.yield()
    }

    /// Returns the job with the time and the number of its next attempt, if the job waits for its printer to respond.
    public nonisolated func withNextAttempt(_ job: Job) -> Job {
        guard job.state == .pending, job.retryAt != nil, let probe = probes.withLock({ $0.probe(of: job) })
        else { return job }
        var job = job
        (job.retryAt, job.attempts) = (probe.due, probe.attempts)
        return job
    }

    /// Forgets the failed requests to all printers except the given printers.
    package nonisolated func keepOnly(_ printers: Set<String>) { probes.withLock { $0.keepOnly(printers) } }

    /// Asks a printer once.
    private func ask(_ probe: PrinterProbes.Probe) async {
        let printer = probe.printer
        if await isStillRequired(probe) {
            if await directory.status(of: printer) != nil { return await printerAnswered(printer.name) }
            guard !Task.isCancelled else { return }
            let message = await directory.lastStatus(of: printer)?.problem?.message
            probes.withLock { $0.fail(probe, message, at: clock(), retry) }
            if !probes.withLock({ $0.unreachable.contains(printer.name) }) { wake() }
        } else {
            probes.withLock { $0.remove(printer.name) }
            wake()
        }
        probeWakeUp.yield()
    }

    /// Returns whether the job still waits for the printer, and the printer's configuration has not changed.
    private func isStillRequired(_ probe: PrinterProbes.Probe) async -> Bool {
        let name = probe.printer.name
        guard !spool.isShared || leases[name] != nil, let job = try? await spool.job(probe.jobID),
            job.state == .pending, job.printer == name, job.retryAt != nil
        else { return false }
        return (try? await spool.printers())?.contains(probe.printer) == true
    }
}
