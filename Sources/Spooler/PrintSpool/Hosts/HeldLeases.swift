// Remembers the leases that this process holds.

import Synchronization

/// The leases that this process holds, with their deadlines on the clock of this process.
///
/// The process calculates each deadline from the time at which it begins to renew the leases. Therefore the deadline is
/// never later than the end of the lease in the database.
final class HeldLeases: Sendable {
    private struct Held {
        var lease: PrinterLease
        var deadline: ContinuousClock.Instant
    }

    private let held = Mutex<[String: Held]>([:])
    /// Whether the scheduler uses the strict order, in which the end of a job at any printer concerns every host.
    let isStrict = Atomic(false)
    private let renewedAt = Mutex<ContinuousClock.Instant?>(nil)
    /// The monotonic clock of this process.
    let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// The leases that this process held after the last renewal; the keys are the names of the printers.
    ///
    /// Leases whose deadline has passed are included.
    var all: [String: PrinterLease] { held.withLock { $0.mapValues(\.lease) } }

    /// Returns what the schedulers of other hosts must check after a commit of this process.
    ///
    /// Other hosts cannot start jobs of the printers that this process drives.
    func newsForOthers(_ news: News) -> News {
        guard !isStrict.load(ordering: .relaxed), case .jobs(let printers) = news else { return news }
        return held.withLock { held in printers.allSatisfy { held[$0] != nil } } ? .none : news
    }

    /// The time since the last successful renewal; nil before the first renewal.
    var timeSinceRenewal: Duration? { renewedAt.withLock { $0 }.map { now() - $0 } }

    /// Records the current time as the time of the last renewal.
    func noteRenewal() { renewedAt.withLock { $0 = now() } }

    func state(of lease: PrinterLease) -> PrinterLease.State {
        held.withLock { held in
            guard let known = held[lease.printer], known.lease == lease else { return .lost }
            return now() < known.deadline ? .valid : .expired
        }
    }

    /// Ends leases before the database ends them, because another process can take them immediately.
    ///
    /// - Returns: Whether the process held one of the leases.
    func end(_ printers: [String]) -> Bool {
        held.withLock { held in
            printers.reduce(false) { held.removeValue(forKey: $1) != nil || $0 }
        }
    }

    /// Replaces all leases after a renewal.
    ///
    /// - Returns: Whether jobs can start now that could not start before: the process holds other leases, or a lease
    ///   was near its end or over.
    func replace(by leases: [PrinterLease], until deadline: ContinuousClock.Instant) -> Bool {
        let new = Dictionary(leases.map { ($0.printer, Held(lease: $0, deadline: deadline)) }) { $1 }
        let late = now() + PrinterLease.margin
        return held.withLock { held in
            defer { held = new }
            return held.mapValues(\.lease) != new.mapValues(\.lease) || held.values.contains { $0.deadline <= late }
        }
    }
}

extension PrinterLease {
    /// The state of a lease from the view of the process that holds the lease.
    public enum State: Sendable {
        /// A lease that no other process can take yet.
        case valid
        /// A lease that could not be renewed in time, so that another process may have taken the lease.
        case expired
        /// A lease that ended or that another process has taken.
        case lost
    }
}
