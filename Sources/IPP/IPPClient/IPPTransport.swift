// The interface of IPP transports.

public import IPP

/// A transport that carries IPP requests to one server and returns the responses.
///
/// `IPPClient` implements the protocol with plain HTTP, for `printq`. Another implementation uses libcups, with TLS and
/// authentication.
public protocol IPPTransport: Sendable {
    /// Sends a request and waits for its response.
    ///
    /// The transport sets the request ID and checks that the response has the same ID.
    ///
    /// - Parameters:
    ///   - document: The document that follows the attributes, sent as a stream.
    ///   - path: The HTTP path of the POST request. The servers of printq ignore the path.
    /// - Returns: The response. Check its `status`, because the response can be a refusal.
    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message
}

extension IPPTransport {
    /// Sends a request without a document to `/`, and waits for its response.
    public func send(_ request: Message) async throws(IPPClientError) -> Message {
        try await send(request, document: nil, path: "/")
    }

    /// Sends a request with a document to `/`, and waits for its response.
    public func send(_ request: Message, document: DocumentSource?) async throws(IPPClientError) -> Message {
        try await send(request, document: document, path: "/")
    }
}

/// The timeouts of a client, and the maximum size of a response.
public struct TransportBounds: Sendable {
    /// The maximum time for establishing a connection.
    package var connect: Duration = .seconds(5)
    /// The maximum time until the server accepts the next piece of a document.
    package var sending: Duration = .seconds(60)
    /// The maximum time from the end of the request to the end of the response.
    package var answer: Duration = .seconds(60)
    /// The maximum size of a response in bytes.
    package var answerBytes = 64 << 20
    /// The maximum idle time of a reused connection.
    ///
    /// The server might already be closing a connection that was idle for a longer time.
    package var idle: Duration = .seconds(10)

    /// Creates the default timeouts and the default size limit.
    package init() {}
}

/// The address of an IPP server.
public enum IPPAddress: Sendable, Hashable, CustomStringConvertible {
    case unix(path: String)
    case tcp(host: String, port: Int)

    /// The path or the host and port, such as `/run/printd.sock` or `localhost:8631`.
    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): "\(host):\(port)"
        }
    }
}
