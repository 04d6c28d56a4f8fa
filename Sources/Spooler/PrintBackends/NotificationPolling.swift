// Decides when to use event notifications of a printer and when to poll.

import PrintModel

/// The state machine for the notifications of one printer about its current job.
///
/// The type uses no clock and no socket. Notifications only reduce the time until the spooler detects a change. If a
/// printer does not support subscriptions, loses subscriptions, sends no notifications, or sends wrong notifications,
/// the spooler polls the printer.
struct NotificationPolling: Sendable {
    /// The next action of the spooler while a job is at the printer: a request or a wait.
    enum Step: Hashable, Sendable {
        /// A wait, and then a status request for the job.
        case rest
        /// A request for a subscription to the job's events.
        case subscribe
        /// A request to renew the subscription for `lease` seconds.
        case renew(subscription: Int32, lease: Int32)
        /// A request for notifications with sequence numbers from `from` on, with the timeout `atMost`.
        case listen(subscription: Int32, from: Int32, atMost: Duration)
    }

    /// The result of a `Step`.
    enum Answer: Hashable, Sendable {
        /// A created subscription.
        ///
        /// The lease is in seconds; nil means no limit.
        case subscribed(Int32, lease: Int32?)
        /// A renewed lease.
        case renewed
        /// Received notifications with sequence numbers up to `upTo`.
        case news(upTo: Int32)
        /// A response without notifications.
        ///
        /// The printer requests a wait of `interval` seconds before the next request.
        case nothing(interval: Int32)
        /// A wait that timed out without a response.
        case silence
        /// A subscription that no longer exists at the printer.
        case forgotten
        /// A failed request, after which a later request may succeed.
        case failed
        /// A printer that does not support notifications.
        case refused
    }

    private struct Subscription: Sendable {
        var id: Int32
        var lease: Int32?
        var age = Duration.zero
        var next: Int32 = 1
    }

    private var job: RemoteJob?
    private var last: RemoteJobStatus?
    private var subscription: Subscription?
    /// The remaining time in which the spooler only polls the printer, without requests for notifications.
    private var deafFor = Duration.zero
    /// Whether the printer has sent a notification since the start, or since the last call of `ignore()`.
    private var isProven = false
    private var waitedInVain = false
    // The numbers of consecutive notifications without a visible change, changes without a notification, failed
    // requests, and lost subscriptions.
    private var falseAlarms = 0
    private var missed = 0
    private var failures = 0
    private var subscriptionsInVain = 0

    /// The minimum polling interval at which a subscription is useful.
    static let worthwhilePause = Duration.milliseconds(200)
    /// The time to wait for a notification if the printer has already sent a notification.
    static let timeout = Duration.seconds(10)
    /// The time to wait for a notification if the printer has not sent a notification yet.
    static let caution = Duration.seconds(2)
    /// The time for which the spooler only polls a printer whose notifications are unreliable or unsupported.
    static let disregard = Duration.seconds(600)

    /// Returns the next action for a job whose polling interval without notifications is `pause`.
    mutating func step(for job: RemoteJob, pause: Duration) -> Step {
        if self.job != job { begin(job) }
        if deafFor > .zero {
            deafFor -= pause
            return .rest
        }
        guard let subscription else {
            guard pause >= Self.worthwhilePause else { return .rest }
            subscriptionsInVain += 1
            guard subscriptionsInVain <= 3 else {
                ignore()
                return .rest
            }
            return .subscribe
        }
        if let lease = subscription.lease, subscription.age > .seconds(lease) / 2 {
            return .renew(subscription: subscription.id, lease: lease)
        }
        let limit = isProven ? Self.timeout : Self.caution
        self.subscription?.age += limit
        return .listen(subscription: subscription.id, from: subscription.next, atMost: limit)
    }

    /// Processes the result of an action.
    mutating func received(_ answer: Answer) {
        if answer != .failed { failures = 0 }
        switch answer {
        case .subscribed(let id, let lease):
            subscription = Subscription(id: id, lease: lease.flatMap { $0 > 0 ? $0 : nil })
        case .renewed: subscription?.age = .zero
        case .news(let number):
            isProven = true
            subscriptionsInVain = 0
            subscription?.next = number == .max ? 1 : number + 1
            falseAlarms += 1
            if falseAlarms >= 20 { ignore() }
        case .nothing(let interval): deafFor = .seconds(min(max(interval, 1), 60))
        case .silence: waitedInVain = true
        case .forgotten: subscription = nil
        case .failed:
            failures += 1
            deafFor = .seconds(5 * failures)
            if failures >= 3 { ignore() }
        case .refused: ignore()
        }
    }

    /// Processes the polled status of a job, and counts status changes that the printer did not announce by a
    /// notification.
    mutating func looked(at status: RemoteJobStatus?, of job: RemoteJob) {
        guard self.job == job else { return }
        if let last, status != last {
            falseAlarms = 0
            if waitedInVain { missed += 1 }
            if missed >= 2 { ignore() }
        }
        waitedInVain = false
        last = status
        if status?.state.isTerminal != false { begin(nil) }
    }

    private mutating func begin(_ job: RemoteJob?) {
        (self.job, last, subscription) = (job, nil, nil)
        (waitedInVain, falseAlarms, subscriptionsInVain) = (false, 0, 0)
    }

    private mutating func ignore() {
        (subscription, isProven, deafFor) = (nil, false, Self.disregard)
        (falseAlarms, missed, failures, subscriptionsInVain) = (0, 0, 0, 0)
    }
}
