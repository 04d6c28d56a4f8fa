// A subscription and its position in the event log.

package import PrintModel

/// A subscription (RFC 3995 §5): the requested events, and the position up to which events have been reported.
///
/// There is no queue of notifications. Each Get-Notifications request reads the notifications from the log and numbers
/// the notifications from 1.
///
/// Marks record the notification numbers at some positions of the log. Therefore a repeated request receives the same
/// numbers.
package struct EventSubscription: Sendable {
    /// The number of the subscription (`notify-subscription-id`).
    package let id: Int
    /// The request that created the subscription.
    package var wish: SubscriptionRequest
    package var expiresAt: UnixTime

    /// The recorded positions in the log, in order.
    ///
    /// The first position is the start of the subscription.
    package private(set) var marks: [Mark]

    /// A position in the log, with the notification number at that position.
    package struct Mark: Hashable, Sendable {
        /// The number of the last event up to this position.
        package var event: Int
        /// The number of the last notification up to this position (`notify-sequence-number`); 0 if there is no
        /// notification.
        package var number = 0
        /// The time of the last reported progress, or `nil` if no progress was reported.
        package var progressAt: UnixTime?
        /// Whether the subscribed job has ended at or before this position; false for a printer subscription.
        package var hasEnded = false
    }

    /// The maximum number of marks.
    ///
    /// Each response with notifications adds a mark. If a client repeats one of its latest requests, the marks ensure
    /// that the notifications have the same numbers as before.
    package static let mostMarks = 32

    /// Creates a subscription that begins after an event of the log.
    package init(id: Int, wish: SubscriptionRequest, after event: Int, expiresAt: UnixTime) {
        (self.id, self.wish, self.expiresAt) = (id, wish, expiresAt)
        marks = [Mark(event: event)]
    }

    /// The position up to which the log has been read for the subscription.
    package var last: Mark { marks[marks.count - 1] }

    /// Returns the position after which to search for the notification with the given number.
    package func mark(before number: Int) -> Mark { marks.last { $0.number < number } ?? marks[0] }

    /// Processes the next event of the log, and moves `mark` to this event.
    ///
    /// Returns the notification of the event. The result is nil if the subscription does not include the event, or if
    /// the minimum time between progress notifications has not passed.
    package func notification(of event: JobEvent, at mark: inout Mark) -> Notification? {
        if let known = marks.last(where: { $0.event < event.sequence }), known.number > mark.number {
            mark.number = known.number  // earlier events have been removed from the log
        }
        mark.event = event.sequence
        if event.kind == "job-completed", event.jobID == wish.jobID { mark.hasEnded = true }
        guard let keyword = wish.filter.keyword(for: event) else { return nil }
        if event.kind == "job-progress", wish.progressInterval > 0 {
            if let last = mark.progressAt, (last..<last + Double(wish.progressInterval)).contains(event.time) {
                return nil
            }
            mark.progressAt = event.time
        }
        mark.number += 1
        return Notification(number: mark.number, keyword: keyword, event: event)
    }

    /// Records the position up to which the log has been read.
    package mutating func note(_ mark: Mark) {
        guard mark.event > last.event else { return }
        // If no notification was found, move the last mark. Keep the first mark, which is the start of the
        // subscription.
        if mark.number == last.number, marks.count > 1 {
            marks[marks.count - 1] = mark
        } else {
            marks.append(mark)
        }
        if marks.count > Self.mostMarks { marks.remove(at: 1) }
    }
}

package struct Notification: Hashable, Sendable {
    /// The number of the notification in its subscription (`notify-sequence-number`).
    package var number: Int
    /// The subscribed event (`notify-subscribed-event`).
    package var keyword: String
    package var event: JobEvent
}

/// The requested properties of a subscription (RFC 3995 §5.3).
package struct SubscriptionRequest: Sendable {
    /// The name of the subscriber (`notify-subscriber-user-name`).
    package var subscriber: String
    package var filter: EventFilter
    /// The printer's URI as sent by the client (`notify-printer-uri`).
    package var printerURI: String
    /// The target determines the form of URIs in the responses.
    var target: RequestTarget
    /// The subscribed job (`notify-job-id`), or `nil` for a printer subscription.
    package var jobID: Int?
    /// The granted lease in seconds (`notify-lease-duration`).
    package var lease = Self.defaultLease
    /// Data that every notification contains (`notify-user-data`).
    package var userData: [UInt8] = []
    /// The minimum time, in seconds, between two progress notifications (`notify-time-interval`).
    package var progressInterval = 0
    /// The names of the additional attributes in each notification (`notify-attributes`).
    package var attributes: Set<String> = []
    /// The number of the event after which the subscription begins (`printq-events-after`); `nil` means the newest
    /// event.
    package var after: Int?

    package init(subscriber: String, filter: EventFilter, printerURI: String = "", jobID: Int? = nil) {
        self.init(subscriber: subscriber, filter: filter, printerURI: printerURI, target: RequestTarget(), jobID: jobID)
    }

    init(subscriber: String, filter: EventFilter, printerURI: String, target: RequestTarget, jobID: Int?) {
        (self.subscriber, self.filter, self.printerURI) = (subscriber, filter, printerURI)
        (self.target, self.jobID) = (target, jobID)
    }

    /// The default lease in seconds: one day.
    package static let defaultLease = 86_400
    /// The maximum lease in seconds: one week.
    static let longestLease = 604_800
    static let supportedAttributes = ["job-impressions", "job-state-message", "printq-event-number"]
}
