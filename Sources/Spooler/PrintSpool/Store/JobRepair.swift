// Determines the state of a job whose stored record is damaged.

import PrintModel

/// The state, the reasons and the message that a job gets when its damaged record is repaired.
///
/// A job that has ended keeps its state and its readable reasons. Any other job is aborted. The message suggests to
/// submit the job again only if the job was not printed.
struct JobRepair {
    /// The state after the repair, which is a final state.
    let state: JobState
    let reasons: [JobStateReason]
    let message: String
    /// Whether the job had ended before the repair.
    let hadEnded: Bool

    /// Creates the repair of a job.
    ///
    /// - Parameters:
    ///   - stored: The stored state; nil if the state cannot be read.
    ///   - storedReasons: The stored reasons as JSON text; nil if the text cannot be read.
    init(of stored: JobState?, reasons storedReasons: String?) {
        state = stored.flatMap { $0.isTerminal ? $0 : nil } ?? .aborted
        hadEnded = stored?.isTerminal == true
        let known: [JobStateReason]? =
            if hadEnded, let storedReasons { try? StoredJSON.value(of: storedReasons) } else { nil }
        reasons =
            switch state {
            case .completed: known ?? [.jobCompletedSuccessfully]
            case .canceled: known ?? []
            default: known ?? [.abortedBySystem]
            }
        message =
            switch stored {
            case .completed: Job.damagedAfterCompletion
            case .canceled: Job.damagedAfterCancellation
            case .pending, .pendingHeld, .aborted: Job.damagedMessage
            case .processing, .processingStopped, nil: Job.damagedInProgress
            }
    }
}

extension Job {
    /// The message of a job that was not printed, and whose stored record was damaged.
    static let damagedMessage = "The stored record of this job was damaged; submit the job again"
    /// The message of a completed job whose stored record was damaged.
    static let damagedAfterCompletion = "The stored record of this job was damaged after the job was completed"
    /// The message of a canceled job whose stored record was damaged.
    static let damagedAfterCancellation = "The stored record of this job was damaged after the job was canceled"
    /// The message of a job that may have been printed, and whose stored record was damaged.
    static let damagedInProgress =
        "The stored record of this job was damaged; submit the job again if the job was not printed completely"
}
