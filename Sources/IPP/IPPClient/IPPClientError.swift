// The errors of IPP clients.

/// The reason why a request has no usable response.
public struct IPPClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// No server accepts connections at the address.
        case unreachable
        /// The connection was lost before the response was complete.
        case connectionLost
        /// Connecting, sending or waiting for the response took too long.
        case timedOut
        /// The server responded with an HTTP status other than 200.
        case httpStatus(Int)
        /// The response is not IPP, or is not the response to this request.
        case badResponse
        /// The document could not be read completely.
        case documentUnreadable
        /// The response is larger than the limit.
        case tooLarge
        /// The request cannot be encoded because the caller passed invalid data.
        case badRequest
        /// The waiting task was canceled.
        case canceled
        /// The server requires credentials that are missing, or rejects the available credentials.
        case authenticationRequired
        /// The server's certificate is not trusted.
        ///
        /// Nothing was sent.
        case untrusted
    }

    /// The kind of error, for programs.
    public var code: Code
    /// The explanation for people: what failed, why, and what to do next.
    public var message: String
    /// Whether the server may have received a part of the request.
    ///
    /// In that case a repeated request could be carried out twice.
    ///
    /// `false` is certain: no byte of the request's body was sent, or the server reported that it did not process the
    /// request.
    public var mayHaveBeenReceived: Bool
    /// The underlying error, for debugging.
    public var cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, mayHaveBeenReceived: Bool, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.mayHaveBeenReceived = mayHaveBeenReceived
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}

extension IPPClientError {
    package static func unreachable(_ address: IPPAddress, _ reason: String, cause: any Error) -> IPPClientError {
        IPPClientError(
            .unreachable, "no IPP server answers at \(address): \(reason)", mayHaveBeenReceived: false, cause: cause)
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
        IPPClientError(.documentUnreadable, "\(name) cannot be read: \(reason)", mayHaveBeenReceived: sent)
    }

    package static func badRequest(cause: any Error) -> IPPClientError {
        IPPClientError(
            .badRequest, "the request cannot be sent: \(cause)", mayHaveBeenReceived: false, cause: cause)
    }

    package static func canceled(sent: Bool) -> IPPClientError {
        IPPClientError(.canceled, "the request was canceled", mayHaveBeenReceived: sent)
    }
}
