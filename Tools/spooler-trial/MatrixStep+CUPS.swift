// The steps of a delivery through a cupsd.

extension MatrixStep {
    /// All of them, in the order of a delivery; faults are the printer's, which cupsd meets.
    static let throughCUPS = [
        MatrixStep(name: "accepted, not taken up", mark: .acknowledged),
        MatrixStep(name: "its pages are prepared", document: .heavy, mark: .reason("job-transforming")),
        MatrixStep(name: "its document goes to cupsd", document: .heavy, mark: .atCUPS),
        MatrixStep(name: "at cupsd, whose queue is stopped", mark: .stopped, queueIsStopped: true),
        MatrixStep(
            name: "cupsd's Create-Job sent, not carried out", faults: ["stall at Create-Job once"], mark: .met),
        MatrixStep(
            name: "created at the printer, its document not read", faults: ["stall at Send-Document once"], mark: .met),
        MatrixStep(name: "before its first page", faults: ["media-empty at page 1"], mark: .stopped),
        MatrixStep(name: "after its first page", faults: ["media-empty at page 2"], mark: .stopped),
        MatrixStep(name: "before its last page", faults: ["media-empty at page 3"], mark: .stopped),
        MatrixStep(
            name: "ended at the printer, cupsd not told", faults: ["stall at Get-Job-Attributes"], mark: .printed),
        MatrixStep(
            name: "canceled while it prints, the printer not told",
            faults: ["media-empty at page 2", "stall at Cancel-Job once"], mark: .met, isCanceled: true),
        MatrixStep(name: "at a moment of chance", mark: .chance(2500)),
    ]
}
