// The errors of IPP clients.

import Glibc
package import IPP

/// The reason why a request has no usable response.
public struct IPPClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for an address at which no server accepts connections.
        case unreachable
        /// An error for a connection that was lost before the response was complete.
        case connectionLost
        /// An error for a connection attempt, a transmission or a response that took too long.
        case timedOut
        /// An error for an HTTP status other than 200.
        case httpStatus(Int)
        /// An error for a response that is not IPP, or whose `request-id` differs from the `request-id` of the request.
        case badResponse
        case documentUnreadable
        case tooLarge
        /// An error for a request that cannot be encoded because the caller passed invalid data.
        case badRequest
        case canceled
        /// An error for missing or rejected credentials.
        case authenticationRequired
        /// An error for a server certificate that is not trusted.
        ///
        /// The client sent no request.
        case untrusted
    }

    package var code: Code
    /// The explanation for people: what failed, why, and what to do next.
    package var message: String
    /// Whether the server might have received a part of the request.
    ///
    /// If the value is `true` and the caller repeats the request, the server might perform the request twice.
    ///
    /// If the value is `false`, the client sent no byte of the request's body, or the server reported that the request
    /// was not processed.
    package var mayHaveBeenReceived: Bool
    package var cause: (any Error)?

    package init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool, cause: (any Error)? = nil) {
        (self.code, self.message, self.mayHaveBeenReceived, self.cause) = (code, message, mayHaveBeenReceived, cause)
    }

    /// The error message for people.
    public var description: String { message }
}

extension IPPClientError {
    package static func unreachable(_ address: IPPAddress, _ reason: String, cause: any Error) -> IPPClientError {
        IPPClientError(
            .unreachable, "no IPP server responds at \(address): \(reason)", mayHaveBeenReceived: false, cause: cause)
    }

    /// The error for a failed system call with the given `errno`.
    package static func unreachable(
        _ address: IPPAddress, code: Int32, cause: (any Error)? = nil
    ) -> IPPClientError {
        let reason =
            switch code {
            case ENOENT: "no such socket; check that the server is running"
            case ECONNREFUSED: "connection refused; check that the server is running"
            case EACCES: "permission denied"
            default: String(cString: strerror(code))
            }
        return IPPClientError(
            .unreachable, "no IPP server responds at \(address): \(reason)", mayHaveBeenReceived: false, cause: cause)
    }

    package static func connectTimedOut(_ address: IPPAddress, cause: (any Error)? = nil) -> IPPClientError {
        IPPClientError(
            .timedOut, "timed out connecting to \(address)", mayHaveBeenReceived: false, cause: cause)
    }

    package static func connectionLost(cause: (any Error)? = nil) -> IPPClientError {
        IPPClientError(
            .connectionLost, "the server closed the connection without a response", mayHaveBeenReceived: true,
            cause: cause)
    }

    package static var closedBefore: IPPClientError {
        IPPClientError(
            .connectionLost, "the server closed the connection before the request was sent", mayHaveBeenReceived: false)
    }

    package static func timedOut(_ waitingFor: String) -> IPPClientError {
        IPPClientError(.timedOut, "timed out waiting for the server to \(waitingFor)", mayHaveBeenReceived: true)
    }

    package static func httpStatus(_ status: Int, _ reason: String) -> IPPClientError {
        IPPClientError(
            .httpStatus(status), "the server refused the request: HTTP \(status) \(reason)", mayHaveBeenReceived: true)
    }

    package static func badResponse(_ reason: String, cause: (any Error)? = nil) -> IPPClientError {
        IPPClientError(
            .badResponse, "the server's response is invalid: \(reason)", mayHaveBeenReceived: true, cause: cause)
    }

    package static func tooLarge(limit: Int) -> IPPClientError {
        IPPClientError(
            .tooLarge, "the server's response is larger than \(limit) bytes", mayHaveBeenReceived: true)
    }

    package static func documentUnreadable(_ name: String, _ reason: String, sent: Bool) -> IPPClientError {
        IPPClientError(.documentUnreadable, "cannot read \(name): \(reason)", mayHaveBeenReceived: sent)
    }

    package static func badRequest(cause: any Error) -> IPPClientError {
        IPPClientError(
            .badRequest, "cannot encode the request: \(cause)", mayHaveBeenReceived: false, cause: cause)
    }

    package static func canceled(sent: Bool) -> IPPClientError {
        IPPClientError(.canceled, "the request was canceled", mayHaveBeenReceived: sent)
    }
}

extension Message {
    /// Returns the bytes of a request.
    ///
    /// - Throws: `IPPClientError` with `badRequest` if the message cannot be encoded.
    package func encodedForSending() throws(IPPClientError) -> [UInt8] {
        do { return try encoded() } catch { throw .badRequest(cause: error) }
    }
}
