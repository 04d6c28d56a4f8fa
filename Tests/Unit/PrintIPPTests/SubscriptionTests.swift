// Tests the rules of subscriptions (matching, numbering and leases) without a clock or an event log.

import PrintIPP
import PrintModel
import Testing

struct SubscriptionTests {
    private func event(
        _ sequence: Int, _ kind: String = "job-state-changed", job: Int? = 1, state: JobState? = .pending,
        printer: String = "laser", printerState: PrinterState? = nil, owner: String? = "ada", time: UnixTime = 0
    ) -> JobEvent {
        JobEvent(
            sequence: sequence, jobID: job, printer: printer, time: time, kind: kind, state: state, message: "",
            printerState: printerState, owner: owner)
    }

    private func wish(
        _ keywords: [String] = ["all"], job: Int? = nil, interval: Int = 0, by user: String = "ada"
    ) -> SubscriptionRequest {
        var wish = SubscriptionRequest(
            subscriber: user, filter: EventFilter(keywords: keywords, jobs: job.map { [$0] }), jobID: job)
        wish.progressInterval = interval
        return wish
    }

    /// Returns the sequence numbers, event numbers and keywords of the events that are reported after a mark.
    private func read(
        _ events: [JobEvent], _ subscription: EventSubscription, from mark: inout EventSubscription.Mark
    ) -> [String] {
        events.filter { $0.sequence > mark.event }.compactMap { event in
            subscription.notification(of: event, at: &mark).map { "\($0.number): \($0.event.sequence) \($0.keyword)" }
        }
    }

    // MARK: - Matching

    @Test func `an event is reported with the most specific event keyword of the subscription`() {
        let completed = event(1, "job-completed", state: .completed)
        let stopped = event(2, state: .processingStopped)
        let paused = event(3, "printer-state-changed", job: nil, printerState: .stopped)
        let added = event(4, "printer-added", job: nil)
        let changed = event(5, "printer-config-changed", job: nil)
        func told(_ event: JobEvent, _ keywords: String...) -> String? {
            EventFilter(keywords: keywords).keyword(for: event)
        }
        #expect(told(completed, "job-state-changed") == "job-state-changed")
        #expect(told(completed, "job-state-changed", "job-completed") == "job-completed")
        #expect(told(completed, "all") == "job-completed")
        #expect(told(completed, "job-created", "job-progress") == nil)
        #expect(told(stopped, "job-stopped") == "job-stopped")
        #expect(told(stopped, "job-state-changed") == "job-state-changed")
        #expect(told(paused, "printer-stopped") == "printer-stopped")
        #expect(told(added, "printer-config-changed") == "printer-config-changed")
        #expect(told(changed, "printer-modified") == "printer-modified")
        #expect(told(changed, "job-state-changed") == nil)
    }

    @Test func `an event filter excludes job events with a different printer, job or owner, but not printer events`() {
        var filter = EventFilter(keywords: ["all"], printer: "laser")
        #expect(filter.keyword(for: event(1)) != nil)
        #expect(filter.keyword(for: event(1, printer: "photo")) == nil)
        filter.jobs = [1]
        #expect(filter.keyword(for: event(1, job: 1)) != nil)
        #expect(filter.keyword(for: event(1, job: 2)) == nil)
        filter.owner = "bob"
        #expect(filter.keyword(for: event(1, job: 1, owner: "ada")) == nil)
        #expect(filter.keyword(for: event(1, job: 1, owner: nil)) == nil, "an unknown owner is not bob")
        #expect(filter.keyword(for: event(1, job: 1, owner: "bob")) != nil)
        #expect(filter.keyword(for: event(1, "printer-state-changed", job: nil)) != nil)
    }

    // MARK: - Numbering

    @Test func `sequence numbers begin at 1 and count only reported events`() {
        let subscription = EventSubscription(id: 1, wish: wish(["job-created"]), after: 10, expiresAt: 0)
        var mark = subscription.last
        let events = [event(11, "job-created"), event(12), event(15, "job-created"), event(16)]
        let told = read(events, subscription, from: &mark)
        #expect(told == ["1: 11 job-created", "2: 15 job-created"])
        #expect((mark.event, mark.number) == (16, 2))
    }

    @Test func `repeated requests return the same sequence numbers for the same events`() {
        var subscription = EventSubscription(id: 1, wish: wish(), after: 0, expiresAt: 0)
        let log = (1...9).map { event($0) }
        for end in [3, 6, 9] {
            var mark = subscription.last
            _ = read(Array(log[..<end]), subscription, from: &mark)
            subscription.note(mark)
        }
        for number in 1...9 {
            var mark = subscription.mark(before: number)
            #expect(mark.number < number)
            let told = read(log, subscription, from: &mark)
            #expect(told.contains("\(number): \(number) job-state-changed"))
        }
    }

    @Test func `removed events leave a gap in the sequence numbers and do not change the numbers of new events`() {
        var subscription = EventSubscription(id: 1, wish: wish(), after: 0, expiresAt: 0)
        var mark = subscription.last
        _ = read((1...4).map { event($0) }, subscription, from: &mark)
        subscription.note(mark)
        mark = subscription.mark(before: 1)
        let rest = [event(1), event(4), event(5), event(6)]
        let told = read(rest, subscription, from: &mark)
        #expect(
            told == [
                "1: 1 job-state-changed", "2: 4 job-state-changed", "5: 5 job-state-changed", "6: 6 job-state-changed",
            ])
    }

    @Test func `a subscription stores a limited number of event positions, including the position of the last event`() {
        var subscription = EventSubscription(id: 1, wish: wish(["job-created"]), after: 0, expiresAt: 0)
        for sequence in 1...1000 {
            var mark = subscription.last
            _ = read([event(sequence, sequence % 10 == 0 ? "job-created" : "job-progress")], subscription, from: &mark)
            subscription.note(mark)
        }
        #expect(subscription.marks.count <= EventSubscription.mostMarks)
        #expect((subscription.last.event, subscription.last.number) == (1000, 100))
        #expect(subscription.mark(before: 101) == subscription.last)
        #expect(subscription.mark(before: 1).number == 0)
    }

    @Test
    func `progress events are reported at most once per interval, and all other events are reported immediately`() {
        let subscription = EventSubscription(id: 1, wish: wish(interval: 10), after: 0, expiresAt: 0)
        var mark = subscription.last
        let events = [
            event(1, "job-progress", time: 100), event(2, "job-progress", time: 109), event(3, time: 109),
            event(4, "job-progress", time: 110), event(5, "job-progress", time: 50), event(6, "job-progress", time: 55),
        ]
        let told = read(events, subscription, from: &mark)
        #expect(
            told == [
                "1: 1 job-progress", "2: 3 job-state-changed", "3: 4 job-progress", "4: 5 job-progress",
            ], "progress is reported immediately after the clock is set back")
    }

    @Test func `a job subscription ends when its job ends, and not when a different job ends`() {
        let subscription = EventSubscription(id: 1, wish: wish(["job-created"], job: 1), after: 0, expiresAt: 0)
        var mark = subscription.last
        _ = read([event(1, "job-completed", job: 2, state: .completed)], subscription, from: &mark)
        #expect(!mark.hasEnded)
        _ = read([event(2, "job-completed", job: 1, state: .canceled)], subscription, from: &mark)
        #expect(mark.hasEnded)
    }

    // MARK: - The table

    @Test func `a subscription expires when the lease ends, unless the lease is renewed`() {
        var book = SubscriptionTable(firstID: 40)
        var short = wish()
        short.lease = 10
        let ids = (1...2).map { _ in book.add(short, after: 0, at: 100)?.id }
        #expect(ids == [40, 41])
        book.renew(41, lease: 60, at: 109)
        book.expire(at: 109.9)
        #expect(book.all.map(\.id) == [40, 41])
        book.expire(at: 110)
        #expect(book.all.map(\.id) == [41])
        book.expire(at: 169)
        #expect(book[40] == nil && book[41] == nil)
    }

    @Test func `the number of subscriptions is limited, and a canceled subscription no longer counts`() {
        var book = SubscriptionTable(firstID: 1, limits: .init(total: 3, perUser: 2))
        let ids = ["ada", "ada", "ada", "bob", "eve"].map { book.add(wish(by: $0), after: 0, at: 0)?.id }
        #expect(ids == [1, 2, nil, 3, nil])
        book.cancel(1)
        let next = book.add(wish(by: "eve"), after: 0, at: 0)?.id
        #expect(next == 4)
    }

    @Test func `subscription IDs continue at 1 after the largest IPP integer`() {
        var book = SubscriptionTable(firstID: Int(Int32.max))
        let ids = (1...2).map { _ in book.add(wish(), after: 0, at: 0)?.id }
        #expect(ids == [Int(Int32.max), 1])
    }
}
