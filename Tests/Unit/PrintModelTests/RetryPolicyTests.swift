import PrintModel
import Testing

struct RetryPolicyTests {
    @Test func `the standard retry policy starts with a delay of one second, and doubles the delay up to one minute`() {
        let waits = (1...9).map { RetryPolicy.standard.delay(afterAttempt: $0) }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test(
        arguments: [
            (60, [1, 2, 4, 60]), (0.5, [0.5, 0.5, 0.5, 0.5]), (3, [1, 2, 3, 3]), (0, [0.1, 0.1, 0.1, 0.1]),
        ] as [(Double, [Double])])
    func `with another maximum delay, the first delay is one second or shorter, and never zero`(
        longest: Double, waits: [Double]
    ) {
        let policy = RetryPolicy(longest: longest)
        #expect([1, 2, 3, 100].map { policy.delay(afterAttempt: $0) } == waits)
    }

    @Test(arguments: [0, -1, Int.min])
    func `an attempt number below 1 causes the same delay as the first attempt`(_ attempt: Int) {
        #expect(RetryPolicy.standard.delay(afterAttempt: attempt) == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1_000_000, 4_000_000_000, Int.max])
    func `the delay after a huge number of attempts is calculated quickly`(_ attempt: Int) {
        #expect(RetryPolicy.standard.delay(afterAttempt: attempt) == 60)
        #expect(RetryPolicy(first: 5, factor: 1, longest: 60).delay(afterAttempt: attempt) == 5)
        #expect(RetryPolicy(first: 0, factor: 2, longest: 60).delay(afterAttempt: attempt) == 0)
        #expect(RetryPolicy(first: 90, factor: 2, longest: 60).delay(afterAttempt: attempt) == 60)
    }

    @Test
    func `the error policy determines whether printd retries the job, aborts the job or stops the printer`() {
        let policy = RetryPolicy.standard
        #expect(policy.decide(.retryJob, attempt: 3, now: 1000) == .retry(at: 1004))
        #expect(policy.decide(.abortJob, attempt: 1, now: 1000) == .abort)
        #expect(policy.decide(.stopPrinter, attempt: 1, now: 1000) == .stopPrinter)
    }
}
