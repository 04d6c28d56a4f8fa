// One IPP request as it reaches whoever answers it: no sockets, no HTTP.

public import IPP
public import AsyncPrimitives

/// An IPP request: what was asked, by whom, and the document data that follows the attributes.
public struct IPPRequest: Sendable {
    /// The operation and its attributes.
    public var message: Message
    /// The document data after the attributes, already inflated; `.empty` when there is none.
    public var document: DocumentStream
    /// Who sent it.
    public var peer: Peer
    /// The HTTP path; only for logs, since operations name their target in `printer-uri` or `job-uri`.
    public var path: String
    /// The host and port that the client called (HTTP `Host`); nil when it did not say.
    public var host: String?
    /// Whether it came over an encrypted connection.
    public var isEncrypted: Bool
    /// A signal that is given when the client has closed the connection or the server stops.
    public var hangUp: Signal
    /// The connection that the request came over; nil for a request that was not received by a server.
    ///
    /// The value identifies a connection only as long as it is open.
    public var connectionID: ObjectIdentifier?

    /// A request of the given parts.
    public init(
        message: Message, document: DocumentStream = .empty, peer: Peer, path: String = "/", host: String? = nil,
        isEncrypted: Bool = false, hangUp: Signal = Signal(), connectionID: ObjectIdentifier? = nil
    ) {
        self.message = message
        self.document = document
        self.peer = peer
        self.path = path
        self.host = host
        self.isEncrypted = isEncrypted
        self.hangUp = hangUp
        self.connectionID = connectionID
    }
}

/// The other end of a connection.
public enum Peer: Sendable, Hashable, CustomStringConvertible {
    /// A process on this machine, as the kernel knows it (`SO_PEERCRED`, taken when it connected).
    case unix(uid: UInt32, gid: UInt32, pid: Int32)
    /// An address of TCP. On the loopback interface the kernel may tell the user of the process at the other end; without
    /// `uid`, a user name that comes with a request is only a claim.
    case tcp(address: String, port: Int, uid: UInt32? = nil)

    /// `uid 1000 (pid 4711)`, `127.0.0.1:50444`.
    public var description: String {
        switch self {
        case .unix(let uid, _, let pid): "uid \(uid) (pid \(pid))"
        case .tcp(let address, let port, let uid): "\(address):\(port)" + (uid.map { " (uid \($0))" } ?? "")
        }
    }

    /// The user of the process at the other end, proven by the kernel; nil when nobody knows it.
    public var uid: UInt32? {
        switch self {
        case .unix(let uid, _, _): uid
        case .tcp(_, _, let uid): uid
        }
    }
}

/// Answers IPP requests: a spool, a simulated printer.
public protocol IPPResponder: Sendable {
    /// Returns the answer to a request. A failure is an answer with an IPP status of an error (RFC 8011 appendix B).
    ///
    /// The responder may leave the document unread: the server then discards a part of it, or closes the connection.
    func answer(to request: IPPRequest) async -> IPPAnswer
}
