// Tests Get-Notifications (RFC 3996): contents, recipients and timing of responses.

import IPP
import PrintIPP
import PrintModel
import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NotificationTests {
    private let queue = WatchedQueue()

    @Test func `a notification has every attribute that the standard and CUPS require`() async throws {
        let id = await queue.subscribe("all", more: [Attribute("notify-user-data", .octetString([9]))])
        queue.log.append("job-progress")
        queue.log.append("printer-state-changed", job: nil, message: "Paused")
        let answer = await queue.notifications(id)
        #expect(answer.status == .successfulOk)
        #expect(answer[.operation]?.integer("notify-get-interval") == 15)
        #expect(answer[.operation]?.integer("printer-up-time") == 1_000_000)
        let groups = answer.groups(.eventNotification)
        try #require(groups.count == 2)
        for group in groups {
            #expect(group.integer("notify-subscription-id") == id)
            #expect(group.string("notify-printer-uri") == "ipp://localhost/printers/office")
            #expect(group.string("printer-name") == "office")
            #expect(group.integer("printer-up-time") == 999_000)
            #expect(group["printer-current-time"] != nil)
            #expect(group.string("notify-charset") == "utf-8")
            #expect(group.string("notify-natural-language") == "en")
            #expect(group["notify-user-data"]?.first == .octetString([9]))
            #expect(group["printq-event-number"] == nil, "the attribute is returned only on request")
        }
        #expect(groups[0].string("notify-subscribed-event") == "job-progress")
        #expect(groups[0].integer("notify-job-id") == 1)
        #expect(groups[0].integer("job-id") == 1)
        #expect(groups[0].string("job-name") == "Report")
        #expect(groups[0].integer("job-state") == 5)
        #expect(groups[0].keywords("job-state-reasons") == ["job-printing"])
        #expect(groups[0].integer("job-impressions-completed") == 1)
        #expect(groups[1].string("notify-subscribed-event") == "printer-stopped")
        #expect(groups[1].integer("printer-state") == 5)
        #expect(groups[1].keywords("printer-state-reasons") == ["paused"])
        #expect(groups[1].boolean("printer-is-accepting-jobs") == true)
        #expect(answer.told == ["1 job 1 (Report) on office: printing page 1 of 2", "2 office: paused"])
    }

    @Test func `Get-Notifications returns the events after the subscription, from the requested sequence number`()
        async
    {
        queue.log.append(message: "before")
        let id = await queue.subscribe("all")
        queue.log.append(message: "one")
        queue.log.append(message: "two")
        #expect(await queue.notifications(id).groups(.eventNotification).count == 2)
        queue.log.append(message: "three")
        let rest = await queue.notifications(id, from: 3)
        #expect(rest.told == ["3 job 1 (Report) on office: three"])
        #expect(await queue.notifications(id, from: 4).told.isEmpty)
        #expect(await queue.notifications(id, from: 2).told.count == 2, "a repeated request returns the same events")
    }

    @Test func `Get-Notifications can start at a different sequence number for each of several subscriptions`() async {
        let first = await queue.subscribe("job-created")
        let second = await queue.subscribe("job-completed")
        queue.log.append("job-created")
        queue.log.append("job-completed", state: .completed)
        let answer = await queue.ask(
            .getNotifications,
            [
                Attribute("notify-subscription-ids", .integer(second ?? 0), .integer(first ?? 0)),
                Attribute("notify-sequence-numbers", .integer(1), .integer(2)),
            ])
        #expect(answer.groups(.eventNotification).map { $0.string("notify-subscribed-event") } == ["job-completed"])
    }

    @Test func `a Get-Notifications response has at most 200 events, and the next responses have the remaining events`()
        async
    {
        let id = await queue.subscribe("all")
        for number in 1...450 { queue.log.append(message: "event \(number)") }
        var next: Int32 = 1
        var counts: [Int] = []
        var intervals: [Int32?] = []
        var texts: [String] = []
        repeat {
            let answer = await queue.notifications(id, from: next)
            counts.append(answer.told.count)
            intervals.append(answer[.operation]?.integer("notify-get-interval"))
            texts += answer.told
            next += Int32(answer.told.count)
        } while counts.last ?? 0 > 0
        #expect(counts == [200, 200, 50, 0])
        #expect(intervals == [1, 1, 15, 15])
        #expect(texts == (1...450).map { "\($0) job 1 (Report) on office: event \($0)" })
    }

    // MARK: - Access

    @Test func `users receive events of printers and of their own jobs, and administrators receive all events`() async {
        let alices = await queue.subscribe("all")
        let all = await queue.subscribe("all", as: "root", over: .administrator)
        queue.log.append(owner: "alice", message: "mine")
        queue.log.append(owner: "bob", message: "another's")
        queue.log.append("printer-state-changed", job: nil, message: "Paused")
        #expect(
            await queue.notifications(alices).told == ["1 job 1 (Report) on office: mine", "2 office: paused"])
        #expect(await queue.notifications(all, as: "root", over: .administrator).told.count == 3)
        #expect(await queue.notifications(alices, as: "bob").status == .clientErrorNotAuthorized)
    }

    @Test func `a user's subscription to specific jobs is refused if one of the jobs belongs to another user`() async {
        let service = ScriptedService(jobs: [.sample(id: 1, owner: "alice"), .sample(id: 2, owner: "bob")])
        let queue = WatchedQueue(service)
        func subscribe(_ ids: Int32..., over who: ScriptedService.Who = .tcp) async -> Int32? {
            let jobs = Attribute("printq-job-ids", ids.map { .integer($0) })
            return await queue.subscribe("all", more: [jobs], over: who)
        }
        let id = await subscribe(1)
        #expect(id != nil)
        #expect(await subscribe(1, 2) == nil)
        #expect(await subscribe(3) == nil)
        #expect(await subscribe(1, 2, over: .administrator) != nil)
        queue.log.append(job: 1)
        queue.log.append(job: 3)
        #expect(await queue.notifications(id).told.count == 1)
    }

    // MARK: - Continuing after a restart

    @Test func `a subscription can begin after a given event, and notifications can contain event numbers`()
        async throws
    {
        for number in 1...5 { queue.log.append(message: "event \(number)") }
        let groups = [
            AttributeGroup.subscription(
                ["all"],
                [
                    Attribute("printq-events-after", .integer(3)),
                    Attribute("notify-attributes", .keyword("printq-event-number"), .keyword("job-impressions")),
                ])
        ]
        let made = await queue.ask(.createPrinterSubscriptions, groups: groups)
        #expect(made[.subscription]?.integer("printq-event-number") == 3)
        #expect(made[.subscription]?["printq-events-missing-through"] == nil)
        let told = await queue.notifications(made[.subscription]?.integer("notify-subscription-id"))
        #expect(told.groups(.eventNotification).map { $0.integer("printq-event-number") } == [4, 5])
        #expect(told.groups(.eventNotification).map { $0.integer("notify-sequence-number") } == [1, 2])
        #expect(told.groups(.eventNotification).map { $0.integer("job-impressions") } == [2, 2])
    }

    @Test func `a request for removed events returns the number of the last removed event`() async {
        for number in 1...6 { queue.log.append(message: "event \(number)") }
        queue.log.purge(through: 3)
        let numbers = Attribute("notify-attributes", .keyword("printq-event-number"))
        func begin(after number: Int32) async -> AttributeGroup? {
            let after = Attribute("printq-events-after", .integer(number))
            return await queue.ask(
                .createPrinterSubscriptions, groups: [.subscription(["all"], [numbers, after])])[.subscription]
        }
        #expect(await begin(after: 2)?.integer("printq-events-missing-through") == 3)
        let whole = await begin(after: 3)
        #expect(whole?["printq-events-missing-through"] == nil)
        // The same applies to a slow client with an existing subscription.
        queue.log.purge(through: 5)
        let answer = await queue.notifications(whole?.integer("notify-subscription-id"))
        #expect(answer[.operation]?.integer("printq-events-missing-through") == 5)
        #expect(answer.groups(.eventNotification).map { $0.integer("printq-event-number") } == [6])
    }

    // MARK: - Waiting

    @Test func `a waiting client receives an event as soon as the event happens`() async {
        let id = await queue.subscribe("job-created")
        async let answer = queue.notifications(id, wait: true)
        await queue.log.someoneWaits()
        queue.log.append("job-progress")
        queue.log.append("job-created", message: "")
        #expect(await answer.told == ["1 job 1 (Report) on office: accepted"])
        #expect(await answer[.operation]?.integer("notify-get-interval") == 1)
    }

    @Test func `a request for notifications of past events returns immediately`() async {
        let id = await queue.subscribe("all")
        queue.log.append()
        #expect(await queue.notifications(id, wait: true).told.count == 1)
    }

    @Test func `a wait for notifications ends with an empty response after the maximum time`() async {
        let queue = WatchedQueue(wait: .milliseconds(1))
        let answer = await queue.notifications(await queue.subscribe("all"), wait: true)
        #expect(answer.status == .successfulOk)
        #expect(answer.told.isEmpty)
    }

    @Test func `a wait for notifications ends when the client disconnects or the subscription is canceled`() async {
        let disconnection = Signal()
        let first = await queue.subscribe("all")
        async let left = queue.notifications(first, wait: true, disconnection: disconnection)
        await queue.log.someoneWaits()
        disconnection.give()
        #expect(await left.status == .successfulOk)

        let second = await queue.subscribe("all")
        async let ended = queue.notifications(second, wait: true)
        await queue.log.someoneWaits()
        let canceled = await queue.ask(
            .cancelSubscription, [Attribute("notify-subscription-id", .integer(second ?? 0))])
        #expect(canceled.status == .successfulOk)
        #expect(await ended.status == .successfulOkEventsComplete)
        #expect(await ended[.operation]?["notify-get-interval"] == nil)
        #expect(await queue.notifications(second).status == .clientErrorNotFound)
    }

    @Test func `the last event of a job ends the job's subscription`() async {
        let made = await queue.ask(
            .createJobSubscriptions, [Attribute("notify-job-id", .integer(1))],
            groups: [.subscription(["job-completed"])])
        let id = made[.subscription]?.integer("notify-subscription-id")
        async let answer = queue.notifications(id, wait: true)
        await queue.log.someoneWaits()
        queue.log.append("job-completed", state: .completed, message: "")
        #expect(await answer.status == .successfulOkEventsComplete)
        #expect(await answer.told == ["1 job 1 (Report) on office: completed: 1 page"])
        #expect(await queue.notifications(id, from: 2, wait: true).status == .successfulOkEventsComplete)
    }

    @Test func `if 256 clients are waiting, the next client receives a response immediately`() async {
        let id = await queue.subscribe("all")
        let disconnection = Signal()
        await withTaskGroup { group in
            for _ in 0..<256 {
                group.addTask { _ = await queue.notifications(id, wait: true, disconnection: disconnection) }
                await queue.log.someoneWaits()
            }
            let answer = await queue.notifications(id, wait: true)
            #expect(answer.told.isEmpty)
            #expect(answer[.operation]?.integer("notify-get-interval") == 1)
            disconnection.give()
        }
    }

    @Test func `if one user has all 256 places of waiting clients, another user receives one of these places`() async {
        let id = await queue.subscribe("all")
        let other = await queue.subscribe("all", as: "bob")
        let disconnection = Signal()
        await withTaskGroup { group in
            for _ in 0..<256 {
                group.addTask { _ = await queue.notifications(id, wait: true, disconnection: disconnection) }
                await queue.log.someoneWaits()
            }
            async let answer = queue.notifications(other, wait: true, as: "bob")
            await queue.log.someoneWaits()
            // A client of the first user receives an empty response.
            await group.next()
            queue.log.append("printer-state-changed", job: nil, message: "Paused")
            #expect(await answer.told == ["1 office: paused"])
            disconnection.give()
        }
    }

    @Test(arguments: [nil, 0, -1] as [Int32?]) func `Get-Notifications without a valid subscription ID is rejected`(
        id: Int32?
    ) async {
        let attributes = id.map { [Attribute("notify-subscription-ids", .integer($0))] } ?? []
        let answer = await queue.ask(.getNotifications, attributes)
        #expect(answer.status == (id == nil ? .clientErrorBadRequest : .clientErrorNotFound))
    }
}
