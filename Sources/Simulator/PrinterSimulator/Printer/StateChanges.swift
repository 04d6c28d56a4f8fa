// Detects changes of a printer and its jobs for the event log.

import PrintModel

/// A detector for changes of the jobs and of the printer.
///
/// Each change is reported once, with the most specific event name (RFC 3995 §5.3.3.4).
struct StateChanges: Sendable {
    fileprivate struct Known: Equatable {
        var state: JobState
        var reasons: [JobStateReason]
        var impressionsCompleted: Int
    }

    private var jobs: [Int: Known] = [:]
    private var printer: PrinterStatus?

    /// Records a restored job, so that `of(_:)` does not report the job as new.
    mutating func know(_ job: SimulatedJob) { jobs[job.id] = Known(job) }

    mutating func of(_ job: SimulatedJob) -> JobEvent? {
        let (before, now) = (jobs[job.id], Known(job))
        // A job that has ended does not change.
        jobs[job.id] = job.state.isTerminal ? nil : now
        guard before != now else { return nil }
        let kind =
            switch before {
            case nil where !job.state.isTerminal: "job-created"
            case _ where job.state.isTerminal: "job-completed"
            case let before? where before.state == now.state && before.reasons == now.reasons: "job-progress"
            default: "job-state-changed"
            }
        return job.event(kind)
    }

    mutating func of(_ status: PrinterStatus) -> JobEvent? {
        let before = printer
        printer = status
        guard let before,
            before.state != status.state || before.reasons != status.reasons
                || before.isAccepting != status.isAccepting
        else { return nil }
        return JobEvent(
            sequence: 0, jobID: nil, printer: "", time: 0, kind: "printer-state-changed", state: nil,
            message: status.message, printerState: status.state, reasons: status.reasons)
    }
}

extension StateChanges.Known {
    fileprivate init(_ job: SimulatedJob) {
        self.init(state: job.state, reasons: job.reasons, impressionsCompleted: job.impressionsCompleted)
    }
}

extension SimulatedJob {
    /// Returns an event with the job's state.
    ///
    /// The printer adds its name and the time to the event. The event log adds the event number.
    func event(_ kind: String) -> JobEvent {
        var event = JobEvent(
            sequence: 0, jobID: id, printer: "", time: 0, kind: kind, state: state, message: message,
            reasons: reasons.map(\.rawValue), impressions: impressions.map { $0 / max(1, options.copies) },
            impressionsCompleted: impressionsCompleted, jobName: name, owner: owner)
        event.pages = plan?.pages
        event.copies = options.copies
        return event
    }
}
