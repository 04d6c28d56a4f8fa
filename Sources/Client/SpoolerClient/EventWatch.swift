// Follows the event log: subscribes, waits for events, and continues after printd restarts.

import IPP
import IPPClient
import PrintModel

/// A request for events: the selection of the events to deliver.
package struct WatchRequest: Sendable {
    /// The name of the printer whose events are delivered; nil for all printers.
    package var printer: String?
    /// The numbers of the jobs whose events are delivered; empty for all jobs and printers.
    package var jobs: [Int]
    /// The event number after which the delivery begins; nil to deliver only new events.
    package var after: Int?
    /// Whether to deliver printer events even if the request contains job numbers.
    var tellsOfPrinters = false
    /// The polling interval if printd refuses a subscription.
    ///
    /// If the value is nil, a refused subscription causes an error.
    var comesByEvery: Duration?

    package init(printer: String? = nil, jobs: [Int] = [], after: Int? = nil) {
        self.printer = printer
        self.jobs = jobs
        self.after = after
    }
}

/// A client that follows the event log of a spooler.
///
/// The subscription exists only in printd's memory and is lost when printd ends. Event numbers are persistent. After a
/// restart of printd, a new subscription begins after the last delivered event, so that no event is missed or repeated.
package struct EventWatch: Sendable {
    private let queue: Spooler
    private let request: WatchRequest
    private let pause: @Sendable (Duration) async throws -> Void
    private let notice: @Sendable (EventNotice) -> Void

    /// Creates a client for the events of a request.
    ///
    /// - Parameters:
    ///   - pause: The function that waits for a duration. The function throws an error if the task is canceled.
    ///   - notice: The function that is called after a change of the connection, and before the events that follow
    ///     missing events are delivered.
    package init(
        _ queue: Spooler, _ request: WatchRequest,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        notice: @escaping @Sendable (EventNotice) -> Void
    ) {
        (self.queue, self.request, self.pause, self.notice) = (queue, request, pause, notice)
    }

    /// The step that follows a delivery of events.
    package enum Step: Sendable {
        /// The step that waits for new events.
        case wait
        /// The step that delivers the remaining past events, and then ends the delivery without waiting for new events.
        case catchUp
        /// The step that ends the delivery immediately.
        case stop
    }

    /// The position in the event log, and the state of the subscription.
    private struct Place {
        var subscription: Int?
        /// The number of the last delivered event.
        ///
        /// Before the first delivery, the value is the number of the event after which the delivery begins; nil to
        /// deliver only new events.
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
    /// - Parameter onNews: The function that receives events and returns the next step. The first call has no events
    ///   and means that the subscription is active. Each further call has the events of one response of printd. The
    ///   array is empty after a timeout or a lost connection.
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
    /// If printd is not running, this function starts printd.
    private func begin(_ place: inout Place) async throws(SpoolerClientError) {
        let creation = creation(after: place.event)
        try take(
            try await finished { () async throws(SpoolerClientError) in
                try await queue.exchange(creation, isRepeatable: true)
            }, &place)
    }

    /// Creates a subscription that begins after the last delivered event.
    ///
    /// If printd is not running, this function waits until another program has started printd.
    ///
    /// This function does not start printd, because a user might have stopped printd on purpose.
    private func resume(_ place: inout Place) async throws(SpoolerClientError) {
        let creation = creation(after: place.event)
        let answer: Message
        do throws(IPPClientError) {
            answer = try await finished { () async throws(IPPClientError) in try await queue.client.send(creation) }
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
        if place.hasGone { notice(.reconnected(after: place.event ?? 0)) }
        (place.hasGone, place.delay) = (false, Place.shortest)
    }

    private func noteAbsence(_ place: inout Place) {
        if !place.hasGone { notice(.lost) }
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
                throw SpoolerClientError(
                    .temporary, "printd refused the subscription: too many subscriptions; try again later")
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

    /// Returns the events that printd has stored since the last delivery.
    ///
    /// If there are no past events and `waits` is true, the function waits for new events until printd's timeout.
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

    /// Cancels the subscription.
    ///
    /// printd can then delete the subscription before its lease expires.
    private func unsubscribe(_ place: Place) async {
        guard let subscription = place.subscription else { return }
        let attribute = Attribute("notify-subscription-id", .integer(Int32(clamping: subscription)))
        let request = Message.request(.cancelSubscription, user: queue.user, attributes: [attribute])
        _ = try? await finished { () async throws(IPPClientError) in try await queue.client.send(request) }
    }

    /// Performs a request to its end even if the current task is canceled.
    ///
    /// Without its response, the number of a new subscription would be unknown, and the subscription could not be
    /// canceled. So that a silent printd does not delay the end of the program for long, the request is canceled a
    /// second after the current task.
    private func finished<Failure>(
        _ request: @escaping @Sendable () async throws(Failure) -> Message
    ) async throws(Failure) -> Message {
        let task = Task.detached { () async -> Result<Message, Failure> in
            do throws(Failure) { return .success(try await request()) } catch { return .failure(error) }
        }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task.detached {
                try? await Task.sleep(for: .seconds(1))
                task.cancel()
            }
        }.get()
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
                Attribute(
                    "notify-attributes",
                    ["printq-event-number", "job-impressions", "job-state-message"].map { .keyword($0) }),
            ])
        if let event { group.append("printq-events-after", .integer(Int32(clamping: event))) }
        if !request.jobs.isEmpty {
            group.append(Attribute("printq-job-ids", request.jobs.map { .integer(Int32(clamping: $0)) }))
        }
        message.groups.append(group)
        return message
    }

    /// The types of job events that are requested if the request contains job numbers.
    private static let jobEvents = [
        "job-state-changed", "job-created", "job-completed", "job-stopped", "job-progress", "job-config-changed",
    ]

    /// The types of printer events that explain why a job is waiting.
    private static let printerEvents = ["printer-state-changed", "printer-config-changed"]

    /// The lease of a subscription, in seconds.
    ///
    /// printd deletes the subscription when the lease expires, so that no subscription of a killed client remains. A
    /// running client then creates a new subscription after the last delivered event.
    private static let lease: Int32 = 600

    private func noteMissing(_ group: AttributeGroup?, _ place: Place) {
        guard let through = group?.integer("printq-events-missing-through") else { return }
        notice(.missing(through: Int(through)))
    }

    private static func mayPass(_ error: IPPClientError) -> Bool {
        [.unreachable, .connectionLost, .timedOut].contains(error.code)
    }
}
