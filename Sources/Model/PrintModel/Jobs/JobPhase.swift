// Defines the phases of a job, which are more specific than IPP's job states.

/// The phase of a job.
///
/// The phase is more specific than the job's state.
public enum JobPhase: String, Hashable, Sendable, CaseIterable {
    case arriving
    /// A job whose pages are being laid out or converted.
    case preparing
    case printing
    case waiting
    /// A job that printd could not send to the printer.
    case retrying
    /// A job that is in progress at a printer that has stopped.
    case stopped
    /// A suspended job, which waits until a user resumes, reprints or cancels the job.
    case suspended
    case held
    case stopping
    case canceled
    case completed
    case failed

    /// Creates the phase of a job from its state.
    ///
    /// - Parameters:
    ///   - reasons: The keywords of `job-state-reasons`.
    ///   - isRetrying: Whether the time of the next delivery attempt is known.
    ///   - impressionsCompleted: The number of printed sides.
    package init(_ state: JobState, reasons: [String], isRetrying: Bool, impressionsCompleted: Int) {
        func has(_ reason: JobStateReason) -> Bool { reasons.contains(reason.rawValue) }
        let isStopping = has(.processingToStopPoint)
        self =
            switch state {
            case .pending: isRetrying ? .retrying : .waiting
            case .pendingHeld: has(.jobIncoming) || has(.jobDataInsufficient) ? .arriving : .held
            case .processing where isStopping, .processingStopped where isStopping: .stopping
            case .processing: impressionsCompleted > 0 || has(.jobPrinting) ? .printing : .preparing
            case .processingStopped: has(.jobSuspended) ? .suspended : .stopped
            case .canceled: .canceled
            case .aborted: .failed
            case .completed: .completed
            }
    }
}

extension Job {
    package var phase: JobPhase {
        JobPhase(
            state, reasons: reasons.map(\.rawValue), isRetrying: retryAt != nil,
            impressionsCompleted: impressionsCompleted)
    }
}
