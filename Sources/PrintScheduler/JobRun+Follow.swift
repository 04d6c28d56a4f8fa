// Watching a job at its printer.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Follows the job at the printer to its end, with its pages as they come.
    func follow(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        var pause = Pause()
        var mirror = PrinterMirror()
        var last: RemoteJobStatus?
        var begunAt: Int?
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
            let isBegunAgain = begunAt.map { (status.begunAt ?? $0) > $0 } ?? false
            begunAt = status.begunAt ?? begunAt
            if isAfterSilence { (last, words) = (nil, nil) }  // the record says that the printer is silent
            if mirror.isWanted(for: status) { mirror.look(try await device(by: backend)) }
            let isStopped = mirror.stops(status)
            if isStopped {
                if isBegunAgain { try await note(job, .begunAgain) }
                words = try await noteStop(job, status, after: words, mirror.stopper(of: status), backend)
            } else if status != last || words != nil {
                if last == nil || words != nil { try await note(job, .printerResumed) }
                // That it goes on says that what stopped it is over.
                if words != nil { _ = await directory.tell([], of: printer) }
                words = nil
                if isBegunAgain { try await note(job, .begunAgain) }
                try await report(status, of: job)
            }
            if mirror.isDue(atEnd: status.state.isTerminal) {
                mirror.look(try await mirrorPrinter(of: job, by: backend))
            }
            if status.state.isTerminal { return }
            if status != last { pause.reset() }
            last = status
            let seconds = pause.next(isStopped: isStopped)
            let isTold = try await rest(seconds, untilNewsOf: remote, by: backend, isToldToStop: isToldToStop)
            mirror.waited(seconds, isTold: isTold)
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

    /// Writes down why the printer has stopped, unless the words are the same as before.
    ///
    /// - Parameter seen: How the printer is; nil asks it.
    private func noteStop(
        _ job: Job, _ status: RemoteJobStatus, after words: String?, _ seen: PrinterStatus?,
        _ backend: any PrinterBackend
    ) async throws -> String {
        var device = seen
        if device == nil { device = try await self.device(by: backend) }
        let newWords = Self.whyStopped(status, device)
        // The event of a job that stops tells of its printer too.
        if let device, words == nil { _ = await directory.tell(device.reasons, of: printer) }
        if newWords != words {
            try await note(job, .printerStopped(message: newWords, reasons: device?.reasons ?? []))
        }
        return newWords
    }

    /// Why the printer has stopped, in the best words there are.
    private static func whyStopped(_ job: RemoteJobStatus, _ device: PrinterStatus?) -> String {
        if let device, device.state == .stopped {
            if !device.message.isEmpty { return device.message }
            if !device.words.isEmpty { return "The printer has stopped: \(device.words)" }
        }
        return job.message.isEmpty ? "The printer has stopped" : job.message
    }

    /// Writes into the log what the printer says of itself, when that has changed.
    ///
    /// - Returns: What it says; nil when it does not answer.
    private func mirrorPrinter(of job: Job, by backend: any PrinterBackend) async throws -> PrinterStatus? {
        guard let device = try await device(by: backend) else { return nil }
        let told = await directory.tell(device.reasons, of: printer)
        if told != device.reasons {
            let gone = told.filter { !device.reasons.contains($0) }.joined(separator: ", ")
            let words = device.reasons.isEmpty ? "No longer: \(gone)" : device.words
            try await store(job) { () throws(SpoolError) in
                try await spool.noteStatus(device, message: words, of: printer.name)
            }
        }
        return device
    }

    /// How the printer is; nil when it does not answer.
    private func device(by backend: any PrinterBackend) async throws -> PrinterStatus? {
        let answer = try await ask { () throws(BackendError) in try await backend.status() }
        return try? answer.get()
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
