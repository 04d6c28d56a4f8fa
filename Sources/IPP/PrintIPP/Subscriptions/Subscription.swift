// One client's wish to be told of events, and how far it has been told.

package import PrintModel

/// A subscription (RFC 3995 §5): what somebody wants to be told of, and how far they have been told.
///
/// Nothing is queued for it. Its notifications are found in the log when they are asked for, and numbered from 1 as they
/// are found; marks hold on to which number stood where in the log, so that asking again gives the same numbers.
package struct Subscription: Sendable {
    /// Its number (`notify-subscription-id`).
    package let id: Int
    /// What was asked for.
    package var wish: SubscriptionRequest
    /// When it ends unless it is renewed.
    package var expiresAt: UnixTime

    /// Where the numbers stood at places of the log, in order; the first is where the subscription began.
    package private(set) var marks: [Mark]

    /// A place in the log, and what had been numbered by then.
    package struct Mark: Hashable, Sendable {
        /// The number of the event in the log.
        package var event: Int
        /// The number of the last notification up to there (`notify-sequence-number`); 0 for none.
        package var number = 0
        /// When progress was last told; nil for never.
        package var progressAt: UnixTime?
        /// Whether the job of the subscription had ended.
        package var hasEnded = false
    }

    /// How many marks are kept: so many answers back the numbers stay the same.
    package static let mostMarks = 32

    /// A subscription that begins after an event of the log.
    package init(id: Int, wish: SubscriptionRequest, after event: Int, expiresAt: UnixTime) {
        (self.id, self.wish, self.expiresAt) = (id, wish, expiresAt)
        marks = [Mark(event: event)]
    }

    /// How far the log has been read for it.
    package var last: Mark { marks[marks.count - 1] }

    /// The place in the log after which the notification of a number is to be looked for.
    package func mark(before number: Int) -> Mark { marks.last { $0.number < number } ?? marks[0] }

    /// Passes over an event of the log: its notification, when it is one for this subscription.
    package func notification(of event: JobEvent, at mark: inout Mark) -> Notification? {
        if let known = marks.last(where: { $0.event < event.sequence }), known.number > mark.number {
            mark.number = known.number  // some of those before were removed from the log meanwhile
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

    /// Notes how far the log has been read.
    package mutating func note(_ mark: Mark) {
        guard mark.event > last.event else { return }
        // Where nothing was found the place alone moves; where the subscription began is one to come back to.
        if mark.number == last.number, marks.count > 1 {
            marks[marks.count - 1] = mark
        } else {
            marks.append(mark)
        }
        if marks.count > Self.mostMarks { marks.remove(at: 1) }
    }
}

/// An event, as one subscription is told of it.
package struct Notification: Hashable, Sendable {
    /// Its number in the subscription (`notify-sequence-number`).
    package var number: Int
    /// The subscribed event (`notify-subscribed-event`).
    package var keyword: String
    /// What happened.
    package var event: JobEvent
}

/// What a subscription is asked for with (RFC 3995 §5.3).
package struct SubscriptionRequest: Sendable {
    /// Who asks (`notify-subscriber-user-name`).
    package var subscriber: String
    /// The events.
    package var filter: EventFilter
    /// The printer's URI as the client names it (`notify-printer-uri`).
    package var printerURI: String
    /// How URIs are given back.
    var target: RequestTarget
    /// The job it belongs to; nil for one of a printer's (`notify-job-id`).
    package var jobID: Int?
    /// The lease in seconds (`notify-lease-duration`).
    package var lease = Self.defaultLease
    /// What comes with every notification (`notify-user-data`).
    package var userData: [UInt8] = []
    /// The least seconds between two notifications of progress (`notify-time-interval`).
    package var progressInterval = 0
    /// What every notification tells beyond what it must (`notify-attributes`).
    package var attributes: Set<String> = []
    /// After which event of the log it begins (`printq-events-after`); nil for the newest.
    package var after: Int?

    /// A wish for some events.
    package init(subscriber: String, filter: EventFilter, printerURI: String = "", jobID: Int? = nil) {
        self.init(subscriber: subscriber, filter: filter, printerURI: printerURI, target: RequestTarget(), jobID: jobID)
    }

    init(subscriber: String, filter: EventFilter, printerURI: String, target: RequestTarget, jobID: Int?) {
        self.subscriber = subscriber
        self.filter = filter
        self.printerURI = printerURI
        self.target = target
        self.jobID = jobID
    }

    /// The lease when none is asked for: a day.
    package static let defaultLease = 86_400
    /// The longest lease: a week.
    static let longestLease = 604_800
    /// What can be asked for in `notify-attributes`.
    static let supportedAttributes = ["job-impressions", "printq-event-number"]
}
