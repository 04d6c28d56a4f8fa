// How long the drawing of a job may take.

/// The time that is left for drawing.
struct DrawingTime: Sendable {
    /// How long it may take in all.
    let limit: Duration
    private let end: ContinuousClock.Instant

    /// Time that begins now.
    init(limit: Duration) {
        self.limit = limit
        end = ContinuousClock.now.advanced(by: limit)
    }

    /// What is left of it; nothing or less once it is over.
    var remaining: Duration { ContinuousClock.now.duration(to: end) }

    /// - Throws: `jobFailed` once it is over.
    func check() throws(PrintError) {
        guard remaining >= .zero else { throw .drawingTooSlow(limit) }
    }
}

extension PrintError {
    static func drawingTooSlow(_ limit: Duration) -> PrintError {
        PrintError(
            .jobFailed,
            "drawing took longer than \(limit.inWords), so nothing was printed; check that the content comes to an end, or"
                + " raise the controller's drawingTimeLimit")
    }
}

extension Duration {
    /// `1 second`, `600 seconds`, `250 milliseconds`.
    fileprivate var inWords: String {
        let (seconds, rest) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000).partialValue + rest / 1_000_000_000_000_000
        if rest == 0 || seconds >= 10 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
        return milliseconds == 1 ? "1 millisecond" : "\(milliseconds) milliseconds"
    }
}
