// Determines when the status of the printer that prints a job is requested.

import PrintModel

/// The schedule of status requests to a printer that has a job.
///
/// Requests are due every two seconds, and after each event of the printer. An additional request may be required if
/// the printer has not started the job (`isRequired(for:)`).
struct RemotePrinterUpdater: Sendable {
    private static let interval = 2.0
    private var seconds = 0.0
    /// The printer's status in the last response; nil if the printer did not respond.
    private var device: PrinterStatus?
    private var wasAsked = false

    /// Returns whether a request is due.
    ///
    /// When the job has ended, a request is also due in two cases: the last status had state reasons, which may no
    /// longer apply, or the printer did not respond to the last request.
    mutating func isDue(atEnd: Bool) -> Bool {
        let hasAlert = wasAsked && device?.reasons.isEmpty != true
        guard seconds >= Self.interval || (atEnd && hasAlert) else { return false }
        seconds = 0
        return true
    }

    /// Returns whether the printer's status is required to explain why the printer has not started the job.
    ///
    /// The status is required after the first status of the job, and while the printer is stopped.
    func isRequired(for job: RemoteJobStatus) -> Bool {
        job.state == .pending && (!wasAsked || device?.state == .stopped)
    }

    /// Stores the printer's status from a response.
    mutating func update(_ device: PrinterStatus?) { (self.device, wasAsked) = (device, true) }

    /// Returns whether the printer has stopped the job, or has stopped before it started the job.
    func stops(_ job: RemoteJobStatus) -> Bool {
        job.state == .processingStopped || (job.state == .pending && device?.state == .stopped)
    }

    /// Returns the status of the printer if the printer has not started the job; nil for a started job.
    func stopper(of job: RemoteJobStatus) -> PrinterStatus? { job.state == .pending ? device : nil }

    /// Advances the schedule by the given number of seconds.
    ///
    /// An event of the printer makes the next request due.
    mutating func waited(_ waited: Double, isReported: Bool) { seconds = isReported ? Self.interval : seconds + waited }
}
