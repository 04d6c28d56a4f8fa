// Follows the event log: subscribes, waits, and goes on where it was when printd comes back.

import IPP
import IPPClient
import PrintModel

/// What to watch.
package struct WatchRequest: Sendable {
    /// The printer; nil for all.
    package var printer: String?
    /// The jobs; empty for all, and then printers' events too.
    package var jobs: [Int]
    /// After which event to begin; nil for the newest, so that only what is to come is told.
    package var after: Int?
    /// Whether printers' events are told beside those of the jobs that are named.
    var tellsOfPrinters = false
    /// How often to come by without news where printd gives no subscription; nil fails there.
    var comesByEvery: Duration?

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
    private let queue: Spooler
    private let request: WatchRequest
    private let pause: @Sendable (Duration) async throws -> Void
    private let notice: @Sendable (String) -> Void

    /// A watch over a queue.
    ///
    /// - Parameters:
    ///   - pause: waits a moment; throws when the task is cancelled.
    ///   - notice: says what the reader should know beside the events.
    package init(
        _ queue: Spooler, _ request: WatchRequest,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        notice: @escaping @Sendable (String) -> Void
    ) {
        (self.queue, self.request, self.pause, self.notice) = (queue, request, pause, notice)
    }

    /// What a watch does after its reader has heard the news.
    package enum Step: Sendable {
        /// Waits for what comes.
        case wait
        /// Tells what has happened already, and ends.
        case catchUp
        /// Ends.
        case stop
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
        /// How long to wait until printd is looked for again.
        var delay = Self.shortest

        static let shortest = Duration.milliseconds(100)
    }

    /// Tells of events until there are enough, or the task is cancelled.
    ///
    /// - Parameter onNews: called first when no event can be missed any more, then with every answer of printd's: the events,
    ///   or none when its patience was over, or it has gone. Says how to go on.
    package func run(
        onNews: ([EventView]) async throws(SpoolerClientError) -> Step
    ) async throws(SpoolerClientError) {
        var place = Place(event: request.after)
        do throws(SpoolerClientError) {
            try await begin(&place)
            var step = try await onNews([])
            while step != .stop, !Task.isCancelled {
                if place.subscription == nil { try await resume(&place) }
                let events = try await events(&place, waits: step == .wait)
                if step == .catchUp, events.isEmpty, place.subscription != nil { break }
                step = try await onNews(events)
            }
        } catch {
            await unsubscribe(place)
            throw error
        }
        await unsubscribe(place)
    }

    // MARK: - The conversation

    /// Makes the first subscription; starts printd when nobody answers.
    private func begin(_ place: inout Place) async throws(SpoolerClientError) {
        try take(try await queue.exchange(creation(after: place.event), isRepeatable: true), &place)
    }

    /// Makes a subscription that begins where the last one ended; when printd has gone, waits a moment instead.
    ///
    /// It does not start printd: whoever ended it may have meant to.
    private func resume(_ place: inout Place) async throws(SpoolerClientError) {
        let answer: Message
        do throws(IPPClientError) {
            answer = try await queue.client.send(creation(after: place.event))
        } catch {
            if error.code == .canceled { return }
            guard Self.mayPass(error) else { throw SpoolerClientError(error) }
            noteAbsence(&place)
            try? await pause(place.delay)
            place.delay = min(place.delay * 2, .seconds(1))
            return
        }
        try take(answer, &place)
        if place.subscription == nil, let rest = request.comesByEvery { try? await pause(rest) }
        if place.hasGone { notice("printd is back; going on after event \(place.event ?? 0)") }
        (place.hasGone, place.delay) = (false, Place.shortest)
    }

    private func noteAbsence(_ place: inout Place) {
        if !place.hasGone { notice("printd has gone; waiting until it is back") }
        (place.hasGone, place.subscription) = (true, nil)
    }

    private func take(_ answer: Message, _ place: inout Place) throws(SpoolerClientError) {
        let group = answer[.subscription]
        guard let id = group?.integer("notify-subscription-id") else {
            if request.comesByEvery != nil { return }
            if group?["printq-events-after"] != nil, let after = place.event {
                throw SpoolerClientError(.usage, "there is no event \(after) yet; leave --after away to see what comes")
            }
            if group?.integer("notify-status-code") == Int32(Status.clientErrorTooManySubscriptions.rawValue) {
                throw SpoolerClientError(.temporary, "too many watch the queue already; try again later")
            }
            throw answer.status.isSuccess
                ? SpoolerClientError(.badAnswer, "printd gave no subscription; see 'printq doctor'")
                : SpoolerClientError(refusal: answer)
        }
        place.subscription = Int(id)
        place.next = 1
        place.event = place.event ?? group?.integer("printq-event-number").map(Int.init)
        noteMissing(group, place)
    }

    /// The events that have happened, or happen within printd's patience; none when the subscription is gone.
    private func events(_ place: inout Place, waits: Bool) async throws(SpoolerClientError) -> [EventView] {
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
            if error.code == .canceled { return [] }
            guard Self.mayPass(error) else { throw SpoolerClientError(error) }
            noteAbsence(&place)
            return []
        }
        guard answer.status.isSuccess || answer.status == .clientErrorNotFound else {
            throw SpoolerClientError(refusal: answer)
        }
        noteMissing(answer[.operation], place)
        let events = answer.groups(.eventNotification).map(EventView.init)
        if let last = events.last {
            (place.event, place.next) = (last.number, last.sequenceNumber + 1)
        } else if waits, let seconds = answer[.operation]?.integer("notify-get-interval"), seconds > 0 {
            // It does not let us wait, or not any longer.
            try? await pause(.seconds(seconds))
        }
        // Its lease is over, or printd has been started anew.
        if [.clientErrorNotFound, .successfulOkEventsComplete].contains(answer.status) { place.subscription = nil }
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
        let kinds =
            request.jobs.isEmpty ? ["all"] : Self.jobEvents + (request.tellsOfPrinters ? Self.printerEvents : [])
        var group = AttributeGroup(
            .subscription,
            [
                Attribute("notify-pull-method", .keyword("ippget")),
                Attribute("notify-events", kinds.map { .keyword($0) }),
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

    /// Whoever names jobs wants to hear of these.
    private static let jobEvents = [
        "job-state-changed", "job-created", "job-completed", "job-stopped", "job-progress", "job-config-changed",
    ]

    /// What says why a job waits where it does.
    private static let printerEvents = ["printer-state-changed", "printer-config-changed"]

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
