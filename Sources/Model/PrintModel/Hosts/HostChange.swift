// Describes the changes that an administrator makes to the hosts of a shared queue.

/// A change of the hosts that share a queue, or of the hosts of a printer.
public enum HostChange: Hashable, Sendable {
    /// The host finishes its jobs in progress, releases its printers, and takes no other printers.
    case drain(host: String)
    /// The host takes printers again.
    case resume(host: String)
    /// The list of hosts no longer contains the host, which must not be alive.
    case remove(host: String)
    /// The host drives the printer while it is alive and does not drain; nil to share the printers evenly.
    case move(printer: String, host: String?)
    /// Only these hosts can reach the printer; empty for all hosts.
    case restrict(printer: String, hosts: [String])
}
