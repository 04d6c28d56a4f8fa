// Describes the changes that an administrator makes to the hosts of a shared queue.

/// A change of the hosts that share a queue, or of the hosts of a printer.
public enum HostChange: Hashable, Sendable {
    /// The host finishes its jobs in progress, releases its printers, and takes no other printers.
    case drain(host: String)
    /// The host stops draining, and takes printers again.
    case resume(host: String)
    /// The host is removed from the list of hosts. The host must not be alive.
    case remove(host: String)
    /// The host drives the printer while the host is alive and not draining. If the host is nil, the hosts share the
    /// printers evenly.
    case move(printer: String, host: String?)
    /// Only these hosts can reach the printer. If the list is empty, all hosts can reach the printer.
    case restrict(printer: String, hosts: [String])
}
