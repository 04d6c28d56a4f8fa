// Defines the steps of a delivery through a cupsd.

extension MatrixStep {
    /// All steps in the order of a delivery; the printer has the faults, which cupsd encounters.
    static let throughCUPS = [
        MatrixStep(name: "accepted, not started", mark: .acknowledged),
        MatrixStep(name: "pages being prepared", document: .heavy, mark: .reason("job-transforming")),
        MatrixStep(name: "document being sent to cupsd", document: .heavy, mark: .atCUPS),
        MatrixStep(name: "at cupsd with a stopped queue", mark: .stopped, queueIsStopped: true),
        MatrixStep(
            name: "cupsd's Create-Job sent, not executed", faults: ["stall at Create-Job once"], mark: .met),
        MatrixStep(
            name: "created at the printer, document not read", faults: ["stall at Send-Document once"], mark: .met),
        MatrixStep(name: "before the first page", faults: ["media-empty at page 1"], mark: .stopped),
        MatrixStep(name: "after the first page", faults: ["media-empty at page 2"], mark: .stopped),
        MatrixStep(name: "before the last page", faults: ["media-empty at page 3"], mark: .stopped),
        MatrixStep(
            name: "ended at the printer, unreported to cupsd", faults: ["stall at Get-Job-Attributes"], mark: .printed),
        MatrixStep(
            name: "canceled while printing, not sent to the printer",
            faults: ["media-empty at page 2", "stall at Cancel-Job once"], mark: .met, isCanceled: true),
        MatrixStep(name: "at a random moment", mark: .chance(2500)),
    ]
}
