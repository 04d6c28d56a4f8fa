// Waits for the jobs of a program under test.

import PrintModel
import PrinterSimulator
import AsyncPrimitives

/// An object that waits until the new jobs of printers have ended.
///
/// Jobs from earlier runs are ignored.
struct JobWait: Sendable {
    /// A job with the folder of its files.
    struct EndedJob: Sendable {
        var job: SimulatedJob
        var folder: String
    }

    let printers: [SimulatedPrinter]
    /// The job numbers of earlier runs at each printer, if the output folder was used before.
    private let before: [Set<Int>]
    /// The expected number of jobs; nil to wait only for the jobs that have already arrived.
    private let count: Int?

    /// Ignores the jobs that the printers have already.
    init(_ printers: [SimulatedPrinter], count: Int?) async {
        (self.printers, self.count) = (printers, count)
        var before: [Set<Int>] = []
        for printer in printers { before.append(Set(await (printer.unfinishedJobs + printer.endedJobs).map(\.id))) }
        self.before = before
    }

    /// The jobs that have ended, in the order of arrival.
    ///
    /// The printers of one process share their job numbers.
    var ended: [EndedJob] {
        get async {
            var jobs: [EndedJob] = []
            for (printer, before) in zip(printers, before) {
                for job in await printer.endedJobs where !before.contains(job.id) {
                    jobs.append(EndedJob(job: job, folder: "\(printer.outputFolder)/\(job.folder)"))
                }
            }
            return jobs.sorted { ($0.job.id, $0.job.createdAt) < ($1.job.id, $1.job.createdAt) }
        }
    }

    var goal: String {
        guard let count, count > 0 else { return "all jobs to end" }
        return count == 1 ? "a job to end" : "\(count) jobs to end"
    }

    /// Waits until enough jobs have arrived and all jobs have ended.
    ///
    /// Returns false if the timeout passes first.
    func untilSettled(within span: Duration) async -> Bool {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var sources: [AsyncStream<SimulatorEvent>] = []
        for printer in printers { sources.append(await printer.events()) }
        if await isSettled { return true }
        return await outcome(within: span) { [sources] in
            await withTaskGroup(of: Void.self) { group in
                for events in sources { group.addTask { for await _ in events { changed.yield() } } }
                for await _ in changes where await isSettled {
                    group.cancelAll()
                    return true
                }
                group.cancelAll()
                return false
            }
        } ?? false
    }

    var activity: String {
        get async {
            var parts: [String] = []
            for (printer, before) in zip(printers, before) {
                let status = await printer.status.printer
                let because = status.reasons.isEmpty ? "" : " (\(status.reasons.joined(separator: ", ")))"
                let message = status.message.isEmpty ? "" : ": \(status.message)"
                parts.append("\(printer.description.name) is \(status.state)\(because)\(message)")
                let jobs = await printer.unfinishedJobs.filter { !before.contains($0.id) }
                for job in jobs.prefix(3) {
                    let pages = job.impressions.map { " of \($0)" } ?? ""
                    parts.append(
                        "job \(job.id) (\(job.name)) is \(job.state), \(job.impressionsCompleted)\(pages) sides printed"
                            + (job.message.isEmpty ? "" : ": \(job.message)"))
                }
                if jobs.count > 3 { parts.append("\(jobs.count - 3) more jobs have not ended") }
            }
            if await unfinished.isEmpty {
                parts += ["ended jobs: \(await ended.count)", "no job is waiting or printing"]
            }
            return parts.joined(separator: "; ")
        }
    }

    private var unfinished: [SimulatedJob] {
        get async {
            var jobs: [SimulatedJob] = []
            for (printer, before) in zip(printers, before) {
                jobs += await printer.unfinishedJobs.filter { !before.contains($0.id) }
            }
            return jobs
        }
    }

    private var isSettled: Bool {
        get async {
            guard await unfinished.isEmpty else { return false }
            guard let count else { return true }
            return await ended.count >= count
        }
    }
}
