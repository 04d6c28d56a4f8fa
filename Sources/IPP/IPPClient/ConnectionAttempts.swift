// Connections that are being made, and can be given up.

import NIOCore
import Synchronization

/// The channels of a connection that is being made: a name may have several addresses.
final class ConnectionAttempts: Sendable {
    private struct State {
        var areGivenUp = false
        var channels: [any Channel] = []
    }

    private let state = Mutex(State())

    /// Whether nobody waits for the connection any more.
    var areGivenUp: Bool { state.withLock { $0.areGivenUp } }

    /// Notes a channel that is about to connect.
    ///
    /// - Throws: `CancellationError` when nobody waits for it any more.
    func begin(_ channel: any Channel) throws {
        let isWanted = state.withLock { state in
            state.channels.append(channel)
            return !state.areGivenUp
        }
        guard isWanted else { throw CancellationError() }
    }

    /// Gives up connecting: whoever waits for it is told at once.
    func giveUp() {
        let channels = state.withLock { state in
            state.areGivenUp = true
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
