// The errors of an IPP server.

/// A failure of the server or of a connection to a client.
///
/// If a single request fails, the client usually receives a response with an error status.
public struct IPPServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        case addressInUse
        case cannotListen
        /// An error for an unusable socket path: the path is too long, belongs to another file, or has an inaccessible
        /// directory.
        case badPath
        case stopped
        /// An error for a client that was too slow.
        ///
        /// The server closes the client's connection.
        case timedOut
        /// An error for a connection that was closed in the middle of a request.
        case interrupted
    }

    package var code: Code
    /// The explanation for people: what failed, why, and what to do next.
    package var message: String
    package var cause: (any Error)?

    /// The error message for people.
    public var description: String { message }
}

extension IPPServerError {
    package static func addressInUse(_ address: ListenAddress, cause: (any Error)? = nil) -> IPPServerError {
        IPPServerError(
            code: .addressInUse,
            message: "\(address): address already in use; stop the other process or choose another address",
            cause: cause)
    }

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
