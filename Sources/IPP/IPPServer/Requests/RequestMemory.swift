// The memory budget of requests that are being read.

import PrintIPP
import Synchronization

/// A counter of the bytes of request attributes in memory, per client and in total.
///
/// Documents are not counted, because the server writes each document to the disk during the transfer.
final class RequestMemory: Sendable {
    private struct State {
        var total = 0
        var byHolder: [BudgetHolder: Int] = [:]
    }

    private let most: Int
    private let mostPerPeer: Int
    private let state = Mutex(State())

    /// Creates a counter with a total limit and a limit per client, in bytes.
    init(most: Int, perPeer: Int) { (self.most, mostPerPeer) = (most, perPeer) }

    /// Returns `false` if the bytes would exceed the client's limit or the total limit.
    func reserve(_ bytes: Int, for peer: Peer) -> Bool {
        state.withLock { state in
            let held = state.byHolder[BudgetHolder(peer), default: 0]
            guard held + bytes <= mostPerPeer, state.total + bytes <= most else { return false }
            state.byHolder[BudgetHolder(peer)] = held + bytes
            state.total += bytes
            return true
        }
    }

    func release(_ bytes: Int, for peer: Peer) {
        guard bytes > 0 else { return }
        state.withLock { state in
            let left = state.byHolder[BudgetHolder(peer), default: 0] - bytes
            state.byHolder[BudgetHolder(peer)] = left > 0 ? left : nil
            state.total = max(0, state.total - bytes)
        }
    }
}
