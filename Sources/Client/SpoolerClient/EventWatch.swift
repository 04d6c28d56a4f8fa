// Follows the event log: subscribes, waits for events, and continues after printd restarts.

import IPP
import IPPClient
import PrintModel

/// The events to watch.
package struct WatchRequest: Sendable {
    /// The printer; nil for all printers.
    package var printer: String?
    /// The jobs; empty for all jobs and printers.
    package var jobs: [Int]
    /// The number of the event to begin after; nil to deliver only new events.
    package var after: Int?
    /// Whether to deliver printer events even if jobs are named.
    var tellsOfPrinters = false
    /// The polling interval if printd refuses a subscription; nil to fail instead.
    var comesByEvery: Duration?

    /// Creates a request.
    package init(printer: String? = nil, jobs: [Int] = [], after: Int? = nil) {
        self.printer = printer
        self.jobs = jobs
        self.after = after
    }
}

/// A watch that follows the event log of a spooler.
///
/// The subscription exists only in printd's memory and is lost when printd ends. Event numbers are persistent: after
/// printd restarts, a new subscription begins after the last delivered event. No event is missed or repeated.
package struct EventWatch: Sendable {
    private let queue: Spooler
    private let request: WatchRequest
    private let pause: @Sendable (Duration) async throws -> Void
    private let notice: @Sendable (String) -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - pause: Waits for a duration; throws if the task is canceled.
    ///   - notice: Reports problems that are not events.
    package init(
        _ queue: Spooler, _ request: WatchRequest,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        notice: @escaping @Sendable (String) -> Void
    ) {
        (self.queue, self.request, self.pause, self.notice) = (queue, request, pause, notice)
    }

    /// The next step of a watch after a delivery of events.
    package enum Step: Sendable {
        /// The watch waits for new events.
        case wait
        /// The watch delivers past events, then ends.
        case catchUp
        /// The watch ends immediately.
        case stop
    }

    /// The state of the watch.
    private struct Place {
        var subscription: Int?
        /// The number of the last delivered event; before the first delivery, the number of the event to begin after.
        var event: Int?
        /// The sequence number of the subscription's next notification.
        var next = 1
        /// Whether the connection to printd was lost.
        var hasGone = false
        /// The delay before the next attempt to reach printd.
        var delay = Self.shortest

        static let shortest = Duration.milliseconds(100)
    }

    /// Delivers events until `onNews` returns `.stop` or the task is canceled.
    ///
    /// - Parameter onNews: Called once when printd records all later events for this watch, then with the events of
    ///   each response of printd. The array is empty if the wait timed out or the connection was lost. Returns the next
    ///   step.
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

    // MARK: - Requests to printd

    /// Creates the first subscription.
    ///
    /// Starts printd if it is not running.
    private func begin(_ place: inout Place) async throws(SpoolerClientError) {
        try take(try await queue.exchange(creation(after: place.event), isRepeatable: true), &place)
    }

    /// Creates a subscription that begins after the last delivered event.
    ///
    /// Waits if printd is not running.
    ///
    /// This function does not start printd, because a user may have stopped it on purpose.
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
        if place.hasGone { notice("reconnected to printd; continuing after event \(place.event ?? 0)") }
        (place.hasGone, place.delay) = (false, Place.shortest)
    }

    private func noteAbsence(_ place: inout Place) {
        if !place.hasGone { notice("lost the connection to printd; waiting until printd is running again") }
        (place.hasGone, place.subscription) = (true, nil)
    }

    private func take(_ answer: Message, _ place: inout Place) throws(SpoolerClientError) {
        let group = answer[.subscription]
        guard let id = group?.integer("notify-subscription-id") else {
            if request.comesByEvery != nil { return }
            if group?["printq-events-after"] != nil, let after = place.event {
                throw SpoolerClientError(.usage, "event \(after) does not exist yet; omit --after to see new events")
            }
            if group?.integer("notify-status-code") == Int32(Status.clientErrorTooManySubscriptions.rawValue) {
                throw SpoolerClientError(.temporary, "too many subscriptions; try again later")
            }
            throw answer.status.isSuccess
                ? SpoolerClientError(.badAnswer, "printd did not create a subscription; see 'printq doctor'")
                : SpoolerClientError(refusal: answer)
        }
        place.subscription = Int(id)
        place.next = 1
        place.event = place.event ?? group?.integer("printq-event-number").map(Int.init)
        noteMissing(group, place)
    }

    /// Returns past events, or waits for new events until printd's timeout.
    ///
    /// Returns an empty array if the subscription has ended.
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
            // printd does not accept waiting requests, or has stopped accepting them.
            try? await pause(.seconds(seconds))
        }
        // The lease has expired, or printd has been restarted.
        if [.clientErrorNotFound, .successfulOkEventsComplete].contains(answer.status) { place.subscription = nil }
        return events
    }

    /// Cancels the subscription, so that printd can delete it before its lease expires.
    private func unsubscribe(_ place: Place) async {
        guard let subscription = place.subscription else { return }
        let attribute = Attribute("notify-subscription-id", .integer(Int32(clamping: subscription)))
        let request = Message.request(.cancelSubscription, user: queue.user, attributes: [attribute])
        // Send the request from a detached task, because the current task may be canceled.
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

    /// The events to subscribe to if jobs are named.
    private static let jobEvents = [
        "job-state-changed", "job-created", "job-completed", "job-stopped", "job-progress", "job-config-changed",
    ]

    /// The printer events that explain why a job is waiting.
    private static let printerEvents = ["printer-state-changed", "printer-config-changed"]

    /// The lease in seconds.
    ///
    /// printd deletes the subscription of a killed client when the lease expires. A running client renews the lease.
    private static let lease: Int32 = 600

    private func noteMissing(_ group: AttributeGroup?, _ place: Place) {
        guard let through = group?.integer("printq-events-missing-through") else { return }
        notice("some events up to \(through) are missing: they were deleted with their jobs")
    }

    private static func mayPass(_ error: IPPClientError) -> Bool {
        [.unreachable, .connectionLost, .timedOut].contains(error.code)
    }
}
