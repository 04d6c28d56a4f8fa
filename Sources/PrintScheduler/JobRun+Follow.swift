// Watching a job at its printer.

import Logging
import PrintModel

extension JobRun {
    /// Follows the job at the printer to its end, with its pages as they come.
    func follow(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        var pause = Pause()
        var last: RemoteJobStatus?
        var words: String?
        var isToldToStop = false
        while true {
            if stop.isGiven && !isToldToStop {
                isToldToStop = try await tellToStop(job, remote, by: backend)
                if isToldToStop { pause.reset() }
            }
            let (seen, isAfterSilence) = try await sight(of: job, remote, by: backend)
            guard let status = seen else { throw try await doubt(job) }
            if remote.uuid == nil, let last, status.isBehind(last) { throw try await doubt(job) }
            if isAfterSilence { (last, words) = (nil, nil) }  // the record says that the printer is silent
            if status.state == .processingStopped {
                let newWords = try await whyStopped(status, backend)
                if newWords != words { try await note(job, .printerStopped(message: newWords)) }
                words = newWords
            } else if status != last {
                if last == nil || words != nil { try await note(job, .printerResumed) }
                words = nil
                try await report(status, of: job)
            }
            if status.state.isTerminal { return }
            if status != last { pause.reset() }
            last = status
            try await rest(pause.next(isStopped: status.state == .processingStopped))
        }
    }

    private func tellToStop(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws -> Bool {
        switch try await ask({ () throws(BackendError) in try await backend.cancelJob(remote) }) {
        case .success: return true
        case .failure(let error):
            logger.warning("a job could not be canceled yet", metadata: ["job": "\(job.id)", "error": "\(error)"])
            return false
        }
    }

    private func report(_ status: RemoteJobStatus, of job: Job) async throws {
        // What came out is counted first, however it ended.
        if status.state == .aborted || status.state == .canceled {
            try await note(job, .progressed(impressions: status.impressionsCompleted, sheets: status.sheetsCompleted))
        }
        switch status.state {
        case .aborted:
            let words = status.message.isEmpty ? "The printer gave the job up" : status.message
            try await note(job, .failed(status.reasons.first ?? .abortedBySystem, message: words))
        case .canceled: try await note(job, .canceledAtPrinter(message: stop.isGiven ? "" : status.message))
        default:
            try await note(job, .progressed(impressions: status.impressionsCompleted, sheets: status.sheetsCompleted))
            guard status.state == .completed else { return }
            let hasWarning = status.reasons.contains { $0 != .jobCompletedSuccessfully }
            let words = status.message.isEmpty ? "Printed, with warnings" : status.message
            try await note(job, .delivered(warning: hasWarning ? words : nil))
        }
    }

    /// Why the printer has stopped, in the best words there are.
    private func whyStopped(_ job: RemoteJobStatus, _ backend: any PrinterBackend) async throws -> String {
        let answer = try await ask { () throws(BackendError) in try await backend.status() }
        if case .success(let printer) = answer, printer.state == .stopped {
            if !printer.message.isEmpty { return printer.message }
            if let reason = printer.reasons.first { return "The printer has stopped: \(reason)" }
        }
        return job.message.isEmpty ? "The printer has stopped" : job.message
    }
}

extension RemoteJobStatus {
    /// Whether it cannot be the same job's at a later moment: the printer has begun anew with its numbers.
    fileprivate func isBehind(_ earlier: RemoteJobStatus) -> Bool {
        let isBegun = earlier.state != .pending && earlier.state != .pendingHeld
        if isBegun && (state == .pending || state == .pendingHeld) { return true }
        return (impressionsCompleted ?? .max) < (earlier.impressionsCompleted ?? 0)
    }
}

/// The time between two looks at a job: short at first and after each news, then longer.
struct Pause: Sendable {
    private static let shortest = 0.02
    private static let longest = 0.5
    /// Who loads paper can wait so long for the first page.
    private static let longestWhileStopped = 2.0
    private var seconds = shortest

    /// The next pause, in seconds.
    mutating func next(isStopped: Bool = false) -> Double {
        defer { seconds = min(seconds * 1.5, isStopped ? Self.longestWhileStopped : Self.longest) }
        return seconds
    }

    mutating func reset() { seconds = Self.shortest }
}
