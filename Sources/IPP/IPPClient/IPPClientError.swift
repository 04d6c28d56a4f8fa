// Why a request has no answer.

/// A request that got no usable answer.
public struct IPPClientError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// Nobody listens at the address.
        case unreachable
        /// The connection broke before the answer was complete.
        case connectionLost
        /// Connecting, sending or waiting for the answer took too long.
        case timedOut
        /// The server answered with an HTTP status other than 200.
        case httpStatus(Int)
        /// The answer is not IPP, or not the answer to this request.
        case badResponse
        /// The document could not be read to its end.
        case documentUnreadable
        /// The answer is larger than the limit.
        case tooLarge
        /// The request cannot be encoded; a fault of the caller.
        case badRequest
        /// The waiting task was cancelled.
        case canceled
        /// The server wants a name and a password that there are not, or does not take those there are.
        case authenticationRequired
        /// The server's certificate is not one that is trusted; nothing was sent.
        case untrusted
    }

    /// What kind of failure it was.
    public var code: Code
    /// What failed, on what, and what to do next, for people.
    public var message: String
    /// Whether some of the request may have reached the server, so that repeating it might do it twice.
    ///
    /// `false` is certain: nothing of the request's body was sent, or the server said that it has not looked at it.
    public var mayHaveBeenReceived: Bool
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    /// A failure of the given kind.
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
            .timedOut, "connecting to \(address) took too long", mayHaveBeenReceived: false, cause: cause)
    }

    package static func connectionLost(cause: (any Error)? = nil) -> IPPClientError {
        IPPClientError(
            .connectionLost, "the server closed the connection before it had answered", mayHaveBeenReceived: true,
            cause: cause)
    }

    package static var closedBefore: IPPClientError {
        IPPClientError(
            .connectionLost, "the server closed the connection before the request was sent", mayHaveBeenReceived: false)
    }

    package static func timedOut(_ waitingFor: String) -> IPPClientError {
        IPPClientError(.timedOut, "the server took too long to \(waitingFor)", mayHaveBeenReceived: true)
    }

    package static func httpStatus(_ status: Int, _ reason: String) -> IPPClientError {
        IPPClientError(
            .httpStatus(status), "the server refused the request: HTTP \(status) \(reason)", mayHaveBeenReceived: true)
    }

    package static func badResponse(_ reason: String, cause: (any Error)? = nil) -> IPPClientError {
        IPPClientError(
            .badResponse, "the server's answer cannot be used: \(reason)", mayHaveBeenReceived: true, cause: cause)
    }

    package static func tooLarge(limit: Int) -> IPPClientError {
        IPPClientError(
            .tooLarge, "the server's answer is larger than \(limit) bytes", mayHaveBeenReceived: true)
    }

    package static func documentUnreadable(_ name: String, _ reason: String, sent: Bool) -> IPPClientError {
        IPPClientError(.documentUnreadable, "\(name) cannot be read: \(reason)", mayHaveBeenReceived: sent)
    }

    package static func badRequest(cause: any Error) -> IPPClientError {
        IPPClientError(
            .badRequest, "the request cannot be sent: \(cause)", mayHaveBeenReceived: false, cause: cause)
    }

    package static func canceled(sent: Bool) -> IPPClientError {
        IPPClientError(.canceled, "the request was given up", mayHaveBeenReceived: sent)
    }
}
