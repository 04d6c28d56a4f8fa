// Limits the open event streams of a user.

import Synchronization

/// A counter of the open event streams of each user.
final class EventStreams: Sendable {
    /// The maximum number of open event streams per user.
    static let mostPerUser = 64

    private let counts = Mutex<[CenterUser.Account: Int]>([:])

    /// Adds a new event stream of a user to the count of open event streams.
    ///
    /// - Returns: `true` if the stream was counted; `false` if the user already has the maximum number of open event
    ///   streams.
    func open(_ user: CenterUser.Account) -> Bool {
        counts.withLock { counts in
            guard counts[user, default: 0] < Self.mostPerUser else { return false }
            counts[user, default: 0] += 1
            return true
        }
    }

    /// Returns whether a user is allowed to open another event stream.
    func hasRoom(_ user: CenterUser.Account) -> Bool { counts.withLock { $0[user, default: 0] < Self.mostPerUser } }

    /// The number of open event streams of all users.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Removes an ended event stream from the count of open event streams.
    func close(_ user: CenterUser.Account) {
        counts.withLock { counts in
            let rest = counts[user, default: 1] - 1
            counts[user] = rest > 0 ? rest : nil
        }
    }
}
