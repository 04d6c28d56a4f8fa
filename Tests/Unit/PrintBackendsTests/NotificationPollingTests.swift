import PrintModel
import Testing

@testable import PrintBackends

/// Tests of the next step of `NotificationPolling` after each result.
struct NotificationPollingTests {
    private let job = RemoteJob(id: 7, uuid: "urn:uuid:7")
    private let long = Duration.milliseconds(500)

    private func printing(_ sides: Int) -> RemoteJobStatus {
        RemoteJobStatus(state: .processing, impressionsCompleted: sides)
    }

    /// Returns a state machine with subscription 3.
    private func subscribed(lease: Int32? = nil) -> NotificationPolling {
        var watch = NotificationPolling()
        #expect(watch.step(for: job, pause: long) == .subscribe)
        watch.received(.subscribed(3, lease: lease))
        return watch
    }

    @Test func `a subscription is requested only if the pause between polls exceeds a minimum`() {
        var watch = NotificationPolling()
        #expect(watch.step(for: job, pause: .milliseconds(20)) == .rest)
        #expect(watch.step(for: job, pause: .milliseconds(100)) == .rest)
        #expect(watch.step(for: job, pause: long) == .subscribe)
    }

    @Test func `after the first notification, Get-Notifications waits longer and starts at the next sequence number`() {
        var watch = subscribed()
        #expect(
            watch.step(for: job, pause: long) == .listen(subscription: 3, from: 1, atMost: NotificationPolling.caution))
        watch.received(.news(upTo: 4))
        watch.looked(at: printing(1), of: job)
        // Notifications make the pauses short again, but the subscription continues.
        #expect(
            watch.step(for: job, pause: .milliseconds(20))
                == .listen(subscription: 3, from: 5, atMost: NotificationPolling.timeout))
    }

    @Test func `if a subscription is lost before the first notification, a new subscription is created at most twice`()
    {
        var watch = subscribed()
        for _ in 0..<2 {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.received(.forgotten)
            #expect(watch.step(for: job, pause: long) == .subscribe)
            watch.received(.subscribed(4, lease: nil))
        }
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
        watch.received(.forgotten)
        for _ in 0..<100 { #expect(watch.step(for: job, pause: long) == .rest) }
    }

    @Test func `if a subscription is lost after a notification, a new subscription is always created`() {
        var watch = subscribed()
        for number in 1...10 as ClosedRange<Int32> {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.received(.news(upTo: number))
            watch.looked(at: printing(Int(number)), of: job)
            watch.received(.forgotten)
            #expect(watch.step(for: job, pause: long) == .subscribe)
            watch.received(.subscribed(3, lease: nil))
        }
    }

    @Test func `if a printer ignores notify-wait, Get-Notifications is repeated only after notify-get-interval`() {
        var watch = subscribed()
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
        watch.received(.nothing(interval: 2))
        for _ in 0..<4 { #expect(watch.step(for: job, pause: long) == .rest) }
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
    }

    @Test func `if two job changes cause no notification, the printer is polled without a subscription`() {
        var watch = subscribed()
        watch.looked(at: printing(0), of: job)
        for side in 1...2 {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.received(.silence)
            watch.looked(at: printing(side), of: job)
        }
        #expect(watch.step(for: job, pause: long) == .rest)
        // The printer's next job is also only polled.
        #expect(watch.step(for: RemoteJob(id: 8, uuid: nil), pause: long) == .rest)
    }

    @Test func `after 20 notifications without a change of the job, the printer is polled without a subscription`() {
        var watch = subscribed()
        var told: Int32 = 0
        while case .listen = watch.step(for: job, pause: long), told < 1000 {
            told += 1
            watch.received(.news(upTo: told))
            watch.looked(at: printing(0), of: job)
        }
        #expect(told == 20)
    }

    @Test func `after a refusal or three failures, the next subscription is requested after 10 minutes`() {
        for answers in [[NotificationPolling.Answer.refused], [.failed, .failed, .failed]] {
            var watch = NotificationPolling()
            var waited = Duration.zero
            for answer in answers {
                while watch.step(for: job, pause: long) == .rest {}
                watch.received(answer)
            }
            while watch.step(for: job, pause: long) == .rest { waited += long }
            #expect(waited == NotificationPolling.disregard)
        }
    }

    @Test func `the lease of a subscription is renewed after half of the lease duration`() {
        var watch = subscribed(lease: 60)
        var listened = 0
        while case .listen = watch.step(for: job, pause: long), listened < 100 {
            listened += 1
            watch.received(.news(upTo: Int32(listened)))
            watch.looked(at: printing(listened), of: job)
        }
        // The waits are 2 s, then 10 s each: more than 30 s in total.
        #expect(listened == 4)
        #expect(watch.step(for: job, pause: long) == .renew(subscription: 3, lease: 60))
        watch.received(.renewed)
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
    }

    @Test func `the subscription is discarded when the job ends`() {
        var watch = subscribed()
        watch.looked(at: RemoteJobStatus(state: .completed), of: job)
        #expect(watch.step(for: RemoteJob(id: 8, uuid: nil), pause: long) == .subscribe)
    }
}
