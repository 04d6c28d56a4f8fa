// Follows a submitted job until it ends.

import IPP
package import PrintKit
import PrintModel
package import SpoolerClient

struct SubmittedJob: PrintJobConnection {
    let id: Int
    let queue: Spooler

    func status() async throws -> PrintJobStatus {
        do throws(SpoolerClientError) {
            let job = JobView(try await queue.job(id, JobView.followedNames))
            let printer = job.hasEnded ? nil : await look(at: job.printer)
            return PrintJobStatus(job, alert: JobProgressReports.alert(of: job, at: printer))
        } catch {
            throw PrintError(error)
        }
    }

    func follow(_ report: @escaping @Sendable (PrintReport) -> Void) async throws -> PrintEnd {
        do throws(SpoolerClientError) { return try end(of: try await last(report)) } catch {
            try Task.checkCancellation()
            throw PrintError(error)
        }
    }

    func cancel() async throws {
        do throws(SpoolerClientError) { try await queue.ask(.cancelJob, job: id) } catch {
            guard let job = await look(), job.hasEnded else { throw PrintError(error) }
        }
    }

    private func last(
        _ report: @escaping @Sendable (PrintReport) -> Void
    ) async throws(SpoolerClientError) -> JobView {
        var news = JobProgressReports()
        return try await queue.follow(id) { job in
            news.take(job, at: job.hasEnded ? nil : await look(at: job.printer)).forEach(report)
        }
    }

    /// Follows the job until the job ends.
    ///
    /// If the task is canceled, the method cancels the job, and then waits until the job has ended.
    func followed(_ report: @escaping @Sendable (PrintReport) -> Void) async throws(SpoolerClientError) -> PrintEnd {
        do throws(SpoolerClientError) { return try end(of: try await last(report)) } catch {
            guard Task.isCancelled else { throw error }
        }
        // A separate task is required, because the current task is already canceled.
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
            // The job may have ended in the meantime, so that the spooler refuses to cancel it.
            guard let job = await look(), job.hasEnded else { throw error }
            return try end(of: job)
        }
    }

    /// Returns the state of the job's printer.
    ///
    /// The job's state is not sufficient for alerts: if the printer has no paper, the printer stops, but the state of
    /// the job is still `processing`.
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
                .notDone, job.message.isEmpty ? "job \(id) failed" : "job \(id) failed: \(job.message)")
        }
    }
}

extension PrintJobStatus {
    fileprivate init(_ job: JobView, alert: String?) {
        // A spooler with a state that this version does not know is still processing the job.
        self.init(state: job.state ?? .processing)
        (reasons, message, self.alert) = (job.reasons, job.explanation, alert)
        page = job.pageProgress?.completed ?? job.impressionsCompleted
        pageCount = job.pageProgress.flatMap { $0.pages > 0 ? $0.pages : nil }
    }
}

/// A tracker that computes the reports for a job from successive states of the job and its printer.
package struct JobProgressReports {
    private var progress: PageProgress?
    private var alert: String?

    package init() {}

    package mutating func take(_ job: JobView, at printer: PrinterView? = nil) -> [PrintReport] {
        var reports: [PrintReport] = []
        let current = Self.alert(of: job, at: printer)
        if alert != current {
            reports.append(current.map { .alert($0) } ?? .alertCleared)
            alert = current
        }
        let seen = job.pageProgress ?? PageProgress(pages: 0, completed: job.impressionsCompleted)
        if (seen.copy, seen.completed) != (progress?.copy ?? 1, progress?.completed ?? 0) {
            progress = seen
            reports.append(.progress(page: seen.completed, of: seen.pages > 0 ? seen.pages : nil))
        }
        return reports
    }

    /// Returns the message about a condition that requires attention; `nil` if no condition requires attention.
    static func alert(of job: JobView, at printer: PrinterView?) -> String? {
        if job.hasEnded { return nil }
        if job.state == .processingStopped || job.reasons.contains("printer-stopped") {
            return job.message.isEmpty ? "The printer is stopped" : job.message
        }
        // A paused printer needs no alert, because a person paused it deliberately.
        guard let printer, printer.state == .stopped, !printer.reasons.contains("paused") else { return nil }
        return printer.note.isEmpty ? "The printer is stopped" : printer.note
    }
}
