// Who has how many connections.

import Logging
import NIOCore
import PrintIPP
import Synchronization

/// Who shares a budget: a user whom the kernel proved, else all clients at one address.
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

/// What the roll knows of one connection.
final class ConnectionEntry: Sendable {
    fileprivate let holder: BudgetHolder
    fileprivate let close: @Sendable () -> Void
    /// Since when no request is in progress, in nanoseconds of `NIODeadline`; 0 while one is.
    private let idleSince: Atomic<UInt64>

    fileprivate init(_ holder: BudgetHolder, close: @escaping @Sendable () -> Void) {
        self.holder = holder
        self.close = close
        idleSince = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    /// Notes whether a request is in progress.
    func setBusy(_ isBusy: Bool) {
        idleSince.store(isBusy ? 0 : NIODeadline.now().uptimeNanoseconds, ordering: .relaxed)
    }

    fileprivate var idle: UInt64? {
        let since = idleSince.load(ordering: .relaxed)
        return since == 0 ? nil : since
    }
}

/// Counts the connections of a server by who is at the other end, so that nobody takes all of them.
///
/// When a client has its whole share, a new connection of that client replaces the one that has been without a request
/// for longest. So idle connections never keep their own user out.
final class ConnectionTable: Sendable {
    private let most: Int
    private let logger: Logger
    private let entries = Mutex<[BudgetHolder: [ObjectIdentifier: ConnectionEntry]]>([:])

    /// A roll that lets everyone have so many connections.
    init(most: Int, logger: Logger) {
        self.most = most
        self.logger = logger
    }

    /// Notes a new connection; nil when its peer has as many as anyone may, all of them with a request in progress.
    ///
    /// - Parameter close: closes the connection, on whichever thread.
    /// - Returns: what the connection is to give back with `leave`.
    func enter(_ peer: Peer, close: @escaping @Sendable () -> Void) -> ConnectionEntry? {
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
            logger.notice("someone has as many connections as anyone may", metadata: ["peer": "\(peer)"])
        }
        replaced?.close()
        return isIn ? entry : nil
    }

    /// Notes that a connection is closed.
    func leave(_ entry: ConnectionEntry) {
        entries.withLock { entries in
            entries[entry.holder]?[ObjectIdentifier(entry)] = nil
            if entries[entry.holder]?.isEmpty == true { entries[entry.holder] = nil }
        }
    }
}
