// Tests creating, reading, renewing and ending subscriptions over IPP (RFC 3995 §11).

import IPP
import PrintIPP
import PrintModel
import Testing

struct SubscriptionOperationsTests {
    private let queue = WatchedQueue()

    @Test func `a printer reports its supported events only if the service has an event log`() async {
        let printer = await queue.ask(.getPrinterAttributes)[.printer]
        #expect(printer?.keywords("notify-pull-method-supported") == ["ippget"])
        #expect(printer?.keywords("notify-events-supported").contains("job-progress") == true)
        #expect(printer?.keywords("notify-events-default") == ["job-completed"])
        #expect(printer?.integer("ippget-event-life") ?? 0 >= 15)
        #expect(printer?.integer("notify-lease-duration-default") == 86400)
        let supported = printer?["operations-supported"]?.values.compactMap(\.intValue) ?? []
        #expect(supported.filter { (0x16...0x1C).contains($0) }.count == 7)

        let without = await ScriptedService().ask(.getPrinterAttributes)[.printer]
        #expect(without?["notify-events-supported"] == nil)
        let refused = await ScriptedService().ask(.getNotifications)
        #expect(refused.status == .serverErrorOperationNotSupported)
    }

    @Test func `a subscription has the requested attributes and the standard attributes`() async throws {
        let id = await queue.subscribe(
            "job-created", "job-completed",
            more: [
                Attribute("notify-user-data", .octetString([1, 2, 3])),
                Attribute("notify-lease-duration", .integer(60)),
                Attribute("notify-time-interval", .integer(5)),
            ], uri: "ipp://localhost/printers/office")
        let answer = await queue.ask(
            .getSubscriptionAttributes, [Attribute("notify-subscription-id", .integer(try #require(id)))])
        let shown = try #require(answer[.subscription])
        #expect(shown.keywords("notify-events") == ["job-created", "job-completed"])
        #expect(shown["notify-user-data"]?.first == .octetString([1, 2, 3]))
        #expect(shown.integer("notify-lease-duration") == 60)
        #expect(shown.integer("notify-lease-expiration-time") == 1_000_060)
        #expect(shown.integer("notify-printer-up-time") == 1_000_000)
        #expect(shown.integer("notify-time-interval") == 5)
        #expect(shown.integer("notify-sequence-number") == 0)
        #expect(shown.string("notify-printer-uri") == "ipp://localhost/printers/office")
        #expect(shown.string("notify-subscriber-user-name") == "alice")
        #expect(shown["notify-job-id"] == nil)
    }

    @Test func `several subscriptions are created in one request, each with a separate status`() async {
        let answer = await queue.ask(
            .createPrinterSubscriptions,
            groups: [
                .subscription(["job-created"]), .subscription(["none"]),
                .subscription(["job-created", "no-such-event"]),
                AttributeGroup(.subscription, [Attribute("notify-recipient-uri", .uri("mailto:ada@example.org"))]),
                .subscription([], [Attribute("notify-lease-duration", .integer(0))]),
            ])
        #expect(answer.status == .successfulOkIgnoredSubscriptions)
        let groups = answer.groups(.subscription)
        #expect(groups.map { $0["notify-subscription-id"] != nil } == [true, false, true, false, true])
        #expect(
            groups.map { $0.integer("notify-status-code").map { Status(rawValue: UInt16($0)) } } == [
                nil, .clientErrorAttributesOrValuesNotSupported, .successfulOkIgnoredOrSubstitutedAttributes,
                .clientErrorURISchemeNotSupported, .successfulOkIgnoredOrSubstitutedAttributes,
            ])
        #expect(groups[2].keywords("notify-events") == ["no-such-event"])
        #expect(groups[4].integer("notify-lease-duration") == 604_800, "an unlimited lease is not granted")
    }

    @Test func `an unsupported subscription is rejected with an explanation`() async {
        let nothing = await queue.ask(.createPrinterSubscriptions)
        #expect(nothing.status == .clientErrorBadRequest)
        let all = await queue.ask(.createPrinterSubscriptions, groups: [.subscription(["none"])])
        #expect(all.status == .clientErrorIgnoredAllSubscriptions)
        #expect(all.statusMessage?.contains("ippget") == true)
        let nowhere = await queue.ask(
            .createPrinterSubscriptions, groups: [.subscription([])], uri: "ipp://localhost/printers/nowhere")
        #expect(nowhere.status == .clientErrorNotFound)
        let pastEnd = await queue.ask(
            .createPrinterSubscriptions,
            groups: [.subscription(["all"], [Attribute("printq-events-after", .integer(5))])])
        #expect(pastEnd.status == .clientErrorIgnoredAllSubscriptions)
        #expect(pastEnd[.subscription]?["printq-events-after"] != nil)
    }

    @Test func `a subscription request is accepted if its printer-uri is only a path, as in pycups`() async {
        #expect(await queue.subscribe("all", uri: "/") != nil)
    }

    @Test
    func `the user name in the subscription group (pycups) is used only if the client is an administrator`()
        async throws
    {
        let name = Attribute("requesting-user-name", .name("ann"))
        func subscribe(_ who: ScriptedService.Who) async throws -> Int32 {
            let answer = await queue.ask(
                .createPrinterSubscriptions, groups: [.subscription(["all"], [name])], as: nil, over: who)
            #expect(answer.status == .successfulOk, "\(answer.status)")
            let group = try #require(answer[.subscription])
            #expect(group["requesting-user-name"] == nil && group["notify-status-code"] == nil, "\(group)")
            return try #require(group.integer("notify-subscription-id"))
        }
        func subscriber(_ id: Int32) async -> String? {
            let answer = await queue.ask(
                .getSubscriptionAttributes, [Attribute("notify-subscription-id", .integer(id))], as: "root",
                over: .administrator)
            return answer[.subscription]?.string("notify-subscriber-user-name")
        }
        // An administrator acts for another user. The kernel identifies other users.
        #expect(await subscriber(try await subscribe(.administrator)) == "ann")
        #expect(await subscriber(try await subscribe(.tcp)) == "somebody")
    }

    @Test func `users list their own subscriptions, and administrators list all subscriptions`() async {
        let alices = await queue.subscribe("all")
        let bobs = await queue.subscribe("all", as: "bob")
        func list(_ attributes: [Attribute] = [], over who: ScriptedService.Who) async -> Set<Int32?> {
            let answer = await queue.ask(.getSubscriptions, attributes, uri: "ipp://localhost/", over: who)
            #expect(answer.status == .successfulOk)
            return Set(answer.groups(.subscription).map { $0.integer("notify-subscription-id") })
        }
        #expect(await list(over: .tcp) == [alices])
        #expect(await list(over: .administrator) == [alices, bobs])
        #expect(await list([Attribute("my-subscriptions", .boolean(true))], over: .administrator) == [alices])
        #expect(await list([Attribute("limit", .integer(1))], over: .administrator).count == 1)
        #expect(await list([Attribute("notify-job-id", .integer(1))], over: .administrator).isEmpty)
    }

    @Test(arguments: [Operation.getSubscriptionAttributes, .renewSubscription, .cancelSubscription])
    func `only the owner of a subscription and administrators can read, renew or cancel the subscription`(
        operation: Operation
    )
        async throws
    {
        let id = [Attribute("notify-subscription-id", .integer(try #require(await queue.subscribe("all"))))]
        #expect(await queue.ask(operation, id, as: "bob").status == .clientErrorNotAuthorized)
        #expect(
            await queue.ask(operation, [Attribute("notify-subscription-id", .integer(1))]).status
                == .clientErrorNotFound)
        #expect(await queue.ask(operation).status == .clientErrorBadRequest)
        #expect(await queue.ask(operation, id, as: "bob", over: .administrator).status == .successfulOk)
    }

    @Test func `Renew-Subscription reads the lease from the operation group or the subscription group`() async throws {
        let id = Attribute("notify-subscription-id", .integer(try #require(await queue.subscribe("all"))))
        let lease = Attribute("notify-lease-duration", .integer(30))
        for (attributes, groups) in [([id, lease], []), ([id], [AttributeGroup(.subscription, [lease])])] {
            let answer = await queue.ask(.renewSubscription, attributes, groups: groups)
            #expect(answer[.subscription]?.integer("notify-lease-duration") == 30)
        }
        let answer = await queue.ask(.renewSubscription, [id])
        #expect(answer[.subscription]?.integer("notify-lease-duration") == 86_400)
    }

    @Test
    func `a job subscription is available only to the job's owner, ends with the job and has no lease`() async throws {
        let service = ScriptedService(jobs: [.sample(id: 1), .sample(id: 2, state: .completed)])
        let queue = WatchedQueue(service)
        func subscribe(to job: Int32, as user: String = "alice") async -> Message {
            await queue.ask(
                .createJobSubscriptions, [Attribute("notify-job-id", .integer(job))],
                groups: [.subscription(["job-state-changed"])], as: user)
        }
        let made = await subscribe(to: 1)
        let id = try #require(made[.subscription]?.integer("notify-subscription-id"))
        #expect(made[.subscription]?["notify-lease-duration"] == nil)
        #expect(await subscribe(to: 1, as: "bob").status == .clientErrorNotAuthorized)
        #expect(await subscribe(to: 2).status == .clientErrorNotPossible)
        #expect(await subscribe(to: 3).status == .clientErrorNotFound)
        let renewed = await queue.ask(.renewSubscription, [Attribute("notify-subscription-id", .integer(id))])
        #expect(renewed.status == .clientErrorNotPossible)
        let listed = await queue.ask(.getSubscriptions, [Attribute("notify-job-id", .integer(1))])
        #expect(listed[.subscription]?.integer("notify-subscription-id") == id)
    }

    @Test func `a job is created with its subscriptions, even if a subscription is rejected`() async throws {
        for operation in [Operation.printJob, .createJob] {
            let answer = await queue.ask(
                operation, groups: [.subscription(["job-completed"]), .subscription(["none"])])
            #expect(answer.status == .successfulOkIgnoredSubscriptions)
            #expect(answer[.job]?.integer("job-id") ?? 0 > 40)
            #expect(answer.groups(.subscription).map { $0["notify-subscription-id"] != nil } == [true, false])
        }
        let answer = await queue.ask(.createJob, groups: [.subscription(["job-completed"])])
        #expect(answer.status == .successfulOk)
        let id = try #require(answer[.subscription]?.integer("notify-subscription-id"))
        queue.log.append("job-completed", job: 41, state: .completed)
        queue.log.append("job-completed", job: 42, state: .completed)
        let told = await queue.notifications(id)
        #expect(told.groups(.eventNotification).map { $0.integer("notify-job-id") } == [42])
    }
}
