// Where subscriptions are kept while the process lives, and where clients wait for news.

import PrintModel
import AsyncPrimitives
import Synchronization

/// Keeps the subscriptions, reads the log for them, and lets clients wait.
///
/// They live in memory, for as long as their leases: a client that finds its own gone after a restart makes a new one that
/// begins where the old one ended (`printq-events-after`).
final class SubscriptionService: Sendable {
    private struct State {
        var book: SubscriptionTable
        var waiting: [ObjectIdentifier: (ids: Set<Int>, signal: Signal)] = [:]
    }

    /// How many clients may wait for news at once; others are told to come again.
    static let mostWaiting = 256

    private let source: any EventSource
    private let clock: @Sendable () -> UnixTime
    private let state: Mutex<State>

    init(source: any EventSource, limits: SubscriptionTable.Limits, clock: @escaping @Sendable () -> UnixTime) {
        self.source = source
        self.clock = clock
        state = Mutex(
            State(book: SubscriptionTable(firstID: .random(in: 1...Int(Int32.max / 2)), limits: limits)))
    }

    // MARK: - The book

    /// The number of the newest event.
    func latestEvent() async throws(IPPFailure) -> Int { try await source.latestEvent() }

    /// How far the log was cut.
    func purgedThrough() async throws(IPPFailure) -> Int {
        try await source.events(after: .max, limit: 0).purgedThrough
    }

    /// Adds a subscription that begins after an event; nil when there are too many.
    func add(_ wish: SubscriptionRequest, after event: Int) -> Subscription? {
        withBook { book in book.add(wish, after: event, at: clock()) }
    }

    /// The subscription of that number; nil when there is none, or none any more.
    func subscription(_ id: Int) -> Subscription? { withBook { book in book[id] } }

    /// All of them, the one that ends first at first.
    var subscriptions: [Subscription] { withBook { book in book.all } }

    /// Gives one a new lease.
    func renew(_ id: Int, lease: Int) { withBook { book in book.renew(id, lease: lease, at: clock()) } }

    /// Ends one, and whoever waits for it.
    func cancel(_ id: Int) {
        withBook { book in book.cancel(id) }
        for signal in state.withLock({ $0.waiting.values.filter { $0.ids.contains(id) }.map(\.signal) }) {
            signal.give()
        }
    }

    private func withBook<Result: Sendable>(_ body: (inout SubscriptionTable) -> Result) -> Result {
        let now = clock()
        return state.withLock { state in
            state.book.expire(at: now)
            return body(&state.book)
        }
    }

    // MARK: - Notifications

    /// What there is to tell for one subscription.
    struct PendingNotifications: Sendable {
        /// The notifications, oldest first.
        var notifications: [Notification] = []
        /// Whether there are more than were asked for.
        var hasMore = false
        /// Whether nothing will come any more.
        var isComplete = false
        /// Events up to this number are missing from the log, after those told before; 0 when none are.
        var missingThrough = 0
    }

    /// The notifications of a subscription from a number on; nil when there is no such subscription.
    func harvest(_ id: Int, from number: Int, limit: Int) async throws(IPPFailure) -> PendingNotifications? {
        guard let subscription = subscription(id) else { return nil }
        var mark = subscription.mark(before: number)
        var harvest = PendingNotifications()
        while !harvest.hasMore {
            let page = try await source.events(after: mark.event, limit: Self.pageSize)
            if page.purgedThrough > mark.event { harvest.missingThrough = page.purgedThrough }
            for event in page.events {
                guard harvest.notifications.count < limit else {
                    harvest.hasMore = true
                    break
                }
                if let notification = subscription.notification(of: event, at: &mark), notification.number >= number {
                    harvest.notifications.append(notification)
                }
            }
            guard page.events.count == Self.pageSize else { break }
        }
        harvest.isComplete = mark.hasEnded && !harvest.hasMore
        withBook { [mark] book in
            book.note(mark, of: id)
            if subscription.wish.jobID != nil { book.renew(id, lease: subscription.wish.lease, at: clock()) }
        }
        return harvest
    }

    private static let pageSize = 500

    /// Returns when one of the subscriptions has something to tell, has ended, or when it is not worth waiting any more.
    ///
    /// - Parameters:
    ///   - numbers: from which number on, for each subscription.
    ///   - limit: how long to wait at most.
    ///   - hangUp: rings when nobody waits for the answer.
    func wait(
        for numbers: [(id: Int, from: Int)], atMost limit: Duration, hangUp: Signal
    ) async {
        let signal = Signal()
        let key = ObjectIdentifier(signal)
        let maySit = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return false }
            state.waiting[key] = (Set(numbers.map(\.id)), signal)
            return true
        }
        guard maySit else { return }
        defer { _ = state.withLock { $0.waiting.removeValue(forKey: key) } }
        let changes = source.eventChanges()
        await withTaskGroup { group in
            group.addTask { [self] in
                guard await !hasNews(numbers) else { return }
                for await _ in changes where await hasNews(numbers) { return }
            }
            group.addTask { try? await Task.sleep(for: limit) }
            group.addTask { await hangUp.wait() }
            group.addTask { await signal.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Whether there is something to tell; also when that cannot be found out, for then the answer says why.
    private func hasNews(_ numbers: [(id: Int, from: Int)]) async -> Bool {
        for (id, number) in numbers {
            guard let harvest = try? await harvest(id, from: number, limit: 1) else { return true }
            if !harvest.notifications.isEmpty || harvest.isComplete { return true }
        }
        return false
    }
}
