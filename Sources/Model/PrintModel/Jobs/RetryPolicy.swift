// When a job that could not be delivered is tried again.

/// When a job that could not be delivered is tried again: soon at first, then ever more slowly, but at least once a minute.
///
///     RetryPolicy.standard.delay(afterAttempt: 1)    // 1 s, then 2, 4, 8 … up to 60
public struct RetryPolicy: Hashable, Sendable {
    /// The wait after the first failure, in seconds.
    public var first: Double
    /// How much longer each next wait is.
    public var factor: Double
    /// The longest wait, in seconds.
    public var longest: Double

    /// One second, doubled each time, up to a minute.
    public static let standard = RetryPolicy(first: 1, factor: 2, longest: 60)

    /// A policy.
    public init(first: Double, factor: Double, longest: Double) {
        self.first = first
        self.factor = factor
        self.longest = longest
    }

    /// The wait in seconds after the given number of failures, counted from 1.
    public func delay(afterAttempt attempt: Int) -> Double {
        guard attempt > 1, first > 0 else { return min(first, longest) }
        // first × factor^(attempt − 1) by squaring: a job that waited for months has many attempts behind it.
        var delay = first
        var power = factor
        var exponent = attempt - 1
        while exponent > 0 {
            if exponent % 2 == 1 { delay *= power }
            power *= power
            exponent /= 2
        }
        return min(delay, longest)
    }

    /// What to do about a job that could not be delivered, by the printer's policy.
    public enum Decision: Hashable, Sendable {
        /// Try again at this moment.
        case retry(at: UnixTime)
        /// Give the job up.
        case abort
        /// Pause the printer; the job waits with it.
        case stopPrinter
    }

    /// Decides about a failure that trying again may cure.
    public func decide(_ policy: ConfiguredPrinter.ErrorPolicy, attempt: Int, now: UnixTime) -> Decision {
        switch policy {
        case .retryJob: .retry(at: now + delay(afterAttempt: attempt))
        case .abortJob: .abort
        case .stopPrinter: .stopPrinter
        }
    }
}
