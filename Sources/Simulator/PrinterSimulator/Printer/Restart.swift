// Restores a printer's state and jobs when it is switched on.

import PrintModel

/// The state and jobs that a printer restores when the printer is switched on.
///
/// The new state of an unfinished job depends on the progress of the job:
/// - If the document was incomplete, the job is aborted.
/// - If the job was being canceled and some pages were not printed, the job is canceled.
/// - If no page was printed, the job waits again.
/// - If some pages were printed, the job is aborted. The message contains the number of printed sides, so that users do
///   not print pages twice by mistake.
/// - If all pages were printed, the job is completed.
///
/// If the log has no line for an ended job, the line is added.
struct Restart {
    var memory: OutputFolder.Memory
    private(set) var jobs: [Int: SimulatedJob] = [:]
    private(set) var queue: [Int] = []
    private(set) var history: [Int] = []

    init(
        _ folder: OutputFolder, _ printer: SimulatedPrinterDescription, isOfQueue: Bool, now: UnixTime
    ) throws(SimulatorError) {
        let remembered = folder.remembered()
        memory = remembered ?? OutputFolder.Memory()
        memory.stock.fit(printer)
        if isOfQueue, !memory.hasQueueFolders { Self.leaveNumbersToQueue(in: folder) }
        memory.hasQueueFolders = isOfQueue
        let folders = folder.jobFolders()
        // Without its stored state, the printer finds its used job numbers only in the reports.
        let newest = folders.suffix(remembered == nil ? folders.count : SimulatedPrinter.historyLength)
        let reports = Self.reports(newest, in: folder)
        let own = folders.filter { $0.isNumberedByPrinter(isOfQueue: isOfQueue) }.map(\.number)
        memory.nextJobID = max(1, memory.nextJobID, ((own + reports.map(\.job.id)).max() ?? 0) + 1)
        for var report in reports.suffix(SimulatedPrinter.historyLength) {
            let id = report.job.id
            if !report.job.state.isTerminal { try settle(&report, in: folder, now: now) }
            if report.job.state.isTerminal, id <= memory.purgedThrough { continue }
            jobs[id] = report.job
            if report.job.state.isTerminal { history.append(id) } else { queue.append(id) }
        }
        memory.printing = nil
        try folder.remember(memory)
        // Remove incomplete folders only after their numbers have been stored.
        let known = Set(jobs.values.map(\.folder))
        for name in folders.map(\.name) where !known.contains(name) { folder.removeUnbegun(name) }
        try finishLast(in: folder)
    }

    /// Ignores a folder whose report is missing or does not match the folder's name; the number is not reused.
    private static func reports(_ names: ArraySlice<JobFolder>, in folder: OutputFolder) -> [JobReport] {
        names.compactMap { name in
            guard let report = try? folder.report(name.name), name.isRight(for: report.job) else { return nil }
            return report
        }.sorted { $0.job.id < $1.job.id }
    }

    /// Renames the job folders whose numbers the printer has assigned, from `job-…` to `printer-job-…`.
    ///
    /// Afterwards, the queue can use names of the form `job-…`.
    private static func leaveNumbersToQueue(in folder: OutputFolder) {
        for name in folder.jobFolders() where name.kind == .job {
            let report = try? folder.report(name.name)
            if report?.job.queueNumber == nil { folder.rename(name, to: JobFolder(.ofPrinter, name.number)) }
        }
    }

    /// Completes the files of jobs that ended just before the printer was switched off: writes missing lines in the
    /// log, and removes unprinted pages.
    private func finishLast(in folder: OutputFolder) throws(SimulatorError) {
        let lines = try folder.lastLogLines()
        let ended = history.compactMap { jobs[$0] }.sorted { ($0.completedAt ?? 0) < ($1.completedAt ?? 0) }
        for job in ended.suffix(8) {
            folder.removeUnprinted(job.folder)
            let isLogged = lines.contains { $0.contains("\"job\":\(job.id),") && $0.contains(job.uuid) }
            guard !isLogged, let report = try? folder.report(job.folder) else { continue }
            try folder.log(report)
        }
    }

    private func settle(_ report: inout JobReport, in folder: OutputFolder, now: UnixTime) throws(SimulatorError) {
        if let progress = memory.printing, progress.job == report.job.id {
            report.job.impressionsCompleted = progress.impressionsCompleted
            report.job.sheetsCompleted = progress.sheetsCompleted
            report.job.pieces = progress.pieces ?? []
            report.job.sidesCompleted = max(
                progress.impressionsCompleted, progress.sheetsCompleted * report.job.sidesPerSheet)
        }
        let done = report.job.impressionsCompleted
        if report.job.isStopping, done == 0 || done != report.job.impressions {
            report.job.endCanceled(at: now)
        } else if report.job.isIncoming {
            report.job.abort(
                .jobDataInsufficient, "The printer was switched off before the whole document had arrived", at: now)
        } else if done > 0, done == report.job.impressions {
            // Only blank backs can be missing.
            report.job.sheetsCompleted = report.job.sheets ?? report.job.sheetsCompleted
            try? folder.deliver("sheets.pdf", of: report.job.folder)
            report.job.complete(at: now)
        } else if done > 0 {
            let total = report.job.impressions.map { " of \($0)" } ?? ""
            let message = "The printer was switched off after printing \(done)\(total) sides"
            report.job.warnings.append(message)
            report.job.abort(.abortedBySystem, message, at: now)
        } else {
            report.job.waitAgain()
            report.pages = []
        }
        folder.removeUnprinted(report.job.folder)
        try folder.write(report)
        if report.job.state.isTerminal { try folder.log(report) }
    }
}
