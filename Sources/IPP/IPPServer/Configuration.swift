// Where the server listens and how much it lets a client do.

import IPP
public import NIOCore

extension IPPServer {
    /// Where the server listens and how much it lets a client do.
    public struct Configuration: Sendable {
        /// The addresses to listen on, all at once.
        public var listeners: [ListenAddress]
        /// Names that a `Host` header on TCP may give beside `localhost`, `127.0.0.1` and `::1`.
        ///
        /// When a listener can be reached from the network, numeric addresses and names that end in `.local` are taken too.
        public var hostNames: [String]
        /// How long a client may take.
        public var deadlines: Deadlines
        /// How much a client may send.
        public var limits: Limits
        /// What each connection of TCP passes through before HTTP, such as TLS; nil when that is nothing.
        ///
        /// Called on the connection's event loop before a byte is read; it adds handlers to the channel's pipeline. A
        /// handler there that lets the client wait on purpose says so with ``ConnectionPause``.
        public var front: (@Sendable (any Channel) throws -> Void)?
        /// Whether requests on TCP are served only when they are encrypted; others are answered with
        /// 426 Upgrade Required (RFC 2817 §4.2).
        public var requiresTLS = false

        /// Returns the handlers of a new connection that stand between the server and the client's HTTP parts.
        ///
        /// A handler can change or delay responses (`HTTPServerResponsePart`); simulated printers inject faults with it. The
        /// function is called on the connection's event loop. nil adds no handler.
        public var responseHandlers: (@Sendable (any Channel) -> [any ChannelHandler])?

        /// A server at the given addresses, with the given bounds.
        public init(
            listeners: [ListenAddress], hostNames: [String] = [], deadlines: Deadlines = Deadlines(),
            limits: Limits = Limits()
        ) {
            self.listeners = listeners
            self.hostNames = hostNames
            self.deadlines = deadlines
            self.limits = limits
        }
    }

    /// How long a client may take; after that its connection is closed.
    public struct Deadlines: Sendable {
        /// From connecting to the end of the first request's header.
        public var head: TimeAmount = .seconds(15)
        /// From the end of an answer to the end of the next request's header on the same connection.
        public var keepAlive: TimeAmount = .seconds(60)
        /// Between two pieces of a request's body, while the server waits for one.
        public var bodyIdle: TimeAmount = .seconds(60)
        /// From the end of a request's header to the end of its body.
        public var request: TimeAmount = .hours(4)
        /// For each `Limits.paceBytes` of a request's body, while the server waits for them.
        public var pace: TimeAmount = .seconds(60)
        /// Without any progress in sending an answer that the client does not read.
        public var answerIdle: TimeAmount = .seconds(60)
        /// For what a client still sends after it has its answer.
        public var linger: TimeAmount = .seconds(5)
        /// For requests in progress, once the server is asked to stop.
        public var shutdown: TimeAmount = .seconds(10)

        /// The default times.
        public init() {}
    }

    /// How much a client may send.
    public struct Limits: Sendable {
        /// Bytes of a request's HTTP header.
        public var headerBytes = 32 << 10
        /// Bytes of a request's IPP attributes.
        public var attributeBytes = 1 << 20
        /// Bytes of document data, after inflating; the responder may set a lower limit of its own.
        public var documentBytes = Int.max
        /// Bytes that a document may inflate to for each compressed byte, once it is past its first MiB.
        ///
        /// Deflate cannot do better than 1032, and reaches that only with one byte repeated for ever.
        public var inflationRatio = 1000
        /// Bytes of an unread document that are thrown away so that the connection can be used again.
        public var discardedBytes = 1 << 20
        /// Bytes of a request's body that must come within each `Deadlines.pace`, while the server waits for them.
        ///
        /// With the default times that is 68 bytes a second: a modem is faster, and a client that holds a connection
        /// open with a byte now and then is slower.
        public var paceBytes = 4096
        /// Connections open at once on each listener; more of them wait to be accepted.
        ///
        /// Fewer when the process may not have so many files open (``OpenFiles``).
        public var connections = 4096
        /// Connections open at once from one user, or from one address of TCP, and at most half of `connections`.
        ///
        /// A new connection beyond that replaces one without a request, or is closed.
        public var connectionsPerPeer = 2048
        /// Bytes of the attributes of requests in progress from one user, or from one address of TCP.
        ///
        /// Further requests are answered with `server-error-busy`.
        public var attributeBytesPerPeer = 8 << 20
        /// Bytes of the attributes of all requests in progress.
        public var attributeBytesInAll = 32 << 20

        /// The default limits.
        public init() {}
    }
}

/// An address to listen on.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A Unix socket at a path; `mode` says who may connect (0o600: only the owner, 0o666: everyone).
    case unix(path: String, mode: UInt32 = 0o600)
    /// A host and a TCP port; port 0 takes any free one.
    case tcp(host: String, port: Int)

    /// `/run/printd.sock`, `127.0.0.1:8631`, `[::1]:8631`.
    public var description: String {
        switch self {
        case .unix(let path, _): path
        case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}

/// What a handler in front of HTTP (``IPPServer/Configuration/front``) tells the connection's deadlines, as an inbound
/// user event.
public enum ConnectionPause: Sendable, Hashable {
    /// The server itself lets the client wait; no header is expected meanwhile.
    case begins
    /// The client is expected to go on; ``IPPServer/Deadlines/head`` begins anew.
    case ends
}
