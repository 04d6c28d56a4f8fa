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
    ///   - request: The operation and its attributes.
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

/// The address of an IPP server.
public enum IPPAddress: Sendable, Hashable, CustomStringConvertible {
    /// A Unix socket with the given path.
    case unix(path: String)
    /// A TCP port of the host with the given name or address.
    case tcp(host: String, port: Int)

    /// The path or the host and port, such as `/run/printd.sock` or `localhost:8631`.
    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): "\(host):\(port)"
        }
    }
}
