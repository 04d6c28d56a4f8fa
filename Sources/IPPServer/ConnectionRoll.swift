// Who has how many connections.

import Logging
import PrintIPP
import Synchronization

/// Counts the connections of a server by who is at the other end, so that nobody takes them all.
///
/// A user is who the kernel says for a Unix socket, an address for TCP.
final class ConnectionRoll: Sendable {
    /// Someone who has connections.
    private enum Holder: Hashable {
        case user(UInt32)
        case address(String)

        init(_ peer: Peer) {
            switch peer {
            case .unix(let uid, _, _): self = .user(uid)
            case .tcp(let address, _): self = .address(address)
            }
        }
    }

    private let most: Int
    private let logger: Logger
    private let counts = Mutex<[Holder: Int]>([:])

    /// A roll that lets everyone have so many connections.
    init(most: Int, logger: Logger) {
        self.most = most
        self.logger = logger
    }

    /// Notes a new connection; false when its peer has as many as anyone may.
    ///
    /// One that was let in is to be taken off again with `leave`.
    func enter(_ peer: Peer) -> Bool {
        let before = counts.withLock { counts in
            let before = counts[Holder(peer), default: 0]
            if before < most { counts[Holder(peer)] = before + 1 }
            return before
        }
        if before == most - 1 {
            logger.notice("someone has as many connections as anyone may", metadata: ["peer": "\(peer)"])
        }
        return before < most
    }

    /// Notes that a connection is closed.
    func leave(_ peer: Peer) {
        counts.withLock { counts in
            let left = counts[Holder(peer), default: 1] - 1
            counts[Holder(peer)] = left > 0 ? left : nil
        }
    }
}
