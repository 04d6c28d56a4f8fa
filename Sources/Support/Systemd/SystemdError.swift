// The errors of the protocols of systemd.

/// The error for an unusable socket or address that the service manager passed to this process.
public struct SystemdError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for a descriptor from the service manager that is not a listening stream socket of a supported
        /// kind.
        case unusableSocket
    }

    /// The kind of error, for programs.
    public var code: Code
    /// The explanation for people: what failed, why, and what to do next.
    public var message: String

    /// The explanation for people.
    public var description: String { message }
}
