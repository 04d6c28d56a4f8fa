// Follows the event log: subscribes, waits, and goes on where it was when printd comes back.

import IPP
import IPPClient
import PrintModel
package import PrintQueue

/// What to watch.
package struct WatchRequest: Sendable {
    /// The printer; nil for all.
    package var printer: String?
    /// The jobs; empty for all, and then printers' events too.
    package var jobs: [Int]
    /// After which event to begin; nil for the newest, so that only what is to come is told.
    package var after: Int?

    /// A request.
    package init(printer: String? = nil, jobs: [Int] = [], after: Int? = nil) {
        self.printer = printer
        self.jobs = jobs
        self.after = after
    }
}

/// Follows the log of a queue.
///
/// The subscription lives in printd's memory and ends with it. The numbers of the log do not: after a restart a new
/// subscription begins after the last event that was told, so that nothing is missed and nothing comes twice.
package struct EventWatch: Sendable {
    private let queue: Queue
    private let request: WatchRequest
    private let pause: @Sendable (Duration) async throws -> Void
    private let notice: @Sendable (String) -> Void

    /// A watch over a queue.
    ///
    /// - Parameters:
    ///   - pause: waits a moment; throws when the task is cancelled.
    ///   - notice: says what the reader should know beside the events.
    package init(
        _ queue: Queue, _ request: WatchRequest,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        notice: @escaping @Sendable (String) -> Void
    ) {
        (self.queue, self.request, self.pause, self.notice) = (queue, request, pause, notice)
    }

    /// Where the watch is.
    private struct Place {
        var subscription: Int?
        /// The last event that was told, or after which it all began.
        var event: Int?
        /// The number of the subscription's next notification.
        var next = 1
        /// Whether printd broke off the conversation.
        var hasGone = false
    }

    /// Tells every event until there are enough, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - onStart: called once, when no event can be missed any more; false to be told only what has happened already.
    ///   - onEvent: called for each event; false when it was the last one to wait for.
    package func run(
        onStart: () async throws(CommandError) -> Bool, onEvent: (EventView) throws(CommandError) -> Bool
    ) async throws(CommandError) {
        var place = Place(event: request.after)
        do throws(CommandError) {
            try await begin(&place)
            let waits = try await onStart()
            var isOver = false
            while !isOver, !Task.isCancelled {
                if place.subscription == nil { try await resume(&place) }
                let events = try await events(&place, waits: waits)
                for event in events where !isOver { isOver = try !onEvent(event) && waits }
                if !waits, events.isEmpty, place.subscription != nil { isOver = true }
            }
        } catch {
            await unsubscribe(place)
            throw error
        }
        await unsubscribe(place)
    }

    // MARK: - The conversation

    /// Makes the first subscription; starts printd when nobody answers.
    private func begin(_ place: inout Place) async throws(CommandError) {
        let creation = creation(after: place.event)
        var attempts = 0
        while true {
            let answer: Message
            do throws(IPPClientError) {
                answer = try await queue.client.send(creation)
            } catch {
                attempts += 1
                guard attempts < 3, [.unreachable, .connectionLost].contains(error.code) else {
                    throw CommandError(error)
                }
                try queue.start()
                continue
            }
            return try take(answer, &place)
        }
    }

    /// Makes a subscription that begins where the last one ended; waits for printd when it has gone.
    ///
    /// It does not start printd: whoever ended it may have meant to.
    private func resume(_ place: inout Place) async throws(CommandError) {
        let creation = creation(after: place.event)
        var delay = Duration.milliseconds(100)
        var hasGone = place.hasGone
        place.hasGone = false
        if hasGone { notice("printd has gone; waiting until it is back") }
        while true {
            let answer: Message
            do throws(IPPClientError) {
                answer = try await queue.client.send(creation)
            } catch {
                if error.code == .canceled { return }
                guard Self.mayPass(error) else { throw CommandError(error) }
                if !hasGone { notice("printd has gone; waiting until it is back") }
                hasGone = true
                guard (try? await pause(delay)) != nil else { return }
                delay = min(delay * 2, .seconds(1))
                continue
            }
            try take(answer, &place)
            if hasGone { notice("printd is back; going on after event \(place.event ?? 0)") }
            return
        }
    }

    private func take(_ answer: Message, _ place: inout Place) throws(CommandError) {
        let group = answer[.subscription]
        guard let id = group?.integer("notify-subscription-id") else {
            if group?["printq-events-after"] != nil, let after = place.event {
                throw CommandError(.usage, "there is no event \(after) yet; leave --after away to see what comes")
            }
            if group?.integer("notify-status-code") == Int32(Status.clientErrorTooManySubscriptions.rawValue) {
                throw CommandError(.temporary, "too many watch the queue already; try again later")
            }
            throw answer.status.isSuccess
                ? CommandError(.badAnswer, "printd gave no subscription; see 'printq doctor'")
                : CommandError(refusal: answer)
        }
        place.subscription = Int(id)
        place.next = 1
        place.event = place.event ?? group?.integer("printq-event-number").map(Int.init)
        noteMissing(group, place)
    }

    /// The events that have happened, or happen within printd's patience; none when the subscription is gone.
    private func events(_ place: inout Place, waits: Bool) async throws(CommandError) -> [EventView] {
        guard let subscription = place.subscription else { return [] }
        let asking = Message.request(
            .getNotifications, user: queue.user,
            attributes: [
                Attribute("notify-subscription-ids", .integer(Int32(clamping: subscription))),
                Attribute("notify-sequence-numbers", .integer(Int32(clamping: place.next))),
                Attribute("notify-wait", .boolean(waits)),
            ])
        let answer: Message
        do throws(IPPClientError) {
            answer = try await queue.client.send(asking)
        } catch {
            guard Self.mayPass(error) || error.code == .canceled else { throw CommandError(error) }
            if error.code != .canceled {
                place.subscription = nil
                place.hasGone = true
            }
            return []
        }
        // Its lease is over, or printd has been started anew.
        if answer.status == .clientErrorNotFound || answer.status == .successfulOkEventsComplete {
            place.subscription = nil
        } else if !answer.status.isSuccess {
            throw CommandError(refusal: answer)
        }
        noteMissing(answer[.operation], place)
        let events = answer.groups(.eventNotification).map(EventView.init)
        if let last = events.last {
            (place.event, place.next) = (last.number, last.sequenceNumber + 1)
        }
        return events
    }

    /// Ends the subscription, so that printd can forget it; without it the lease would end it.
    private func unsubscribe(_ place: Place) async {
        guard let subscription = place.subscription else { return }
        let attribute = Attribute("notify-subscription-id", .integer(Int32(clamping: subscription)))
        let request = Message.request(.cancelSubscription, user: queue.user, attributes: [attribute])
        // Also when the watch was cancelled: this is sent by a task that was not.
        let client = queue.client
        await Task.detached { _ = try? await client.send(request) }.value
    }

    private func creation(after event: Int?) -> Message {
        var message = Message.request(.createPrinterSubscriptions, printer: request.printer, user: queue.user)
        var group = AttributeGroup(
            .subscription,
            [
                Attribute("notify-pull-method", .keyword("ippget")),
                Attribute("notify-events", (request.jobs.isEmpty ? ["all"] : Self.jobEvents).map { .keyword($0) }),
                Attribute("notify-lease-duration", .integer(Self.lease)),
                Attribute("notify-attributes", .keyword("printq-event-number"), .keyword("job-impressions")),
            ])
        if let event { group.append("printq-events-after", .integer(Int32(clamping: event))) }
        if !request.jobs.isEmpty {
            group.append(Attribute("printq-job-ids", request.jobs.map { .integer(Int32(clamping: $0)) }))
        }
        message.groups.append(group)
        return message
    }

    /// Whoever names jobs wants to hear of these and not of printers.
    private static let jobEvents = [
        "job-state-changed", "job-created", "job-completed", "job-stopped", "job-progress", "job-config-changed",
    ]

    /// Seconds that printd remembers a watch that was killed; one that lives makes a new subscription in time.
    private static let lease: Int32 = 600

    private func noteMissing(_ group: AttributeGroup?, _ place: Place) {
        guard let through = group?.integer("printq-events-missing-through") else { return }
        notice("some events up to \(through) are not kept any more: they went with their jobs")
    }

    private static func mayPass(_ error: IPPClientError) -> Bool {
        [.unreachable, .connectionLost, .timedOut].contains(error.code)
    }
}
