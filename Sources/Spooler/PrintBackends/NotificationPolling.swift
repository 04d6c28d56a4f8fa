// Whether a printer that speaks IPP tells of its jobs, and when to ask it again.

import PrintModel

/// How one printer tells of the job that it has in hand, and what to do next to be told.
///
/// A value without clock and socket. Being told only makes things quicker: a printer that knows no subscriptions, forgets
/// them, tells nothing, or tells nonsense is looked at again and again as if there were none.
struct NotificationPolling: Sendable {
    /// What to do next.
    enum Step: Hashable, Sendable {
        /// Wait, and look at the job then.
        case rest
        /// Ask for a subscription to the job's events.
        case subscribe
        /// Ask that the subscription may last longer.
        case renew(subscription: Int32, lease: Int32)
        /// Wait for notifications from a number on.
        case listen(subscription: Int32, from: Int32, atMost: Duration)
    }

    /// What came of it.
    enum Answer: Hashable, Sendable {
        /// There is a subscription; its lease in seconds, if it has one.
        case subscribed(Int32, lease: Int32?)
        /// The lease was renewed.
        case renewed
        /// Something has happened, up to the notification of that number.
        case news(upTo: Int32)
        /// Nothing has happened; the printer wants to be asked again after that many seconds.
        case nothing(interval: Int32)
        /// The printer let us wait as long as we would.
        case silence
        /// The printer does not know the subscription any more.
        case forgotten
        /// It went wrong, and may go well later.
        case failed
        /// The printer has no such thing.
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
    /// How much longer the printer is only looked at.
    private var deafFor = Duration.zero
    /// Whether it has ever told of something.
    private var isProven = false
    private var waitedInVain = false
    // How often in a row: what it told was not seen, what was seen it had not told, it failed, it forgot.
    private var falseAlarms = 0
    private var missed = 0
    private var failures = 0
    private var subscriptionsInVain = 0

    /// A job that is over sooner than this between two looks needs no subscription.
    static let worthwhilePause = Duration.milliseconds(200)
    /// How long to wait for the word of a printer that has told before.
    static let patience = Duration.seconds(10)
    /// How long to wait for the word of a printer that has not.
    static let caution = Duration.seconds(2)
    /// How long a printer that tells badly is not asked to again.
    static let disregard = Duration.seconds(600)

    /// What to do next about a job that would otherwise be looked at after a pause.
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
        let limit = isProven ? Self.patience : Self.caution
        self.subscription?.age += limit
        return .listen(subscription: subscription.id, from: subscription.next, atMost: limit)
    }

    /// Takes note of an answer.
    mutating func heard(_ answer: Answer) {
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

    /// Takes note of how a job was seen to be, whether that had been told or not.
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
