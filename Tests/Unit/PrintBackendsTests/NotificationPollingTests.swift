import PrintModel
import Testing

@testable import PrintBackends

/// The rule, as a conversation: what is asked next after what was answered.
struct NotificationPollingTests {
    private let job = RemoteJob(id: 7, uuid: "urn:uuid:7")
    private let long = Duration.milliseconds(500)

    private func printing(_ sides: Int) -> RemoteJobStatus {
        RemoteJobStatus(state: .processing, impressionsCompleted: sides)
    }

    /// A watch that has a subscription of number 3.
    private func subscribed(lease: Int32? = nil) -> NotificationPolling {
        var watch = NotificationPolling()
        #expect(watch.step(for: job, pause: long) == .subscribe)
        watch.heard(.subscribed(3, lease: lease))
        return watch
    }

    @Test func `a job that is over soon needs no subscription`() {
        var watch = NotificationPolling()
        #expect(watch.step(for: job, pause: .milliseconds(20)) == .rest)
        #expect(watch.step(for: job, pause: .milliseconds(100)) == .rest)
        #expect(watch.step(for: job, pause: long) == .subscribe)
    }

    @Test func `a printer that has told is waited for longer, and asked for what comes next`() {
        var watch = subscribed()
        #expect(
            watch.step(for: job, pause: long) == .listen(subscription: 3, from: 1, atMost: NotificationPolling.caution))
        watch.heard(.news(upTo: 4))
        watch.looked(at: printing(1), of: job)
        // News make the pauses short again: a subscription goes on all the same.
        #expect(
            watch.step(for: job, pause: .milliseconds(20))
                == .listen(subscription: 3, from: 5, atMost: NotificationPolling.patience))
    }

    @Test func `a subscription that the printer has forgotten is made anew, but not for ever`() {
        var watch = subscribed()
        for _ in 0..<2 {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.heard(.forgotten)
            #expect(watch.step(for: job, pause: long) == .subscribe)
            watch.heard(.subscribed(4, lease: nil))
        }
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
        watch.heard(.forgotten)
        for _ in 0..<100 { #expect(watch.step(for: job, pause: long) == .rest) }
    }

    @Test func `one that has told between is forgotten as often as it likes`() {
        var watch = subscribed()
        for number in 1...10 as ClosedRange<Int32> {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.heard(.news(upTo: number))
            watch.looked(at: printing(Int(number)), of: job)
            watch.heard(.forgotten)
            #expect(watch.step(for: job, pause: long) == .subscribe)
            watch.heard(.subscribed(3, lease: nil))
        }
    }

    @Test func `a printer that does not let clients wait is looked at until it wants to be asked again`() {
        var watch = subscribed()
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
        watch.heard(.nothing(interval: 2))
        for _ in 0..<4 { #expect(watch.step(for: job, pause: long) == .rest) }
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
    }

    @Test func `a printer that twice did not tell what was seen is only looked at`() {
        var watch = subscribed()
        watch.looked(at: printing(0), of: job)
        for side in 1...2 {
            guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
            watch.heard(.silence)
            watch.looked(at: printing(side), of: job)
        }
        #expect(watch.step(for: job, pause: long) == .rest)
        // And so is its next job.
        #expect(watch.step(for: RemoteJob(id: 8, uuid: nil), pause: long) == .rest)
    }

    @Test func `a printer that tells again and again of nothing is only looked at`() {
        var watch = subscribed()
        var told: Int32 = 0
        while case .listen = watch.step(for: job, pause: long), told < 1000 {
            told += 1
            watch.heard(.news(upTo: told))
            watch.looked(at: printing(0), of: job)
        }
        #expect(told == 20)
    }

    @Test func `a printer that refuses, or fails three times, is asked for a subscription again after ten minutes`() {
        for answers in [[NotificationPolling.Answer.refused], [.failed, .failed, .failed]] {
            var watch = NotificationPolling()
            var waited = Duration.zero
            for answer in answers {
                while watch.step(for: job, pause: long) == .rest {}
                watch.heard(answer)
            }
            while watch.step(for: job, pause: long) == .rest { waited += long }
            #expect(waited == NotificationPolling.disregard)
        }
    }

    @Test func `a lease is renewed when half of it is over`() {
        var watch = subscribed(lease: 60)
        var listened = 0
        while case .listen = watch.step(for: job, pause: long), listened < 100 {
            listened += 1
            watch.heard(.news(upTo: Int32(listened)))
            watch.looked(at: printing(listened), of: job)
        }
        // Two seconds, then ten at a time: more than 30.
        #expect(listened == 4)
        #expect(watch.step(for: job, pause: long) == .renew(subscription: 3, lease: 60))
        watch.heard(.renewed)
        guard case .listen = watch.step(for: job, pause: long) else { return #expect(Bool(false)) }
    }

    @Test func `with a job's end its subscription is forgotten`() {
        var watch = subscribed()
        watch.looked(at: RemoteJobStatus(state: .completed), of: job)
        #expect(watch.step(for: RemoteJob(id: 8, uuid: nil), pause: long) == .subscribe)
    }
}
