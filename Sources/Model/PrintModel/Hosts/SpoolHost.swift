// Describes the hosts that share a queue.

/// A host that accepts and prints the jobs of a queue in a shared database.
public struct SpoolHost: Hashable, Sendable {
    /// The unique name of the host, such as its host name.
    package var name: String
    /// The version of `printd` on the host.
    package var version: String
    /// The time at which `printd` started.
    package var startedAt: UnixTime
    /// The time at which the database last received a message from the host; nil after a normal shutdown of `printd`.
    package var lastSeenAt: UnixTime?
    /// Whether the host is in contact with the database, and is therefore allowed to drive printers.
    package var isAlive: Bool
    /// Whether the host is releasing its printers and takes over no more printers.
    package var isDraining: Bool

    package init(
        name: String, version: String, startedAt: UnixTime, lastSeenAt: UnixTime?, isAlive: Bool, isDraining: Bool
    ) {
        (self.name, self.version) = (name, version)
        (self.startedAt, self.lastSeenAt) = (startedAt, lastSeenAt)
        (self.isAlive, self.isDraining) = (isAlive, isDraining)
    }

    /// The state of a host.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// A host that is in contact with the database, and may drive printers.
        case alive
        /// A host that finishes its jobs in progress, and takes no other printers.
        case draining
        /// A host on which `printd` has shut down normally.
        case stopped
        /// A host that has not been in contact with the database for longer than the lease period.
        case lost
    }

    package var state: State {
        guard isAlive else { return lastSeenAt == nil ? .stopped : .lost }
        return isDraining ? .draining : .alive
    }
}

/// The hosts that can drive a printer, and the host that drives the printer now.
public struct PrinterPlacement: Hashable, Sendable {
    package var printer: String
    /// The names of the hosts that can reach the printer; empty if all hosts can reach the printer.
    package var hosts: [String]
    /// The name of the host to which an administrator has assigned the printer; nil without an assignment.
    ///
    /// The hosts divide the printers without an assigned host evenly among themselves.
    package var preferredHost: String?
    /// The name of the host that drives the printer; nil if no host drives the printer.
    package var driver: String?
    /// The time at which the host took over the printer; nil if no host drives the printer.
    package var drivenSince: UnixTime?

    package init(
        printer: String, hosts: [String] = [], preferredHost: String? = nil, driver: String? = nil,
        drivenSince: UnixTime? = nil
    ) {
        (self.printer, self.hosts, self.preferredHost) = (printer, hosts, preferredHost)
        (self.driver, self.drivenSince) = (driver, drivenSince)
    }
}
