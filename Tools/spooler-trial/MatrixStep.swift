// The steps of a delivery at which programs are killed.

import PrintModel

/// A step of a delivery, and how it is held until something is killed there.
struct MatrixStep: Sendable {
    /// What is being done.
    var name: String
    /// What goes wrong at the printer, so that it does not go on.
    var faults: [String] = []
    /// What is printed.
    var document = Document.pages
    /// How to see that the step is reached.
    var mark: Mark
    /// Whether somebody cancels the job once it prints.
    var isCanceled = false
    /// Whether cupsd's queue is stopped until something is killed.
    var queueIsStopped = false

    /// What is printed.
    enum Document: Sendable {
        /// Three pages.
        case pages
        /// One page of many megabytes, more than connections hold.
        case heavy
    }

    /// What tells that a step is reached.
    enum Mark: Sendable {
        /// The submission was acknowledged.
        case acknowledged
        /// The job has this reason at the spooler.
        case reason(String)
        /// The job has this reason, and the spooler waits for the printer's answer.
        case waiting(String)
        /// The printer has met the fault that was planned to happen once.
        case met
        /// The printer has stopped in the middle of the job, and the spooler knows.
        case stopped
        /// The printer has ended its job.
        case printed
        /// cupsd has begun to take the document.
        case atCUPS
        /// The spooler waits before it tries again.
        case postponed
        /// Some moment within so many milliseconds.
        case chance(Int)
    }

    /// All of them, in the order of a delivery.
    static let all = [
        MatrixStep(name: "accepted, not taken up", mark: .acknowledged),
        MatrixStep(
            name: "claimed, the printer is asked what it can do", faults: ["stall at Get-Printer-Attributes"],
            mark: .waiting("job-transforming")),
        MatrixStep(name: "its pages are prepared", document: .heavy, mark: .reason("job-transforming")),
        MatrixStep(name: "Create-Job sent, not carried out", faults: ["stall at Create-Job once"], mark: .met),
        MatrixStep(
            name: "created at the printer, its number not stored", faults: ["trickle 20 at Create-Job once"], mark: .met
        ),
        MatrixStep(name: "the printer is busy, the next try waits", faults: ["busy at Create-Job"], mark: .postponed),
        MatrixStep(name: "number stored, document not read", faults: ["stall at Send-Document once"], mark: .met),
        MatrixStep(
            name: "document half sent", faults: ["stall at Send-Document once"], document: .heavy, mark: .met),
        MatrixStep(
            name: "document taken, not stored as sent", faults: ["trickle 20 at Send-Document once"], mark: .met),
        MatrixStep(name: "before its first page", faults: ["media-empty at page 1"], mark: .stopped),
        MatrixStep(name: "after its first page", faults: ["media-empty at page 2"], mark: .stopped),
        MatrixStep(name: "before its last page", faults: ["media-empty at page 3"], mark: .stopped),
        MatrixStep(
            name: "ended at the printer, not stored", faults: ["stall at Get-Job-Attributes"], mark: .printed),
        MatrixStep(
            name: "canceled while it prints, the printer not told",
            faults: ["media-empty at page 2", "stall at Cancel-Job once"], mark: .met, isCanceled: true),
        MatrixStep(name: "at a moment of chance", mark: .chance(1200)),
    ]
}
