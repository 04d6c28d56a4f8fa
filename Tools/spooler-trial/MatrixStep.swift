// Defines the steps of a delivery at which programs are killed.

import PrintModel

/// A step of a delivery, and the fault that holds the delivery at this step.
struct MatrixStep: Sendable {
    /// The description of the step.
    var name: String
    /// The faults of the printer that hold the delivery.
    var faults: [String] = []
    /// The document.
    var document = Document.pages
    /// The sign that the step is reached.
    var mark: Mark
    /// Whether the job is canceled while it prints.
    var isCanceled = false
    /// Whether cupsd's queue is stopped until a program is killed.
    var queueIsStopped = false

    /// The document of a step.
    enum Document: Sendable {
        /// A document of three pages.
        case pages
        /// A document of one page with many megabytes, more than the buffers of a connection hold.
        case heavy
    }

    /// The sign that a step is reached.
    enum Mark: Sendable {
        /// The submission was acknowledged.
        case acknowledged
        /// The job has this reason in the spooler.
        case reason(String)
        /// The job has this reason, and the spooler waits for the printer's response.
        case waiting(String)
        /// The fault that was planned once has occurred.
        case met
        /// The printer has stopped in the middle of the job, and the spooler has been notified.
        case stopped
        /// The printer has ended the job.
        case printed
        /// cupsd has started to receive the document.
        case atCUPS
        /// The spooler waits before its next attempt.
        case postponed
        /// A random moment within a number of milliseconds.
        case chance(Int)
    }

    /// All steps in the order of a delivery.
    static let all = [
        MatrixStep(name: "accepted, not started", mark: .acknowledged),
        MatrixStep(
            name: "started, printer being queried", faults: ["stall at Get-Printer-Attributes"],
            mark: .waiting("job-transforming")),
        MatrixStep(name: "pages being prepared", document: .heavy, mark: .reason("job-transforming")),
        MatrixStep(name: "Create-Job sent, not executed", faults: ["stall at Create-Job once"], mark: .met),
        MatrixStep(
            name: "created at the printer, number not stored", faults: ["trickle 20 at Create-Job once"], mark: .met
        ),
        MatrixStep(name: "printer busy, waiting to retry", faults: ["busy at Create-Job"], mark: .postponed),
        MatrixStep(name: "number stored, document not read", faults: ["stall at Send-Document once"], mark: .met),
        MatrixStep(
            name: "document half sent", faults: ["stall at Send-Document once"], document: .heavy, mark: .met),
        MatrixStep(
            name: "document received, not stored as sent", faults: ["trickle 20 at Send-Document once"], mark: .met),
        MatrixStep(name: "before the first page", faults: ["media-empty at page 1"], mark: .stopped),
        MatrixStep(name: "after the first page", faults: ["media-empty at page 2"], mark: .stopped),
        MatrixStep(name: "before the last page", faults: ["media-empty at page 3"], mark: .stopped),
        MatrixStep(
            name: "ended at the printer, not stored", faults: ["stall at Get-Job-Attributes"], mark: .printed),
        MatrixStep(
            name: "canceled while printing, not sent to the printer",
            faults: ["media-empty at page 2", "stall at Cancel-Job once"], mark: .met, isCanceled: true),
        MatrixStep(name: "at a random moment", mark: .chance(1200)),
    ]
}
