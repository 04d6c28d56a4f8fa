// Decides which printers a host drives. No clock, no database.

/// A lease: the right of one process to drive a printer for a limited time.
///
/// After a lease has ended, another process can take the lease. In that case the epoch of the lease increases, and the
/// database refuses writes of the process that held the lease before.
public struct PrinterLease: Hashable, Sendable {
    /// The name of the printer.
    public var printer: String
    /// The unique name of the process that holds the lease.
    public var incarnation: String
    /// The number of the lease, which increases each time that another process takes the lease.
    ///
    /// Epochs are unique only together with the incarnation, because a standby of the database may not know the last
    /// epochs.
    public var epoch: Int

    package init(printer: String, incarnation: String, epoch: Int) {
        (self.printer, self.incarnation, self.epoch) = (printer, incarnation, epoch)
    }

    /// The time after which another host can take a lease that its holder has not renewed.
    package static let period = Duration.seconds(10)

    /// The time before the end of a lease in which no job starts under the lease.
    package static let margin = Duration.seconds(3)
}

/// The hosts, printers and leases in the database at one time.
package struct LeaseSituation: Sendable {
    package struct Host: Sendable {
        package var name: String
        /// Whether the database has received a message from the host during the last lease period.
        package var isAlive: Bool
        package var isDraining: Bool

        package init(name: String, isAlive: Bool, isDraining: Bool) {
            (self.name, self.isAlive, self.isDraining) = (name, isAlive, isDraining)
        }
    }

    /// A printer, with its lease if a process has ever driven the printer.
    package struct Printer: Sendable {
        var name: String
        /// The names of the hosts that can reach the printer; empty if all hosts can reach the printer.
        var hosts: [String] = []
        /// The name of the host to which an administrator has moved the printer.
        var preferredHost: String?
        var lease: Lease?
        /// Whether a job is in progress at the printer.
        var isPrinting = false

        package init(
            name: String, hosts: [String] = [], preferredHost: String? = nil, lease: Lease? = nil,
            isPrinting: Bool = false
        ) {
            (self.name, self.hosts, self.preferredHost) = (name, hosts, preferredHost)
            (self.lease, self.isPrinting) = (lease, isPrinting)
        }
    }

    package struct Lease: Sendable {
        var host: String
        var incarnation: String
        /// Whether the lease has ended, so that another process can take the lease.
        var hasEnded: Bool

        package init(host: String, incarnation: String, hasEnded: Bool) {
            (self.host, self.incarnation, self.hasEnded) = (host, incarnation, hasEnded)
        }
    }

    package var hosts: [Host]
    package var printers: [Printer]

    package init(hosts: [Host], printers: [Printer]) { (self.hosts, self.printers) = (hosts, printers) }
}

/// The leases that a host renews, ends and takes.
package struct LeasePlan: Hashable, Sendable {
    /// The printers whose leases the host renews.
    package var renew: [String] = []
    /// The printers whose leases the host ends.
    package var release: [String] = []
    /// The printers whose leases the host takes.
    package var acquire: [String] = []

    /// Creates the plan: decides which printers a host drives.
    ///
    /// A host is a candidate for a printer if the host is alive, does not drain, and can reach the printer. If the
    /// preferred host of a printer is a candidate, this host drives the printer. Printers without such a preferred host
    /// are divided evenly among their candidates. A printer with a job in progress does not change its host.
    ///
    /// - Parameters:
    ///   - host: The name of the deciding host.
    ///   - incarnation: The name of the deciding process.
    package init(for host: String, incarnation: String, in situation: LeaseSituation) {
        let working = situation.hosts.filter { $0.isAlive && !$0.isDraining }.map(\.name)
        let printers = situation.printers.map { printer in
            Candidates(printer, among: printer.hosts.isEmpty ? working : working.filter(printer.hosts.contains))
        }
        let shared = printers.count(where: \.isShared)
        var sharedCount = 0
        for candidates in printers.sorted(by: { $0.printer.name < $1.printer.name }) {
            let printer = candidates.printer
            let isMine = printer.lease?.incarnation == incarnation
            guard isMine || printer.isFree(for: host) else { continue }
            let isEligible = candidates.chosen.contains(host)
            // An even share of the printers, rounded up, so that the candidates take all printers together.
            let share = candidates.chosen.isEmpty ? 0 : (shared - 1) / candidates.chosen.count + 1
            let exceedsShare = candidates.isShared && sharedCount >= share
            if isEligible && !exceedsShare || isMine && printer.isPrinting {
                if candidates.isShared { sharedCount += 1 }
                if isMine { renew.append(printer.name) } else { acquire.append(printer.name) }
            } else if isMine {
                release.append(printer.name)
            }
        }
    }

    /// A printer with the hosts that may drive the printer.
    private struct Candidates {
        var printer: LeaseSituation.Printer
        var chosen: [String]

        init(_ printer: LeaseSituation.Printer, among hosts: [String]) {
            self.printer = printer
            let preferred = printer.preferredHost.flatMap { hosts.contains($0) ? $0 : nil }
            chosen = preferred.map { [$0] } ?? hosts
        }

        /// Whether several hosts may drive the printer.
        var isShared: Bool { chosen.count > 1 }
    }
}

extension LeaseSituation.Printer {
    /// Whether a host can take the lease.
    ///
    /// A host can take the lease of an earlier process of the same host at once, because that process has ended.
    fileprivate func isFree(for host: String) -> Bool {
        guard let lease else { return true }
        return lease.hasEnded || lease.host == host
    }
}
