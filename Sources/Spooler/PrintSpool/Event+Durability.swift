// The events of a job that must be on disk before the next step.

import PrintModel

extension JobStateMachine.Event {
    /// The durability that the event requires before the next step may begin.
    ///
    /// A power loss may undo that a job was claimed or prepared, and how far its printer is. After such a loss, the job
    /// is claimed or polled again. It must not undo that a job was created at a printer, the requests of people, and
    /// the job's end.
    var durability: GroupCommitter.Durability {
        switch self {
        case .claimed, .prepared, .sending, .progressed, .printerStopped, .printerResumed: .ordered
        default: .forced
        }
    }
}
