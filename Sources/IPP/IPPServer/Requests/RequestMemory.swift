// How much memory the requests that are being read may take.

import PrintIPP
import Synchronization

/// Counts the bytes of request attributes that are held in memory, for each client and in all.
///
/// Documents are not counted: they go to the disk as they come.
final class RequestMemory: Sendable {
    private struct State {
        var total = 0
        var byHolder: [BudgetHolder: Int] = [:]
    }

    private let most: Int
    private let mostPerPeer: Int
    private let state = Mutex(State())

    /// Memory for so many bytes in all, and so many of one client.
    init(most: Int, perPeer: Int) { (self.most, mostPerPeer) = (most, perPeer) }

    /// Reserves bytes for a request of a client; false when the client, or all clients together, hold too many.
    func reserve(_ bytes: Int, for peer: Peer) -> Bool {
        state.withLock { state in
            let held = state.byHolder[BudgetHolder(peer), default: 0]
            guard held + bytes <= mostPerPeer, state.total + bytes <= most else { return false }
            state.byHolder[BudgetHolder(peer)] = held + bytes
            state.total += bytes
            return true
        }
    }

    /// Gives bytes back that were reserved.
    func release(_ bytes: Int, for peer: Peer) {
        guard bytes > 0 else { return }
        state.withLock { state in
            let left = state.byHolder[BudgetHolder(peer), default: 0] - bytes
            state.byHolder[BudgetHolder(peer)] = left > 0 ? left : nil
            state.total = max(0, state.total - bytes)
        }
    }
}
