// What keeps the server from serving.

/// A failure of the server itself; failures of one request are answers, not errors.
public struct IPPServerError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// Another process serves this address.
        case addressInUse
        /// The address could not be listened on.
        case cannotListen
        /// The socket's path is too long for the kernel, or something that is no socket is in its place.
        case badPath
        /// A listener ended although nobody asked it to.
        case stopped
        /// The client was too slow, and its connection is given up.
        case timedOut
        /// The connection closed in the middle of a request.
        case interrupted
    }

    /// What kind of failure it was.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    /// The message.
    public var description: String { message }
}

extension IPPServerError {
    /// Returns the error of an address that another process listens on.
    package static func addressInUse(_ address: ListenAddress, cause: (any Error)? = nil) -> IPPServerError {
        IPPServerError(
            code: .addressInUse,
            message: "\(address) is served by another process already; stop that one or choose another address",
            cause: cause)
    }

    /// Returns the error of an address that cannot be listened on.
    package static func cannotListen(_ address: ListenAddress, cause: any Error) -> IPPServerError {
        IPPServerError(code: .cannotListen, message: "cannot listen on \(address): \(cause)", cause: cause)
    }

    static func badPath(_ path: String, _ reason: String) -> IPPServerError {
        IPPServerError(code: .badPath, message: "cannot listen on '\(path)': \(reason)")
    }

    static func stopped(_ address: ListenAddress, cause: any Error) -> IPPServerError {
        IPPServerError(code: .stopped, message: "stopped serving \(address): \(cause)", cause: cause)
    }

    static let bodyTimedOut = IPPServerError(
        code: .timedOut, message: "the client did not send its request in time")

    static let bodyInterrupted = IPPServerError(
        code: .interrupted, message: "the connection closed before the request was complete")
}
