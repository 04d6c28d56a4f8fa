// Waits for the jobs of a program under test.

import PrintModel
import PrinterSimulator
import AsyncPrimitives

/// An object that waits until the new jobs of a printer have ended.
///
/// Jobs from earlier runs are ignored.
struct JobWait: Sendable {
    let printer: SimulatedPrinter
    /// The job numbers of earlier runs, if the output folder was used before.
    private let before: Set<Int>
    /// The expected number of jobs; nil to wait only for the jobs that have already arrived.
    private let count: Int?

    init(_ printer: SimulatedPrinter, besides before: Set<Int>, count: Int?) {
        (self.printer, self.before, self.count) = (printer, before, count)
    }

    /// The jobs that have ended, in the order of arrival.
    var ended: [SimulatedJob] {
        get async { await printer.endedJobs.filter { !before.contains($0.id) }.sorted { $0.id < $1.id } }
    }

    var goal: String {
        guard let count, count > 0 else { return "all jobs to end" }
        return count == 1 ? "a job to end" : "\(count) jobs to end"
    }

    /// Waits until enough jobs have arrived and all jobs have ended.
    ///
    /// Returns false if the timeout passes first.
    func untilSettled(within span: Duration) async -> Bool {
        let events = await printer.events()
        if await isSettled { return true }
        return await outcome(within: span) {
            for await _ in events where await isSettled { return true }
            return false
        } ?? false
    }

    var activity: String {
        get async {
            let status = await printer.status.printer
            let because = status.reasons.isEmpty ? "" : " (\(status.reasons.joined(separator: ", ")))"
            let message = status.message.isEmpty ? "" : ": \(status.message)"
            var text = "\(printer.description.name) is \(status.state)\(because)\(message)"
            let jobs = await unfinished
            for job in jobs.prefix(3) {
                let pages = job.impressions.map { " of \($0)" } ?? ""
                text +=
                    "; job \(job.id) (\(job.name)) is \(job.state), \(job.impressionsCompleted)\(pages) sides printed"
                if !job.message.isEmpty { text += ": \(job.message)" }
            }
            if jobs.count > 3 { text += "; \(jobs.count - 3) more jobs have not ended" }
            if jobs.isEmpty { text += "; ended jobs: \(await ended.count); no job is waiting or printing" }
            return text
        }
    }

    private var unfinished: [SimulatedJob] {
        get async { await printer.unfinishedJobs.filter { !before.contains($0.id) } }
    }

    private var isSettled: Bool {
        get async {
            guard await unfinished.isEmpty else { return false }
            guard let count else { return true }
            return await ended.count >= count
        }
    }
}
