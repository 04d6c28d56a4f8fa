// Defines the faults of a trial with several hosts.

import SpoolerTrials

/// A fault of a host, of its network, or of the database.
enum HostsFault: String, CaseIterable, Sendable {
    /// A host is killed and started again.
    case hostKilled = "host killed"
    /// A host is killed, and is started again after other hosts have taken its printers.
    case hostReplaced = "host killed until its printers are taken over"
    /// A host is stopped (SIGSTOP) for a time shorter than the lease.
    case hostPaused = "host stopped briefly"
    /// A host is stopped (SIGSTOP) beyond the end of its leases.
    case hostStopped = "host stopped beyond the lease"
    /// The network between a host and the database delivers nothing for a short time.
    case networkStalled = "network stalled"
    /// The network between a host and the database delivers nothing beyond the end of the leases.
    case networkStalledBeyondLease = "network stalled beyond the lease"
    /// The network between a host and the database closes all connections.
    case networkClosed = "network closed"
    /// The network between a host and the database refuses connections beyond the end of the leases.
    case networkClosedBeyondLease = "network closed beyond the lease"
    /// The primary server of the database is killed and started again.
    case databaseKilled = "database killed"
    /// The primary server of the database is killed, and its standby takes over.
    case databaseFailover = "failover to the standby"

    /// Whether the fault affects the database instead of one host.
    var isOfDatabase: Bool { self == .databaseKilled || self == .databaseFailover }

    /// The range of the duration of the fault in milliseconds; the lease is 10 s.
    private var duration: ClosedRange<Int> {
        switch self {
        case .hostKilled, .databaseKilled, .databaseFailover: 0...400
        case .hostReplaced: 0...0
        case .hostPaused, .networkStalled, .networkClosed: 50...3000
        case .hostStopped, .networkStalledBeyondLease, .networkClosedBeyondLease: 10_500...13_000
        }
    }

    /// Faults that last longer than the lease are rare, so that a trial has more rounds.
    private var weight: Int {
        switch self {
        case .hostKilled: 40
        case .hostReplaced: 3
        case .hostPaused: 10
        case .hostStopped: 6
        case .networkStalled, .networkClosed: 12
        case .networkStalledBeyondLease, .networkClosedBeyondLease: 3
        case .databaseKilled: 16
        case .databaseFailover: 6
        }
    }

    /// A fault with its place and times.
    struct Planned: Sendable {
        var fault: HostsFault
        /// The index of the host; nil for the database.
        var host: Int?
        /// The milliseconds before the fault.
        var delay: Int
        /// The milliseconds of the fault.
        var duration: Int
    }

    /// Returns a random fault.
    static func random(hosts: Int, using random: inout SeededRandom) -> Planned {
        var number = Int.random(in: 0..<allCases.map(\.weight).reduce(0, +), using: &random)
        let fault =
            allCases.first {
                number -= $0.weight; return number < 0
            } ?? .hostKilled
        let host = Int.random(in: 0..<hosts, using: &random)
        return Planned(
            fault: fault, host: fault.isOfDatabase ? nil : host, delay: Int.random(in: 0...1000, using: &random),
            duration: Int.random(in: fault.duration, using: &random))
    }
}
