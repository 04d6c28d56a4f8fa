// Which news of a job must be on the disk before the next step.

import PrintModel

extension JobStateMachine.Event {
    /// How far its record must have come before anything else may happen.
    ///
    /// A power cut may take back that a job was taken up, prepared, or how far its printer is: it is then taken up or
    /// looked at again. What must not be forgotten is that it exists at a printer, what people asked for, and its end.
    var durability: GroupCommitter.Durability {
        switch self {
        case .claimed, .prepared, .sending, .progressed, .printerStopped, .printerResumed: .ordered
        default: .forced
        }
    }
}
