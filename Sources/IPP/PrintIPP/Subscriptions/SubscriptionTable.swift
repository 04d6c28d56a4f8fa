// The table of all subscriptions, with their numbers, limits and leases.

package import PrintModel

/// The table of all subscriptions.
///
/// The table has no clock. The caller passes the current time.
package struct SubscriptionTable: Sendable {
    package struct Limits: Sendable {
        /// The maximum number of subscriptions of all users together.
        package var total = 4000
        /// All anonymous clients of this machine together count as one user, and so do all clients without credentials
        /// at one address of the network.
        package var perUser = 250

        package init(total: Int = 4000, perUser: Int = 250) { (self.total, self.perUser) = (total, perUser) }
    }

    private let limits: Limits
    private var subscriptions: [Int: EventSubscription] = [:]
    private var nextID: Int

    /// Creates an empty table.
    ///
    /// - Parameter firstID: The number of the first subscription. Use a different number after each restart. Otherwise
    ///   another client could get a subscription with the same number as a subscription from before the restart
    ///   (RFC 3995 §5.4.1).
    package init(firstID: Int, limits: Limits = Limits()) {
        self.limits = limits
        nextID = Self.number(firstID)
    }

    package subscript(id: Int) -> EventSubscription? { subscriptions[id] }

    /// All subscriptions, ordered by the end of their leases.
    package var all: [EventSubscription] {
        subscriptions.values.sorted { ($0.expiresAt, $0.id) < ($1.expiresAt, $1.id) }
    }

    /// Returns `nil` if there are too many subscriptions.
    package mutating func add(_ wish: SubscriptionRequest, after event: Int, at now: UnixTime) -> EventSubscription? {
        let user = GuestName.limited(wish.subscriber)
        guard subscriptions.count < limits.total,
            subscriptions.values.count(where: { GuestName.limited($0.wish.subscriber) == user }) < limits.perUser
        else { return nil }
        while subscriptions[nextID] != nil { nextID = Self.number(nextID + 1) }
        let subscription = EventSubscription(id: nextID, wish: wish, after: event, expiresAt: now + Double(wish.lease))
        subscriptions[nextID] = subscription
        nextID = Self.number(nextID + 1)
        return subscription
    }

    /// Renews the lease of a subscription: the lease ends `lease` seconds after `now`.
    ///
    /// Clients cannot renew the lease of a job's subscription. Instead, each Get-Notifications request for the
    /// subscription renews the lease.
    package mutating func renew(_ id: Int, lease: Int, at now: UnixTime) {
        subscriptions[id]?.wish.lease = lease
        subscriptions[id]?.expiresAt = now + Double(lease)
    }

    /// Records the position up to which the log has been read for a subscription.
    package mutating func note(_ mark: EventSubscription.Mark, of id: Int) { subscriptions[id]?.note(mark) }

    package mutating func cancel(_ id: Int) { subscriptions[id] = nil }

    package mutating func expire(at now: UnixTime) {
        guard subscriptions.values.contains(where: { $0.expiresAt <= now }) else { return }
        subscriptions = subscriptions.filter { $0.value.expiresAt > now }
    }

    /// Returns a valid IPP number from 1 to 2,147,483,647.
    ///
    /// Numbers beyond the maximum start again at 1.
    private static func number(_ id: Int) -> Int { (1...Int(Int32.max)).contains(id) ? id : 1 }
}
