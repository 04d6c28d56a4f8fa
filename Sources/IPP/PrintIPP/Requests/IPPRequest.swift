// An IPP request, independent of sockets and HTTP.

package import IPP
package import AsyncPrimitives
import PrintModel

/// An IPP request: the operation, the client, and the document data after the attributes.
public struct IPPRequest: Sendable {
    package var message: Message
    /// The document data after the attributes, decompressed; `.empty` if the request has no document.
    package var document: DocumentStream
    package var peer: Peer
    /// The HTTP path, for logs only.
    ///
    /// Operations identify their target by `printer-uri` or `job-uri`.
    package var path: String
    /// The host and port that the client used (HTTP `Host`), or `nil` if unknown.
    package var host: String?
    package var isEncrypted: Bool
    /// The credentials of an encrypted request; `nil` if the request has none.
    package var credentials: Credentials?
    /// The identity that the server has proven before, such as the user of a session; `nil` for other requests.
    package var identity: NetworkIdentity?
    /// The signal that fires when no client waits for the response anymore: the client has disconnected, or the server
    /// is stopping.
    package var disconnection: Signal
    /// The connection on which the request arrived; `nil` for a request that was not received by a server.
    ///
    /// The value identifies a connection only while the connection is open.
    package var connectionID: ObjectIdentifier?

    package init(
        message: Message, document: DocumentStream = .empty, peer: Peer, path: String = "/", host: String? = nil,
        isEncrypted: Bool = false, credentials: Credentials? = nil, identity: NetworkIdentity? = nil,
        disconnection: Signal = Signal(), connectionID: ObjectIdentifier? = nil
    ) {
        (self.message, self.document, self.peer, self.path, self.host) = (message, document, peer, path, host)
        (self.isEncrypted, self.credentials, self.identity) = (isEncrypted, credentials, identity)
        (self.disconnection, self.connectionID) = (disconnection, connectionID)
    }
}

/// The client at the other end of a connection.
public enum Peer: Sendable, Hashable, CustomStringConvertible {
    /// A process on this machine.
    ///
    /// The kernel identified the process when the process connected (`SO_PEERCRED`).
    case unix(uid: UInt32, gid: UInt32, pid: Int32)
    /// A client with a TCP address.
    ///
    /// On the loopback interface, `uid` is the user ID of the client, if the kernel reports the ID. Without `uid`, the
    /// user name in a request is not authenticated.
    case tcp(address: String, port: Int, uid: UInt32? = nil)

    /// The client as text, such as `uid 1000 (pid 4711)`, `127.0.0.1:50444` or `127.0.0.1:50444 (uid 1000)`.
    public var description: String {
        switch self {
        case .unix(let uid, _, let pid): "uid \(uid) (pid \(pid))"
        case .tcp(let address, let port, let uid): "\(address):\(port)" + (uid.map { " (uid \($0))" } ?? "")
        }
    }

    /// The IP address of the client without a zone, or `nil` for a Unix socket.
    ///
    /// An IPv4 client of a listener for IPv6 has an IPv4 address.
    package var address: String? {
        if case .tcp(let address, _, _) = self { GuestName(claimed: nil, address: address).address } else { nil }
    }

    /// The user ID of the client, as reported by the kernel, or `nil` if unknown.
    package var uid: UInt32? {
        switch self {
        case .unix(let uid, _, _): uid
        case .tcp(_, _, let uid): uid
        }
    }
}

/// A responder to IPP requests.
///
/// Examples are a spool and a simulated printer.
public protocol IPPResponder: Sendable {
    /// Returns the response to a request.
    ///
    /// A failure is a response with an IPP error status (RFC 8011 appendix B).
    ///
    /// The responder can leave the document unread. The server then discards the unread data. If there is too much
    /// unread data, the server closes the connection.
    func answer(to request: IPPRequest) async -> IPPAnswer
}
