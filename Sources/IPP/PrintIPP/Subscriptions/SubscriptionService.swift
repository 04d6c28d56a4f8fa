// Stores the subscriptions in memory, and lets clients wait for events.

import PrintModel
import AsyncPrimitives
import Synchronization

/// A store of subscriptions.
///
/// The store reads the events of the subscriptions from the log. Clients can wait for events.
///
/// Subscriptions are in memory until their leases end. After a restart, a client that lost its subscription creates a
/// new subscription. With `printq-events-after`, the client selects the event after which the new subscription begins.
final class SubscriptionService: Sendable {
    private struct State {
        var table: SubscriptionTable
        var waiting: [ObjectIdentifier: Waiter] = [:]

        /// Ends a wait of the user with the most waiting clients, so that a client of another user can wait.
        ///
        /// - Returns: False if the other user would then have as many waiting clients.
        mutating func makePlace(for user: String) -> Bool {
            let counts = Dictionary(grouping: waiting.values, by: \.user).mapValues(\.count)
            guard let most = counts.max(by: { $0.value < $1.value }), most.value > counts[user, default: 0] + 1,
                let (key, waiter) = waiting.first(where: { $0.value.user == most.key })
            else { return false }
            waiting[key] = nil
            waiter.signal.give()
            return true
        }
    }

    private struct Waiter {
        var user: String
        var ids: Set<Int>
        var signal: Signal
    }

    /// The maximum number of clients that wait at the same time.
    ///
    /// Additional clients receive a response immediately and must poll. If a user with fewer waiting clients needs a
    /// place, the user with the most waiting clients loses a place.
    static let mostWaiting = 256

    private let source: any EventSource
    private let clock: @Sendable () -> UnixTime
    private let state: Mutex<State>

    init(source: any EventSource, limits: SubscriptionTable.Limits, clock: @escaping @Sendable () -> UnixTime) {
        self.source = source
        self.clock = clock
        state = Mutex(
            State(table: SubscriptionTable(firstID: .random(in: 1...Int(Int32.max / 2)), limits: limits)))
    }

    // MARK: - Subscriptions

    func latestEvent() async throws -> Int { try await source.latestEvent() }

    /// Returns the number of the last event that the log might have removed.
    func purgedThrough() async throws -> Int {
        try await source.events(after: .max, limit: 0).purgedThrough
    }

    /// Returns `nil` if there are too many subscriptions.
    func add(_ wish: SubscriptionRequest, after event: Int) -> EventSubscription? {
        withTable { table in table.add(wish, after: event, at: clock()) }
    }

    /// The result is `nil` if no subscription has this number, or the subscription has ended.
    func subscription(_ id: Int) -> EventSubscription? { withTable { table in table[id] } }

    /// All subscriptions, ordered by the end of their leases.
    var subscriptions: [EventSubscription] { withTable { table in table.all } }

    func renew(_ id: Int, lease: Int) { withTable { table in table.renew(id, lease: lease, at: clock()) } }

    /// Ends a subscription, and wakes the clients that wait for its events.
    func cancel(_ id: Int) {
        withTable { table in table.cancel(id) }
        for signal in state.withLock({ $0.waiting.values.filter { $0.ids.contains(id) }.map(\.signal) }) {
            signal.give()
        }
    }

    private func withTable<Result: Sendable>(_ body: (inout SubscriptionTable) -> Result) -> Result {
        let now = clock()
        return state.withLock { state in
            state.table.expire(at: now)
            return body(&state.table)
        }
    }

    // MARK: - Notifications

    struct PendingNotifications: Sendable {
        /// The pending notifications, oldest first.
        var notifications: [Notification] = []
        /// Whether there are more notifications than requested.
        var hasMore = false
        /// Whether the subscription has ended, so that no more notifications follow.
        var isComplete = false
        /// The number of the last unreported event that is missing from the log; 0 if no events are missing.
        var missingThrough = 0
    }

    /// Returns the notifications of a subscription, starting at the given number, or `nil` if the subscription does not
    /// exist.
    func pendingNotifications(_ id: Int, from number: Int, limit: Int) async throws -> PendingNotifications? {
        guard let subscription = subscription(id) else { return nil }
        var mark = subscription.mark(before: number)
        var pendingNotifications = PendingNotifications()
        while !pendingNotifications.hasMore {
            let page = try await source.events(after: mark.event, limit: Self.pageSize)
            if page.purgedThrough > mark.event { pendingNotifications.missingThrough = page.purgedThrough }
            for event in page.events {
                guard pendingNotifications.notifications.count < limit else {
                    pendingNotifications.hasMore = true
                    break
                }
                if let notification = subscription.notification(of: event, at: &mark), notification.number >= number {
                    pendingNotifications.notifications.append(notification)
                }
            }
            guard page.events.count == Self.pageSize else { break }
        }
        pendingNotifications.isComplete = mark.hasEnded && !pendingNotifications.hasMore
        withTable { [mark] table in
            table.note(mark, of: id)
            if subscription.wish.jobID != nil { table.renew(id, lease: subscription.wish.lease, at: clock()) }
        }
        return pendingNotifications
    }

    private static let pageSize = 500

    /// Waits until a subscription has notifications or has ended, the time limit expires, or the signal `disconnection` fires.
    ///
    /// - Parameters:
    ///   - numbers: Each subscription, with the number of the first requested notification.
    ///   - disconnection: The signal that fires when no client waits for the response anymore.
    func wait(
        _ user: String, for numbers: [(id: Int, from: Int)], atMost limit: Duration, disconnection: Signal
    ) async {
        let signal = Signal()
        let key = ObjectIdentifier(signal)
        let user = GuestName.limited(user)
        let maySit = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting || state.makePlace(for: user) else { return false }
            state.waiting[key] = Waiter(user: user, ids: Set(numbers.map(\.id)), signal: signal)
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
            group.addTask { await disconnection.wait() }
            group.addTask { await signal.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns whether a subscription has notifications or has ended.
    ///
    /// The result is also `true` after an error, so that the response can report the error.
    private func hasNews(_ numbers: [(id: Int, from: Int)]) async -> Bool {
        for (id, number) in numbers {
            guard let pendingNotifications = try? await pendingNotifications(id, from: number, limit: 1) else {
                return true
            }
            if !pendingNotifications.notifications.isEmpty || pendingNotifications.isComplete { return true }
        }
        return false
    }
}
