// Defines which job events must be on the disk before the next step, and which events can let another job start.

import PrintModel

extension JobStateMachine.Event {
    /// The durability that this event must have in the database before `printd` continues the job.
    ///
    /// A power failure may lose events that report the start, the preparation or the progress of a job. In that case
    /// `printd` starts the job again or looks the job up at its printer. A power failure must not lose events that report the creation of the job
    /// at a printer, the decision of a user, or the outcome of the job.
    var durability: Durability {
        switch self {
        case .claimed, .prepared, .overtaken, .sending, .sent, .progressed, .printerStopped, .printerResumed: .ordered
        default: .forced
        }
    }

    /// Whether the scheduler must check the queue after this event.
    ///
    /// The other events report the progress of a job that is in progress before and after the event.
    var concernsScheduler: Bool {
        switch self {
        case .createdAtPrinter, .sending, .sent, .progressed, .restarted, .printerStopped, .printerResumed: false
        default: true
        }
    }
}
