// A job in the queue, on its way to its end.

import IPP
package import PrintKit
import PrintModel
package import SpoolerClient

/// A job that the queue has taken over.
struct SubmittedJob {
    let id: Int
    let queue: Spooler

    /// Follows the job to its end; cancelling the task cancels it, and its end is then waited for.
    func followed(_ report: @escaping @Sendable (PrintReport) -> Void) async throws(SpoolerClientError) -> PrintEnd {
        var news = JobProgressNews()
        do throws(SpoolerClientError) {
            let last = try await queue.follow(id) { job in
                news.take(job, at: job.hasEnded ? nil : await look(at: job.printer)).forEach(report)
            }
            return try end(of: last)
        } catch {
            guard Task.isCancelled else { throw error }
        }
        // In a task of its own, since this one gets nothing done any more.
        let canceling = Task { () -> Result<JobView, SpoolerClientError> in
            do throws(SpoolerClientError) {
                try await queue.ask(.cancelJob, job: id)
                return .success(try await queue.follow(id) { _ in })
            } catch {
                return .failure(error)
            }
        }
        switch await canceling.value {
        case .success(let job): return try end(of: job)
        case .failure(let error):
            // It may have ended meanwhile, which makes canceling a refusal.
            guard let job = await look(), job.hasEnded else { throw error }
            return try end(of: job)
        }
    }

    /// How the job's printer is: out of paper it stops, while the job is still being printed.
    private func look(at printer: String) async -> PrinterView? {
        (try? await queue.printer(printer, PrinterView.attributeNames)).map(PrinterView.init)
    }

    private func look() async -> JobView? {
        let looking = Task { (try? await queue.job(id, JobView.followedNames)).map(JobView.init) }
        return await looking.value
    }

    private func end(of job: JobView) throws(SpoolerClientError) -> PrintEnd {
        switch job.state {
        case .completed?: return .completed
        case .canceled?: return .canceled
        default:
            throw SpoolerClientError(
                .notDone, job.message.isEmpty ? "job \(id) was given up" : "job \(id) was given up: \(job.message)")
        }
    }
}

/// What is new about a job, look by look; no queue, no clock.
package struct JobProgressNews {
    private var progress: PageProgress?
    private var alert: String?

    /// Nothing seen yet.
    package init() {}

    /// The reports that a look at the job and its printer gives rise to.
    package mutating func take(_ job: JobView, at printer: PrinterView? = nil) -> [PrintReport] {
        var reports: [PrintReport] = []
        let words = Self.alert(of: job, at: printer)
        if alert != words {
            reports.append(words.map { .alert($0) } ?? .alertCleared)
            alert = words
        }
        let seen = job.pageProgress ?? PageProgress(pages: 0, completed: job.impressionsCompleted)
        if (seen.copy, seen.completed) != (progress?.copy ?? 1, progress?.completed ?? 0) {
            progress = seen
            reports.append(.progress(page: seen.completed, of: seen.pages > 0 ? seen.pages : nil))
        }
        return reports
    }

    /// What a person should see to, if anything.
    private static func alert(of job: JobView, at printer: PrinterView?) -> String? {
        if job.hasEnded { return nil }
        if job.state == .processingStopped || job.reasons.contains("printer-stopped") {
            return job.message.isEmpty ? "The printer has stopped" : job.message
        }
        // One that was paused waits for whoever paused it.
        guard let printer, printer.state == .stopped, !printer.reasons.contains("paused") else { return nil }
        return printer.note.isEmpty ? "The printer has stopped" : printer.note
    }
}
