// Watching a job at its printer.

import Logging
import PrintModel
import PrintSpool

extension JobRun {
    /// Follows the job at the printer to its end, with its pages as they come.
    func follow(_ job: Job, _ remote: RemoteJob, by backend: any PrinterBackend) async throws {
        var pause = Pause()
        var mirror = RemotePrinterUpdater()
        var record = Record()
        var isToldToStop = false
        while true {
            if stop.isGiven && !isToldToStop {
                isToldToStop = try await tellToStop(job, remote, by: backend)
                if isToldToStop { pause.reset() }
            }
            let (seen, isAfterSilence) = try await sight(of: job, remote, by: backend)
            guard let status = seen else { throw try await doubt(job) }
            if remote.uuid == nil, let last = record.last, status.isBehind(last) { throw try await doubt(job) }
            if isAfterSilence { (record.last, record.words) = (nil, nil) }  // it says that the printer is silent
            if mirror.isWanted(for: status) { mirror.look(try await device(by: backend)) }
            if status != record.last { pause.reset() }
            try await write(status, of: job, into: &record, mirror, backend)
            if mirror.isDue(atEnd: status.state.isTerminal) {
                mirror.look(try await mirrorPrinter(of: job, by: backend))
            }
            if status.state.isTerminal { return }
            let seconds = pause.next(isStopped: mirror.stops(status))
            let isTold = try await rest(seconds, untilNewsOf: remote, by: backend, isToldToStop: isToldToStop)
            mirror.waited(seconds, isTold: isTold)
        }
    }

    /// What stands in a job's record, of what was seen at its printer.
    private struct Record {
        /// How it was seen last.
        var last: RemoteJobStatus?
        /// When it was begun there.
        var begunAt: Int?
        /// Why it stands still; nil when it does not.
        var words: String?

        /// Whether it was begun anew since it was seen last.
        func isBegunAgain(by status: RemoteJobStatus) -> Bool {
            guard let begunAt, let again = status.begunAt else { return false }
            return again > begunAt
        }
    }

    private func write(
        _ status: RemoteJobStatus, of job: Job, into record: inout Record, _ mirror: RemotePrinterUpdater,
        _ backend: any PrinterBackend
    ) async throws {
        let isBegunAgain = record.isBegunAgain(by: status)
        if mirror.stops(status) {
            if isBegunAgain { try await note(job, .begunAgain) }
            record.words = try await noteStop(job, status, after: record.words, mirror.stopper(of: status), backend)
        } else if status != record.last || record.words != nil {
            if record.last == nil || record.words != nil { try await note(job, .printerResumed) }
            // That it goes on says that what stopped it is over.
            if record.words != nil { _ = await directory.tell([], of: printer) }
            record.words = nil
            if isBegunAgain { try await note(job, .begunAgain) }
            try await report(status, of: job)
        }
        record.begunAt = status.begunAt ?? record.begunAt
        record.last = status
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
        case .aborted: try await heedGivenUp(status, job)
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
