// Defines the phases of a job, which are more specific than IPP's job states.

/// The phase of a job.
///
/// The phase is more specific than the job's state.
public enum JobPhase: String, Hashable, Sendable, CaseIterable {
    /// A job whose documents are still arriving.
    case arriving
    /// A job whose pages are being laid out or converted.
    case preparing
    /// A job that the printer is printing.
    case printing
    /// A job that waits for its printer.
    case waiting
    /// A job that printd could not send to the printer.
    ///
    /// printd will retry the job later.
    case retrying
    /// A job that is in progress at a printer that has stopped.
    case stopped
    /// A suspended job, which waits until a user resumes, reprints or cancels the job.
    case suspended
    /// A job that is held.
    case held
    /// A job whose cancellation is in progress.
    case stopping
    /// A job that was canceled.
    case canceled
    /// A job that was printed.
    case completed
    /// A job that could not be printed.
    case failed

    /// Creates the phase of a job from its state.
    ///
    /// - Parameters:
    ///   - reasons: The keywords of `job-state-reasons`.
    ///   - isRetrying: Whether the time of the next delivery attempt is known.
    ///   - impressionsCompleted: The number of printed sides.
    public init(_ state: JobState, reasons: [String], isRetrying: Bool, impressionsCompleted: Int) {
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
    /// The phase of the job.
    public var phase: JobPhase {
        JobPhase(
            state, reasons: reasons.map(\.rawValue), isRetrying: retryAt != nil,
            impressionsCompleted: impressionsCompleted)
    }
}
