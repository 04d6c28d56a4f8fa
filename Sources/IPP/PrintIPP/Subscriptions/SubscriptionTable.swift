// All subscriptions: their numbers, their limits, their end.

package import PrintModel

/// The subscriptions that there are.
///
/// A value without a clock: whoever asks says what time it is.
package struct SubscriptionTable: Sendable {
    /// How many there may be.
    package struct Limits: Sendable {
        /// In all.
        package var total = 4000
        /// Of one user, and of all anonymous clients together.
        package var perUser = 250

        /// The limits that hold unless others are given.
        package init(total: Int = 4000, perUser: Int = 250) { (self.total, self.perUser) = (total, perUser) }
    }

    private let limits: Limits
    private var subscriptions: [Int: Subscription] = [:]
    private var nextID: Int

    /// A book without any.
    ///
    /// - Parameter firstID: the number of the first one; not always the same, so that a client which missed a restart
    ///   does not take another's for its own (RFC 3995 §5.4.1).
    package init(firstID: Int, limits: Limits = Limits()) {
        self.limits = limits
        nextID = Self.number(firstID)
    }

    /// The subscription of that number.
    package subscript(id: Int) -> Subscription? { subscriptions[id] }

    /// All of them, the one that ends first at first.
    package var all: [Subscription] { subscriptions.values.sorted { ($0.expiresAt, $0.id) < ($1.expiresAt, $1.id) } }

    /// Adds one; nil when there are too many.
    package mutating func add(_ wish: SubscriptionRequest, after event: Int, at now: UnixTime) -> Subscription? {
        guard subscriptions.count < limits.total,
            subscriptions.values.count(where: { $0.wish.subscriber == wish.subscriber }) < limits.perUser
        else { return nil }
        while subscriptions[nextID] != nil { nextID = Self.number(nextID + 1) }
        let subscription = Subscription(id: nextID, wish: wish, after: event, expiresAt: now + Double(wish.lease))
        subscriptions[nextID] = subscription
        nextID = Self.number(nextID + 1)
        return subscription
    }

    /// Gives one a new lease; a job's lasts as long as somebody asks for it.
    package mutating func renew(_ id: Int, lease: Int, at now: UnixTime) {
        subscriptions[id]?.wish.lease = lease
        subscriptions[id]?.expiresAt = now + Double(lease)
    }

    /// Notes how far the log has been read for one.
    package mutating func note(_ mark: Subscription.Mark, of id: Int) { subscriptions[id]?.note(mark) }

    /// Ends one.
    package mutating func cancel(_ id: Int) { subscriptions[id] = nil }

    /// Ends those whose lease is over.
    package mutating func expire(at now: UnixTime) {
        guard subscriptions.values.contains(where: { $0.expiresAt <= now }) else { return }
        subscriptions = subscriptions.filter { $0.value.expiresAt > now }
    }

    /// A number that IPP can carry: above 0, and after the highest the first again.
    private static func number(_ id: Int) -> Int { (1...Int(Int32.max)).contains(id) ? id : 1 }
}
