// What became of the submissions.

/// How many jobs were accepted, and how fast.
struct Outcome {
    private let start = ContinuousClock.now
    private var seconds = 0.0
    private var waits: [Duration] = []
    private var (first, last) = (Int.max, Int.min)

    /// The jobs accepted so far.
    var jobs: Int { waits.count }

    mutating func note(_ jobID: Int, after wait: Duration) {
        waits.append(wait)
        (first, last) = (min(first, jobID), max(last, jobID))
    }

    /// Stops the clock.
    mutating func end() {
        seconds = start.duration(to: .now) / .seconds(1)
        waits.sort()
    }

    /// All of it as a line of JSON; times in seconds.
    var line: String {
        let (median, longest) = (waits[waits.count / 2] / .seconds(1), waits[waits.count - 1] / .seconds(1))
        return """
            {"jobs": \(jobs), "seconds": \(seconds), "rate": \(Double(jobs) / seconds), "first": \(first), \
            "last": \(last), "median": \(median), "longest": \(longest)}
            """
    }
}
