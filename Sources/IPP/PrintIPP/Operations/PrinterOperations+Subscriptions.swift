// Handles the operations on subscriptions (RFC 3995 §11).

import IPP
import PrintModel

extension PrinterOperations {
    /// The operations are supported if there is an event log.
    static let subscriptionOperations: [Operation] = [
        .createPrinterSubscriptions, .createJobSubscriptions, .getSubscriptionAttributes, .getSubscriptions,
        .renewSubscription, .cancelSubscription, .getNotifications,
    ]

    func answer(_ exchange: Exchange, at subscriptionService: SubscriptionService) async throws -> Message {
        switch exchange.operation {
        case .createPrinterSubscriptions: return try await createPrinterSubscriptions(exchange, at: subscriptionService)
        case .createJobSubscriptions: return try await createJobSubscriptions(exchange, at: subscriptionService)
        case .getSubscriptionAttributes: return try getSubscriptionAttributes(exchange, at: subscriptionService)
        case .getSubscriptions: return getSubscriptions(exchange, at: subscriptionService)
        case .renewSubscription: return try renewSubscription(exchange, at: subscriptionService)
        case .cancelSubscription:
            subscriptionService.cancel(try ownSubscription(exchange, at: subscriptionService).id)
            return exchange.reply()
        case .getNotifications: return try await getNotifications(exchange, at: subscriptionService)
        default:
            throw IPPFailure(
                .serverErrorOperationNotSupported, "the operation \(exchange.operation) is not supported")
        }
    }

    // MARK: - Creating subscriptions

    private func createPrinterSubscriptions(
        _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) async throws -> Message {
        let printer = try await queriedPrinter(exchange)
        try exchange.checkNamesPrinter(printer)
        if let printer { try exchange.checkLook(printer) }
        try await checkNamedJobs(exchange)
        let unsupported = exchange.received("notify-job-id")
        return try await createSubscriptions(
            exchange, at: subscriptionService, printer: printer, job: nil, unsupported: unsupported)
    }

    /// Checks that the requester is allowed to see the jobs in `printq-job-ids`.
    ///
    /// Without this check, the client would wait indefinitely for events of jobs that the requester must not see.
    private func checkNamedJobs(_ exchange: Exchange) async throws {
        let ids = Set(
            exchange.request.message.groups(.subscription).flatMap { $0["printq-job-ids"]?.values ?? [] }
                .compactMap(\.intValue))
        guard ids.count <= 1000 else { throw IPPFailure.badRequest("printq-job-ids has more than 1,000 jobs") }
        guard !exchange.requester.isAdministrator else { return }
        for id in ids.sorted() { try await checkOwner(of: service.job(Int(id), printer: nil), exchange) }
    }

    private func checkOwner(of job: Job, _ exchange: Exchange) throws(IPPFailure) {
        try exchange.checkReach(of: job)
        guard exchange.mayFollowAllJobs(of: job.printer) || exchange.requester.owns(thingsOf: job.owner) else {
            throw exchange.refusal("job \(job.id) belongs to another user")
        }
    }

    private func createJobSubscriptions(
        _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) async throws -> Message {
        guard let id = exchange.attributes.integer("notify-job-id"), id > 0 else {
            throw IPPFailure.badRequest("Create-Job-Subscriptions requires notify-job-id")
        }
        let job = try await service.job(Int(id), printer: exchange.target.printer)
        try checkOwner(of: job, exchange)
        guard !job.state.isTerminal else { throw IPPFailure.notPossible("job \(id) has ended and has no more events") }
        return try await createSubscriptions(exchange, at: subscriptionService, printer: job.printer, job: job.id)
    }

    private func createSubscriptions(
        _ exchange: Exchange, at subscriptionService: SubscriptionService, printer: String?, job: Int?,
        unsupported: [Attribute] = []
    ) async throws -> Message {
        guard exchange.request.message[.subscription] != nil else {
            throw IPPFailure.badRequest("the request has no subscription attributes group")
        }
        let groups = try await subscribe(exchange, at: subscriptionService, printer: printer, job: job, after: nil)
        let made = groups.count { $0["notify-subscription-id"] != nil }
        if made == groups.count { return exchange.reply(groups, unsupported: unsupported) }
        guard made == 0 else {
            return exchange.request.message.reply(.successfulOkIgnoredSubscriptions, groups: groups)
        }
        return exchange.request.message.reply(
            .clientErrorIgnoredAllSubscriptions,
            "no subscription was created: notify-pull-method is not ippget, an event in notify-events is not "
                + "supported, or the maximum number of subscriptions is reached", groups: groups)
    }

    /// Creates the subscriptions that a job request contains.
    ///
    /// Failures do not affect the job (RFC 3995 §11.1.3).
    func subscribe(to job: Job, _ exchange: Exchange, after event: Int?) async -> [AttributeGroup] {
        guard let subscriptionService, exchange.request.message[.subscription] != nil else { return [] }
        let groups = try? await subscribe(
            exchange, at: subscriptionService, printer: job.printer, job: job.id, after: event)
        return groups ?? []
    }

    /// Returns the number of the newest event if a job request contains subscriptions, otherwise `nil`.
    func eventBefore(_ exchange: Exchange) async throws -> Int? {
        guard let subscriptionService, exchange.request.message[.subscription] != nil else { return nil }
        return try await subscriptionService.latestEvent()
    }

    private func subscribe(
        _ exchange: Exchange, at subscriptionService: SubscriptionService, printer: String?, job: Int?,
        after event: Int?
    ) async throws -> [AttributeGroup] {
        let latest = try await subscriptionService.latestEvent()
        let purgedThrough = try await subscriptionService.purgedThrough()
        let requester = exchange.requester
        let uri = printer.map({ exchange.target.printerURI($0) }) ?? exchange.attributes.string("printer-uri") ?? ""
        let filter = EventFilter(
            keywords: SubscriptionRequest.defaultKeywords, printer: printer, jobs: job.map { [$0] },
            owner: exchange.mayFollowAllJobs(of: printer) ? nil : requester.name, hidden: exchange.reach.hidden)
        let base = SubscriptionRequest(
            subscriber: requester.name, filter: filter, printerURI: uri, target: exchange.target, jobID: job)
        return exchange.request.message.groups(.subscription).map { group in
            var reading = SubscriptionRequest.read(group, onto: base)
            guard let wish = reading.wish, wish.after ?? 0 <= latest else {
                if reading.wish != nil { reading = reading.refusing("printq-events-after", in: group) }
                return AttributeGroup(.subscription, reading.report)
            }
            let start = wish.after ?? event ?? latest
            guard let made = subscriptionService.add(wish, after: start) else {
                let status = Int32(Status.clientErrorTooManySubscriptions.rawValue)
                return AttributeGroup(.subscription, [Attribute("notify-status-code", .enumeration(status))])
            }
            var attributes = [Attribute("notify-subscription-id", .integer(Int32(clamping: made.id)))]
            if job == nil { attributes.append(made.leaseAttribute) }
            attributes += reading.report
            if wish.after != nil || wish.attributes.contains("printq-event-number") {
                attributes.append(Attribute("printq-event-number", .integer(Int32(clamping: start))))
                if start < purgedThrough { attributes.append(.missing(through: purgedThrough)) }
            }
            return AttributeGroup(.subscription, attributes)
        }
    }

    // MARK: - Reading and renewing subscriptions

    private func getSubscriptionAttributes(
        _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) throws(IPPFailure) -> Message {
        let subscription = try ownSubscription(exchange, at: subscriptionService)
        return exchange.reply([shown(subscription, exchange.requestedAttributes())])
    }

    private func getSubscriptions(_ exchange: Exchange, at subscriptionService: SubscriptionService) -> Message {
        let requester = exchange.requester
        let onlyOwn =
            exchange.attributes.boolean("my-subscriptions") == true || exchange.permission(.others, at: nil) == .refused
        let job = exchange.attributes.integer("notify-job-id").map(Int.init)
        let wanted = exchange.requestedAttributes(or: RequestedAttributes(["notify-subscription-id"]))
        let found = subscriptionService.subscriptions.filter { subscription in
            let wish = subscription.wish
            return wish.jobID == job && exchange.reaches(wish) && (!onlyOwn || wish.subscriber == requester.name)
                && (exchange.target.printer == nil || wish.filter.printer == exchange.target.printer)
        }
        let limit = exchange.attributes.integer("limit").map { max(0, Int($0)) } ?? .max
        return exchange.reply(found.prefix(limit).map { shown($0, wanted) })
    }

    private func shown(_ subscription: EventSubscription, _ wanted: RequestedAttributes) -> AttributeGroup {
        let (template, description) = subscription.attributes(at: clock())
        return AttributeGroup(
            .subscription,
            wanted.filter(template, in: ["subscription-template"])
                + wanted.filter(description, in: ["subscription-description"]))
    }

    private func renewSubscription(_ exchange: Exchange, at subscriptionService: SubscriptionService) throws(IPPFailure)
        -> Message
    {
        let subscription = try ownSubscription(exchange, at: subscriptionService)
        guard subscription.wish.jobID == nil else {
            throw .notPossible("cannot renew a subscription of a job; the subscription ends with the job")
        }
        // The standard puts the lease in the subscription group. CUPS clients put it in the operation group.
        let groups = [exchange.request.message[.subscription], exchange.attributes]
        let asked = groups.compactMap { $0?["notify-lease-duration"] }.first
        let lease = asked?.intValue.map(SubscriptionRequest.granted) ?? SubscriptionRequest.defaultLease
        subscriptionService.renew(subscription.id, lease: lease)
        let unsupported = asked.map { $0.intValue.map(Int.init) == lease ? [] : [$0] } ?? []
        let granted = Attribute("notify-lease-duration", .integer(Int32(clamping: lease)))
        return exchange.reply([AttributeGroup(.subscription, [granted])], unsupported: unsupported)
    }

    // MARK: - Helper functions

    private func ownSubscription(
        _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) throws(IPPFailure) -> EventSubscription {
        guard let id = exchange.attributes.integer("notify-subscription-id") else {
            throw .badRequest("the request has no notify-subscription-id")
        }
        return try ownSubscription(Int(id), exchange, at: subscriptionService)
    }

    func ownSubscription(
        _ id: Int, _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) throws(IPPFailure) -> EventSubscription {
        guard let subscription = subscriptionService.subscription(id) else {
            throw .notFound("there is no subscription \(id); the subscription has ended, or the server was restarted")
        }
        let owner = subscription.wish.subscriber
        try exchange.permit(exchange.ownership(of: owner), "subscription \(id)", at: nil)
        guard exchange.reaches(subscription.wish) else {
            throw .notAuthorized("the token does not reach the printers of subscription \(id)")
        }
        return subscription
    }

    /// The printer attributes about subscriptions (RFC 3995 §5.3, RFC 3996 §8).
    var notificationAttributes: [Attribute] {
        guard subscriptionService != nil else { return [] }
        return [
            Attribute("ippget-event-life", .integer(Int32(Self.eventLife))),
            Attribute("notify-attributes-supported", SubscriptionRequest.supportedAttributes.map { .keyword($0) }),
            Attribute("notify-events-default", SubscriptionRequest.defaultKeywords.map { .keyword($0) }),
            Attribute("notify-events-supported", EventFilter.supported.map { .keyword($0) }),
            Attribute("notify-lease-duration-default", .integer(Int32(SubscriptionRequest.defaultLease))),
            Attribute(
                "notify-lease-duration-supported",
                .range(IntegerRange(lower: 1, upper: Int32(SubscriptionRequest.longestLease)))),
            Attribute("notify-max-events-supported", .integer(Int32(EventFilter.mostKeywords))),
            Attribute("notify-pull-method-supported", .keyword("ippget")),
        ]
    }
}

extension SubscriptionReading {
    fileprivate func refusing(_ name: String, in group: AttributeGroup) -> SubscriptionReading {
        var reading = self
        reading.wish = nil
        reading.status = .clientErrorAttributesOrValuesNotSupported
        if let attribute = group[name] { reading.unsupported.append(attribute) }
        return reading
    }

    /// The attributes that report the result in the response.
    ///
    /// The array is empty if all attributes were accepted as received.
    fileprivate var report: [Attribute] {
        guard status != .successfulOk else { return [] }
        return [Attribute("notify-status-code", .enumeration(Int32(status.rawValue)))] + unsupported
    }
}

extension Attribute {
    /// Returns the attribute that reports missing events.
    static func missing(through number: Int) -> Attribute {
        Attribute("printq-events-missing-through", .integer(Int32(clamping: number)))
    }
}

// MARK: - Notifications

extension PrinterOperations {
    /// The time, in seconds, for which the log guarantees to keep an event.
    ///
    /// The log usually keeps events for a longer time.
    static let eventLife = 15

    /// The maximum number of notifications in a response.
    static let mostNotifications = 200

    func getNotifications(_ exchange: Exchange, at subscriptionService: SubscriptionService) async throws
        -> Message
    {
        let wanted = try subscriptionsWanted(exchange, at: subscriptionService)
        var answer = try await collect(wanted, at: subscriptionService)
        let mayWait = exchange.attributes.boolean("notify-wait") == true
        if mayWait, answer.groups.isEmpty, !answer.isComplete {
            await subscriptionService.wait(
                exchange.requester.name, for: wanted, atMost: notifyWait, disconnection: exchange.request.disconnection)
            answer = try await collect(wanted, at: subscriptionService)
        }
        let status: Status = answer.isComplete ? .successfulOkEventsComplete : .successfulOk
        var reply = exchange.request.message.reply(status, groups: answer.groups)
        reply.groups[0].append("printer-up-time", .seconds(clock()))
        if !answer.isComplete {
            // A client that waits, or that did not receive all notifications, can repeat the request soon.
            let interval = mayWait || answer.hasMore ? 1 : Self.eventLife
            reply.groups[0].append("notify-get-interval", .integer(Int32(interval)))
        }
        if answer.missingThrough > 0 { reply.groups[0].append(.missing(through: answer.missingThrough)) }
        return reply
    }

    /// Returns the requested subscriptions, each with its lowest requested sequence number.
    private func subscriptionsWanted(
        _ exchange: Exchange, at subscriptionService: SubscriptionService
    ) throws(IPPFailure) -> [(id: Int, from: Int)] {
        guard let ids = exchange.attributes["notify-subscription-ids"]?.values.compactMap(\.intValue), !ids.isEmpty
        else { throw .badRequest("Get-Notifications requires notify-subscription-ids") }
        let numbers = exchange.attributes["notify-sequence-numbers"]?.values.compactMap(\.intValue) ?? []
        var wanted: [(id: Int, from: Int)] = []
        for (index, id) in ids.unique.enumerated() {
            _ = try ownSubscription(Int(id), exchange, at: subscriptionService)
            wanted.append((Int(id), max(1, index < numbers.count ? Int(numbers[index]) : 1)))
        }
        return wanted
    }

    private struct Collected {
        var groups: [AttributeGroup] = []
        var hasMore = false
        var isComplete = true
        var missingThrough = 0
    }

    private func collect(
        _ wanted: [(id: Int, from: Int)], at subscriptionService: SubscriptionService
    ) async throws -> Collected {
        var collected = Collected()
        for (id, number) in wanted {
            let room = Self.mostNotifications - collected.groups.count
            // A subscription that was canceled during the wait has no more notifications.
            guard let subscription = subscriptionService.subscription(id),
                let pendingNotifications = try await subscriptionService.pendingNotifications(
                    id, from: number, limit: room)
            else { continue }
            collected.groups += pendingNotifications.notifications.map { $0.group(of: subscription) }
            collected.hasMore = collected.hasMore || pendingNotifications.hasMore
            collected.isComplete = collected.isComplete && pendingNotifications.isComplete
            if subscription.wish.attributes.contains("printq-event-number") {
                collected.missingThrough = max(collected.missingThrough, pendingNotifications.missingThrough)
            }
        }
        return collected
    }
}
