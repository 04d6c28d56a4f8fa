// Calculates when a failed delivery is retried.

/// The delays between delivery attempts of a job: exponential backoff up to a maximum delay.
///
///     RetryPolicy.standard.delay(afterAttempt: 1)    // 1 s, then 2, 4, 8 … up to 60 s
public struct RetryPolicy: Hashable, Sendable {
    /// The delay after the first failed attempt, in seconds.
    package var first: Double
    /// The factor by which the delay increases after each failed attempt.
    package var factor: Double
    /// The maximum delay between two attempts, in seconds.
    package var longest: Double

    /// The standard policy: a first delay of one second, doubled after each failure, up to one minute.
    public static let standard = RetryPolicy(first: 1, factor: 2, longest: 60)

    package init(first: Double, factor: Double, longest: Double) {
        (self.first, self.factor, self.longest) = (first, factor, longest)
    }

    /// Creates the standard policy with another maximum delay (CUPS JobRetryInterval), in seconds.
    ///
    /// The first delay is not longer than the maximum, and not shorter than 0.1 s.
    package init(longest: Double) {
        let longest = max(longest, 0.1)
        self.init(first: min(Self.standard.first, longest), factor: Self.standard.factor, longest: longest)
    }

    /// Returns the delay, in seconds, after the failed attempt with the given number, counted from 1.
    package func delay(afterAttempt attempt: Int) -> Double {
        guard attempt > 1, first > 0 else { return min(first, longest) }
        // Calculates first × factor^(attempt − 1) by squaring, because a job can have many attempts after months.
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

    /// The action after a failed delivery.
    public enum Decision: Hashable, Sendable {
        case retry(at: UnixTime)
        case abort
        /// A pause of the printer. The job waits until a person resumes the printer.
        case stopPrinter
    }

    /// Returns the action that a printer's error policy requires after a failure that a retry can resolve.
    package func decide(_ policy: ConfiguredPrinter.ErrorPolicy, attempt: Int, now: UnixTime) -> Decision {
        switch policy {
        case .retryJob: .retry(at: now + delay(afterAttempt: attempt))
        case .abortJob: .abort
        case .stopPrinter: .stopPrinter
        }
    }
}
