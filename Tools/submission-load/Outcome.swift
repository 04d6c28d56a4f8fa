// What became of the submissions.

/// How many jobs were accepted, and how fast.
struct Outcome {
    private let start = ContinuousClock.now
    private var seconds = 0.0
    private var waits: [Duration] = []
    /// When each answer came.
    private var moments: [Duration] = []
    private var (first, last) = (Int.max, Int.min)
    /// How often the printer was busy.
    var busy = 0
    /// How often it ended a connection without a whole answer.
    var hangUps = 0

    /// The jobs accepted so far.
    var jobs: Int { waits.count }

    mutating func note(_ jobID: Int, after wait: Duration) {
        waits.append(wait)
        moments.append(start.duration(to: .now))
        (first, last) = (min(first, jobID), max(last, jobID))
    }

    /// Stops the clock.
    mutating func end() {
        seconds = start.duration(to: .now) / .seconds(1)
        waits.sort()
    }

    /// All of it as a line of JSON; times in seconds.
    var line: String {
        // A server that forgets one of several connections holds up only the end.
        let most = max(1, jobs * 19 / 20)
        let steady = Double(most) / (moments[most - 1] / .seconds(1))
        let (median, longest) = (waits[waits.count / 2] / .seconds(1), waits[waits.count - 1] / .seconds(1))
        return """
            {"jobs": \(jobs), "seconds": \(seconds), "rate": \(Double(jobs) / seconds), "steady": \(steady), \
            "first": \(first), \
            "last": \(last), "median": \(median), "longest": \(longest), "busy": \(busy), \
            "hang-ups": \(hangUps)}
            """
    }
}
