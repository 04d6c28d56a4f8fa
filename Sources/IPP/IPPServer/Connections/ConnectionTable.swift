// The number of connections per client.

import Logging
import NIOCore
import PrintIPP
import Synchronization

/// The clients that share one connection limit: the clients of one user or of one TCP address.
///
/// If the kernel reports the user of a client, the limit of the user applies. Otherwise, the limit of the TCP address
/// applies.
enum BudgetHolder: Hashable {
    case user(UInt32)
    case address(String)

    init(_ peer: Peer) {
        switch peer {
        case .unix(let uid, _, _), .tcp(_, _, let uid?): self = .user(uid)
        case .tcp(let address, _, nil): self = .address(address)
        }
    }
}

/// An entry of a ``ConnectionTable`` for one connection.
final class ConnectionEntry: Sendable {
    fileprivate let holder: BudgetHolder
    fileprivate let close: @Sendable () -> Void
    /// The time at which the connection became idle, in nanoseconds of `NIODeadline`; 0 during a request.
    private let idleSince: Atomic<UInt64>

    fileprivate init(_ holder: BudgetHolder, close: @escaping @Sendable () -> Void) {
        self.holder = holder
        self.close = close
        idleSince = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    func setBusy(_ isBusy: Bool) {
        idleSince.store(isBusy ? 0 : NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }

    fileprivate var idle: UInt64? {
        let since = idleSince.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }
}

/// A table that counts the connections of each client to a server, so that a single client cannot use all connections.
///
/// If a client has reached its limit, a new connection replaces the connection of this client that has been idle
/// longest. Therefore the idle connections of a client never block new connections of the same client.
final class ConnectionTable: Sendable {
    private let most: Int
    private let admits: (@Sendable (_ address: String) -> Bool)?
    private let logger: Logger
    private let entries = Mutex<[BudgetHolder: [ObjectIdentifier: ConnectionEntry]]>([:])

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - most: The maximum number of connections of a client.
    ///   - admits: The function that returns whether clients with an IP address can connect; `nil` for all clients.
    init(most: Int, admits: (@Sendable (_ address: String) -> Bool)? = nil, logger: Logger) {
        self.most = most
        self.admits = admits
        self.logger = logger
    }

    /// Registers a new connection.
    ///
    /// - Parameter close: A closure that closes the connection. The closure can be called on any thread.
    /// - Returns: The entry to pass to `remove`; `nil` if the client is not admitted, or has reached its limit and has
    ///   no idle connection.
    func enter(_ peer: Peer, close: @escaping @Sendable () -> Void) -> ConnectionEntry? {
        if let admits, case .tcp(let address, _, _) = peer, !admits(address) {
            logger.info("refused a connection", metadata: ["peer": "\(peer)"])
            return nil
        }
        let entry = ConnectionEntry(BudgetHolder(peer), close: close)
        let (isIn, isLast, replaced) = entries.withLock { entries -> (Bool, Bool, ConnectionEntry?) in
            var own = entries[entry.holder, default: [:]]
            var replaced: ConnectionEntry?
            if own.count >= most {
                replaced = own.values.filter { $0.idle != nil }.min { $0.idle ?? 0 < $1.idle ?? 0 }
                guard let replaced else { return (false, false, nil) }
                own[ObjectIdentifier(replaced)] = nil
            }
            own[ObjectIdentifier(entry)] = entry
            entries[entry.holder] = own
            return (true, replaced == nil && own.count == most, replaced)
        }
        if isLast {
            logger.notice("a client has reached the limit of connections", metadata: ["peer": "\(peer)"])
        }
        replaced?.close()
        return isIn ? entry : nil
    }

    func remove(_ entry: ConnectionEntry) {
        entries.withLock { entries in
            entries[entry.holder]?[ObjectIdentifier(entry)] = nil
            if entries[entry.holder]?.isEmpty == true { entries[entry.holder] = nil }
        }
    }
}
