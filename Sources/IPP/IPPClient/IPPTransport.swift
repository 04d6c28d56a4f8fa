// The interface of IPP transports.

public import IPP

/// A transport that carries IPP requests to one server and returns the responses.
///
/// There are two implementations: `IPPClient` uses plain HTTP, for `printq`. The other implementation uses libcups,
/// with TLS and authentication.
public protocol IPPTransport: Sendable {
    /// Sends a request and waits for its response.
    ///
    /// The transport sets the request id and checks that the response has the same id.
    ///
    /// - Parameters:
    ///   - request: The operation and its attributes.
    ///   - document: The document that follows the attributes, sent as a stream.
    ///   - path: The HTTP path of the POST request. printq's own servers ignore the path.
    /// - Returns: The response. The response can be a refusal: check its `status`.
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

/// The address of an IPP server.
public enum IPPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The path of a Unix socket.
    case unix(path: String)
    /// A host name or address, and a TCP port.
    case tcp(host: String, port: Int)

    /// The path or the host and port, such as `/run/printd.sock` or `localhost:8631`.
    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): "\(host):\(port)"
        }
    }
}
