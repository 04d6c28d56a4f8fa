// The printer of a job in hand, looked at now and then.

import PrintModel

/// When to look how the printer itself is, while it has a job of ours: every two seconds, when it tells, and at once when the
/// job waits there.
struct RemotePrinterUpdater: Sendable {
    private static let interval = 2.0
    private var seconds = 0.0
    /// Whether it has been looked at, and how it was; nil when it did not answer.
    private var device: PrinterStatus?
    private var hasLooked = false

    /// Whether it is time; at the job's end only what was told has to be taken back.
    mutating func isDue(atEnd: Bool) -> Bool {
        let hasAlert = hasLooked && device?.reasons.isEmpty != true
        guard seconds >= Self.interval || (atEnd && hasAlert) else { return false }
        seconds = 0
        return true
    }

    /// Whether the printer has to be asked why a job was not begun: at first sight, and as long as it is the printer that
    /// keeps it.
    func isWanted(for job: RemoteJobStatus) -> Bool {
        job.state == .pending && (!hasLooked || device?.state == .stopped)
    }

    /// Takes note of how the printer is.
    mutating func look(_ device: PrinterStatus?) { (self.device, hasLooked) = (device, true) }

    /// Whether the job is stopped there: also one that was not begun, because the printer had stopped before.
    func stops(_ job: RemoteJobStatus) -> Bool {
        job.state == .processingStopped || (job.state == .pending && device?.state == .stopped)
    }

    /// How the printer is that keeps a job from being begun; nil for one that was.
    func stopper(of job: RemoteJobStatus) -> PrinterStatus? { job.state == .pending ? device : nil }

    /// Notes that so many seconds have passed, or that the printer has told of something.
    mutating func waited(_ waited: Double, isTold: Bool) { seconds = isTold ? Self.interval : seconds + waited }
}
