// Collects the results of the submissions.

/// The number of accepted jobs, and their rate.
struct Outcome {
    private let start = ContinuousClock.now
    private var seconds = 0.0
    private var waits: [Duration] = []
    /// The time of each response.
    private var moments: [Duration] = []
    private var (first, last) = (Int.max, Int.min)
    /// The number of busy responses.
    var busy = 0
    /// The number of connections that ended without a complete response.
    var hangUps = 0

    /// The number of accepted jobs so far.
    var jobs: Int { waits.count }

    mutating func note(_ jobID: Int, after wait: Duration) {
        waits.append(wait)
        moments.append(start.duration(to: .now))
        (first, last) = (min(first, jobID), max(last, jobID))
    }

    /// Stops the time measurement.
    mutating func end() {
        seconds = start.duration(to: .now) / .seconds(1)
        waits.sort()
    }

    /// The results as a line of JSON; times are in seconds.
    var line: String {
        // Ignore the last 5 % of the jobs, because a stalled connection delays only the end.
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
