// Models the tables of PostgreSQL that SQLite does not have: hosts, leases and large contents.

import PrintModel
import PrintSpool

/// A model of the tables with hosts, leases and large contents, for simulations.
///
/// The functions follow the statements in `PostgresHosts`. All times are seconds on the clock of the database.
struct HostTables: Sendable {
    /// A row of the table `hosts`.
    struct Host: Sendable {
        var incarnation: String
        var folder: String
        var startedAt: Double
        /// The time of the last message; `-infinity` after the process has left.
        var lastSeenAt: Double
        var isDraining = false
    }

    /// A row of the table `leases`.
    struct Lease: Sendable {
        var host: String
        var incarnation: String
        var epoch: Int
        var until: Double
        var since: Double
    }

    /// A row of the table `placements`.
    struct Placement: Sendable {
        var hosts: [String]
        var preferredHost: String?
    }

    /// The columns `lease_epoch` and `lease_incarnation` of a job.
    struct JobLease: Hashable, Sendable {
        var incarnation: String
        var epoch: Int
    }

    /// A row of the table `large_contents` with its parts.
    struct Content: Sendable {
        var bytes: [UInt8]
        var createdAt: Double
        /// Whether a document refers to the content, or has referred to it.
        var hasBeenUsed = false
    }

    /// The hosts by name.
    var hosts: [String: Host] = [:]
    /// The leases by printer.
    var leases: [String: Lease] = [:]
    /// The placements by printer.
    var placements: [String: Placement] = [:]
    /// The leases under which jobs are or were in progress, by job id.
    var jobLeases: [Int: JobLease] = [:]
    /// The large contents by number.
    var contents: [Int: Content] = [:]
    /// The last number of a content; a sequence is not rolled back.
    var lastContent = 0

    /// The lease period in seconds.
    static let period = PrinterLease.period / .seconds(1)
    /// The time in seconds for which a lease must still be valid at the start of a job.
    private static let margin = PrinterLease.margin / .seconds(1)

    // MARK: - Hosts

    /// Registers a process, and returns whether no other process with the same host name is alive.
    mutating func register(_ process: HostProcess, at now: Double) -> Bool {
        let old = hosts[process.host]
        if let old, old.folder != process.folder, old.lastSeenAt >= now - Self.period { return false }
        hosts[process.host] = Host(
            incarnation: process.incarnation, folder: process.folder, startedAt: now, lastSeenAt: now,
            isDraining: old?.isDraining ?? false)
        return true
    }

    /// Stores that a process is alive, and returns whether the process is registered.
    mutating func hear(_ process: HostProcess, at now: Double) -> Bool {
        guard hosts[process.host]?.incarnation == process.incarnation else { return false }
        hosts[process.host]?.lastSeenAt = now
        return true
    }

    /// Returns whether the database has received a message from a host during the last lease period.
    func isAlive(_ host: Host, at now: Double) -> Bool { host.lastSeenAt >= now - Self.period }

    /// Removes a host that is not alive, and returns whether the host was removed.
    mutating func remove(host name: String, at now: Double) -> Bool {
        guard let host = hosts[name], !isAlive(host, at: now) else { return false }
        hosts[name] = nil
        return true
    }

    /// Ends the leases of a process, and stores that the process is not alive.
    mutating func withdraw(_ process: HostProcess) {
        end(Array(leases.keys), of: process)
        if hosts[process.host]?.incarnation == process.incarnation { hosts[process.host]?.lastSeenAt = -.infinity }
    }

    // MARK: - Leases

    /// Returns the hosts, printers and leases.
    ///
    /// - Parameters:
    ///   - printing: The names of the printers with a job in progress that is not suspended.
    ///   - early: The time in seconds before its end at which a lease can be taken, to test the simulation.
    func situation(
        printers: [String], printing: Set<String>, at now: Double, early: Double = 0
    ) -> LeaseSituation {
        LeaseSituation(
            hosts: hosts.sorted { $0.key < $1.key }.map { name, host in
                LeaseSituation.Host(name: name, isAlive: isAlive(host, at: now), isDraining: host.isDraining)
            },
            printers: printers.map { name in
                LeaseSituation.Printer(
                    name: name, hosts: placements[name]?.hosts ?? [], preferredHost: placements[name]?.preferredHost,
                    lease: leases[name].map {
                        LeaseSituation.Lease(
                            host: $0.host, incarnation: $0.incarnation, hasEnded: $0.until - early < now)
                    }, isPrinting: printing.contains(name))
            })
    }

    /// Extends the leases of a process, and returns the extended leases.
    mutating func renew(_ printers: [String], of process: HostProcess, at now: Double) -> [PrinterLease] {
        printers.compactMap { printer in
            guard let lease = leases[printer], lease.incarnation == process.incarnation else { return nil }
            leases[printer]?.until = now + Self.period
            return PrinterLease(printer: printer, incarnation: process.incarnation, epoch: lease.epoch)
        }
    }

    /// Ends the leases of a process.
    mutating func end(_ printers: [String], of process: HostProcess) {
        for printer in printers where leases[printer]?.incarnation == process.incarnation {
            leases[printer]?.until = -.infinity
        }
    }

    /// Takes the lease of a printer; returns nil if another process holds the lease.
    ///
    /// - Parameters:
    ///   - inProgress: The ids of the printer's jobs in progress, which belong to the process from now on.
    ///   - early: The time in seconds before its end at which a lease can be taken, to test the simulation.
    mutating func acquire(
        _ printer: String, for process: HostProcess, inProgress: [Int], at now: Double, early: Double = 0
    ) -> PrinterLease? {
        let old = leases[printer]
        if let old {
            let isOfEarlierProcess = old.host == process.host && old.incarnation != process.incarnation
            guard old.until - early < now || isOfEarlierProcess else { return nil }
        }
        let epoch = (old?.epoch ?? 0) + 1
        leases[printer] = Lease(
            host: process.host, incarnation: process.incarnation, epoch: epoch, until: now + Self.period, since: now)
        for id in inProgress { jobLeases[id] = JobLease(incarnation: process.incarnation, epoch: epoch) }
        return PrinterLease(printer: printer, incarnation: process.incarnation, epoch: epoch)
    }

    /// Returns whether a lease is valid for at least three more seconds.
    func confirm(_ lease: PrinterLease, at now: Double) -> Bool {
        guard let known = leases[lease.printer], known.incarnation == lease.incarnation, known.epoch == lease.epoch
        else { return false }
        return known.until > now + Self.margin
    }
}

extension HostTables.JobLease {
    init(_ lease: PrinterLease) { self.init(incarnation: lease.incarnation, epoch: lease.epoch) }
}
