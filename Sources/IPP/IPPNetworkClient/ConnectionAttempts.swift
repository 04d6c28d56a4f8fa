// Connection attempts that can be canceled.

import NIOCore
import Synchronization

/// The channels of one connection attempt, which can be canceled together.
///
/// A host name can have several addresses. The attempt opens one channel for each address.
final class ConnectionAttempts: Sendable {
    private struct State {
        var areGivenUp = false
        var channels: [any Channel] = []
    }

    private let state = Mutex(State())

    var areGivenUp: Bool { state.withLock { $0.areGivenUp } }

    /// Registers a channel that is about to connect.
    ///
    /// - Throws: `CancellationError` if the connection attempt has been canceled.
    func begin(_ channel: any Channel) throws {
        let isWanted = state.withLock { state in
            state.channels.append(channel)
            return !state.areGivenUp
        }
        guard isWanted else { throw CancellationError() }
    }

    /// The waiting caller receives an error immediately.
    func giveUp() {
        let channels = state.withLock { state in
            state.areGivenUp = true
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
