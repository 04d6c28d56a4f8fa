// Sending IPP requests, whatever carries them.

public import IPP

/// Carries IPP requests to one server and brings the answers back.
///
/// Two things do: `IPPClient` here (plain HTTP, what `printq` uses), and one over libcups with TLS and authentication.
public protocol IPPTransport: Sendable {
    /// Sends a request and waits for its answer.
    ///
    /// The request id is the transport's business: it sets one and checks that the answer carries it.
    ///
    /// - Parameters:
    ///   - request: The operation and its attributes.
    ///   - document: What follows the attributes, streamed.
    ///   - path: The HTTP path to post to; servers of ours do not look at it.
    /// - Returns: The answer, which may well be a refusal: look at its `status`.
    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message
}

extension IPPTransport {
    /// Sends a request without a document to `/`, and waits for its answer.
    public func send(_ request: Message) async throws(IPPClientError) -> Message {
        try await send(request, document: nil, path: "/")
    }

    /// Sends a request with a document to `/`, and waits for its answer.
    public func send(_ request: Message, document: DocumentSource?) async throws(IPPClientError) -> Message {
        try await send(request, document: document, path: "/")
    }
}

/// Where an IPP server listens.
public enum IPPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The path of a Unix socket.
    case unix(path: String)
    /// A host name or address, and a TCP port.
    case tcp(host: String, port: Int)

    /// `/run/printd.sock`, `localhost:8631`.
    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port): "\(host):\(port)"
        }
    }
}
