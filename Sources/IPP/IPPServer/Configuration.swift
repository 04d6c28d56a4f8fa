// The configuration of an IPP server.

import IPP
public import NIOCore

extension IPPServer {
    /// The configuration of an IPP server.
    public struct Configuration: Sendable {
        /// The addresses to listen on.
        public var listeners: [ListenAddress]
        /// The names that a `Host` header on TCP can have in addition to `localhost`, `127.0.0.1` and `::1`.
        ///
        /// If a listener can be reached from the network, numeric addresses and names that end in `.local` are accepted
        /// too.
        public var hostNames: [String]
        /// The time limits for clients.
        public var deadlines: Deadlines
        /// The size limits for clients.
        public var limits: Limits
        /// The closure that adds handlers that precede HTTP on each TCP connection, such as TLS; nil adds no handler.
        ///
        /// The closure is called on the connection's event loop before the first read. A handler that delays the client
        /// on purpose sends a ``ConnectionPause``.
        public var front: (@Sendable (any Channel) throws -> Void)?
        /// Whether TCP clients must use TLS.
        ///
        /// Unencrypted requests are rejected with 426 Upgrade Required (RFC 2817 §4.2).
        public var requiresTLS = false

        /// The closure that returns the additional handlers of a new connection, between the HTTP codec and the server;
        /// nil adds no handler.
        ///
        /// A handler can change or delay responses (`HTTPServerResponsePart`). Simulated printers use such a handler to
        /// inject faults. The function is called on the connection's event loop.
        public var responseHandlers: (@Sendable (any Channel) -> [any ChannelHandler])?

        /// Creates a configuration.
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

    /// The time limits for clients; the server closes the connection of a client that exceeds a limit.
    public struct Deadlines: Sendable {
        /// The time from the connection to the end of the first request's header.
        public var head: TimeAmount = .seconds(15)
        /// The time from the end of a response to the end of the next request's header on the connection.
        public var keepAlive: TimeAmount = .seconds(60)
        /// The time between two pieces of a request's body, while the server waits for the next piece.
        public var bodyIdle: TimeAmount = .seconds(60)
        /// The time from the end of a request's header to the end of its body.
        public var request: TimeAmount = .hours(4)
        /// The time for each `Limits.paceBytes` bytes of a request's body, while the server waits for the bytes.
        public var pace: TimeAmount = .seconds(60)
        /// The time without progress while the server sends a response that the client does not read.
        public var answerIdle: TimeAmount = .seconds(60)
        /// The time for the rest of a request whose response has already been sent.
        public var linger: TimeAmount = .seconds(5)
        /// The time for requests in progress after the server was asked to stop.
        public var shutdown: TimeAmount = .seconds(10)

        /// Creates the default time limits.
        public init() {}
    }

    /// The size limits for clients.
    public struct Limits: Sendable {
        /// The maximum size of a request's HTTP header in bytes.
        public var headerBytes = 32 << 10
        /// The maximum size of a request's IPP attributes in bytes.
        public var attributeBytes = 1 << 20
        /// The maximum size of the document data in bytes, after inflating; the responder can set a lower limit.
        public var documentBytes = Int.max
        /// The maximum ratio of inflated to compressed bytes of a document after its first MiB.
        ///
        /// Deflate reaches a ratio of at most 1032, for data that repeats one byte.
        public var inflationRatio = 1000
        /// The maximum number of bytes of an unread document that the server discards to keep the connection usable.
        public var discardedBytes = 1 << 20
        /// The bytes of a request's body that must arrive within each `Deadlines.pace` while the server waits for the
        /// body.
        ///
        /// With the default time limit, a client must send at least 68 bytes per second. A modem is faster than this
        /// limit. An attacker who sends single bytes to keep a connection open is slower.
        public var paceBytes = 4096
        /// The maximum number of open connections on each listener; further connections wait to be accepted.
        ///
        /// The limit of open files can reduce this number (``OpenFiles``).
        public var connections = 4096
        /// The maximum number of open connections from one user or one TCP address, at most half of `connections`.
        ///
        /// A further connection replaces an idle connection of the same client, or is closed.
        public var connectionsPerPeer = 2048
        /// The maximum size in bytes of the attributes of requests in progress from one user or one TCP address.
        ///
        /// Further requests are rejected with `server-error-busy`.
        public var attributeBytesPerPeer = 8 << 20
        /// The maximum size in bytes of the attributes of all requests in progress.
        public var attributeBytesInAll = 32 << 20

        /// Creates the default limits.
        public init() {}
    }
}

/// An address to listen on.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A Unix socket at a path. `mode` is the file permissions: 0o600 lets only the owner connect, 0o666 every user.
    case unix(path: String, mode: UInt32 = 0o600)
    /// A host and a TCP port; port 0 selects a free port.
    case tcp(host: String, port: Int)

    /// The address as text, such as `/run/printd.sock`, `127.0.0.1:8631` or `[::1]:8631`.
    public var description: String {
        switch self {
        case .unix(let path, _): path
        case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}

/// An inbound user event that stops or restarts the deadlines of a connection.
///
/// A handler that precedes HTTP (``IPPServer/Configuration/front``) sends the event.
public enum ConnectionPause: Sendable, Hashable {
    /// The server delays the client. The deadline for the header stops.
    case begins
    /// The server waits for the client again. The deadline ``IPPServer/Deadlines/head`` starts again.
    case ends
}
