// Limits the time that drawing a job may take.

struct DrawingTime: Sendable {
    let limit: Duration
    private let end: ContinuousClock.Instant

    init(limit: Duration) {
        self.limit = limit
        end = ContinuousClock.now.advanced(by: limit)
    }

    /// After the limit, the value is zero or negative.
    var remaining: Duration { ContinuousClock.now.duration(to: end) }

    /// - Throws: `jobFailed` after the time limit.
    func check() throws(PrintError) {
        guard remaining >= .zero else { throw .drawingTooSlow(limit) }
    }
}

extension PrintError {
    static func drawingTooSlow(_ limit: Duration) -> PrintError {
        PrintError(
            .jobFailed,
            "drawing took longer than \(limit.inWords), so nothing was printed; check that the drawing ends, or"
                + " raise the controller's drawingTimeLimit")
    }
}

extension Duration {
    /// The duration as text: `1 second`, `600 seconds`, `250 milliseconds`.
    fileprivate var inWords: String {
        let (seconds, rest) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000).partialValue + rest / 1_000_000_000_000_000
        if rest == 0 || seconds >= 10 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
        return milliseconds == 1 ? "1 millisecond" : "\(milliseconds) milliseconds"
    }
}
