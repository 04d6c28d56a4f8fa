// The configuration of an IPP server.

import IPP
package import NIOCore

extension IPPServer {
    /// The configuration of an IPP server.
    public struct Configuration: Sendable {
        package var listeners: [ListenAddress]
        /// The file descriptors of the listening sockets that another process has bound; the keys are the addresses.
        ///
        /// The server accepts connections on these sockets, and does not bind or remove the sockets. At shutdown, the
        /// server closes its descriptors. Connections that the server has not accepted wait for the next process that
        /// uses the socket.
        package var inherited: [ListenAddress: Int32] = [:]
        /// The names that a `Host` header on TCP can have in addition to `localhost`, `127.0.0.1` and `::1`.
        ///
        /// If a listener can be reached from the network, numeric addresses and names that end in `.local` are also
        /// accepted.
        package var hostNames: [String]
        package var deadlines: Deadlines
        package var limits: Limits
        /// The closure that adds handlers in front of HTTP, such as TLS, to each TCP connection.
        ///
        /// If the property is `nil`, the server adds no handler.
        ///
        /// The closure is called on the connection's event loop before the first read. A handler that delays the client
        /// on purpose sends a ``ConnectionPause``.
        package var channelSetup: (@Sendable (any Channel) throws -> Void)?
        /// Whether TCP clients must use TLS.
        ///
        /// Unencrypted requests are rejected with 426 Upgrade Required (RFC 2817 §4.2).
        package var requiresTLS = false
        /// The function that returns whether clients with an IP address can connect; `nil` for all clients.
        ///
        /// The connections of other clients are closed before they are read.
        package var admits: (@Sendable (_ address: String) -> Bool)?

        /// The closure that returns the additional handlers of a new connection, between the HTTP codec and the server.
        ///
        /// If the property is `nil`, the server adds no handler.
        ///
        /// A handler can change or delay responses (`HTTPServerResponsePart`). Simulated printers use a handler to
        /// inject faults. The closure is called on the connection's event loop.
        package var responseHandlers: (@Sendable (any Channel) -> [any ChannelHandler])?

        package init(
            listeners: [ListenAddress], hostNames: [String] = [], deadlines: Deadlines = Deadlines(),
            limits: Limits = Limits()
        ) {
            (self.listeners, self.hostNames, self.deadlines, self.limits) = (listeners, hostNames, deadlines, limits)
        }
    }

    /// The time limits for clients.
    ///
    /// The server closes the connection of a client that exceeds a limit.
    public struct Deadlines: Sendable {
        /// The maximum time from the start of a connection to the end of the first request's header.
        package var head: TimeAmount = .seconds(15)
        /// The maximum time between the end of a response and the end of the next request's header.
        package var keepAlive: TimeAmount = .seconds(60)
        /// The maximum time between two pieces of a request's body, while the server waits for the next piece.
        package var bodyIdle: TimeAmount = .seconds(60)
        /// The maximum time from the end of a request's header to the end of its body.
        package var request: TimeAmount = .hours(4)
        /// The interval in which at least `Limits.paceBytes` bytes of a request's body must arrive, while the server
        /// waits for the body.
        package var pace: TimeAmount = .seconds(60)
        /// The maximum time until the client reads the next part of a response, while the server has a response to
        /// send.
        package var answerIdle: TimeAmount = .seconds(60)
        /// The maximum time in which the remaining data of a request must arrive, if the server has already sent the
        /// response.
        package var linger: TimeAmount = .seconds(5)
        /// The maximum duration of requests in progress after the server was asked to stop.
        package var shutdown: TimeAmount = .seconds(10)
        /// The maximum time for which a stopping server waits for the first request of a new connection.
        package var lastRequest: TimeAmount = .seconds(1)

        /// Creates the default time limits for clients.
        package init() {}
    }

    /// The size limits for clients.
    public struct Limits: Sendable {
        /// The maximum size of a request's HTTP header in bytes.
        package var headerBytes = 32 << 10
        /// The maximum size of a request's IPP attributes in bytes.
        package var attributeBytes = 1 << 20
        /// The maximum size of the document data in bytes, after decompression.
        ///
        /// The responder can set a lower limit.
        package var documentBytes = Int.max
        /// The ratio of decompressed to compressed bytes at which the server rejects a document.
        ///
        /// The server checks the ratio after the first MiB of decompressed data.
        ///
        /// Deflate reaches a ratio of at most 1032, for data that repeats one byte.
        package var inflationRatio = 1000
        /// The maximum number of bytes of an unread document that the server discards to keep the connection usable.
        package var discardedBytes = 1 << 20
        /// The minimum number of bytes of a request's body that must arrive within each interval `Deadlines.pace` while
        /// the server waits for the body.
        ///
        /// With the default time limit, a client must send at least 68 bytes per second. A modem exceeds this speed. An
        /// attacker who keeps a connection open by sending single bytes does not reach this speed.
        package var paceBytes = 4096
        /// The maximum number of open connections on each listener.
        ///
        /// Further connections wait to be accepted.
        ///
        /// The limit of open files can reduce this number (``OpenFiles``).
        package var connections = 4096
        /// The maximum number of open connections from one user or one TCP address.
        ///
        /// The value is at most half of `connections`.
        ///
        /// A further connection replaces an idle connection of the same client, or is closed.
        package var connectionsPerPeer = 2048
        /// The maximum size, in bytes, of the attributes in all requests in progress from one user or one TCP address.
        ///
        /// Further requests are rejected with `server-error-busy`.
        package var attributeBytesPerPeer = 8 << 20
        /// The maximum size in bytes of the attributes of all requests in progress.
        package var attributeBytesInAll = 32 << 20

        /// Creates the default size limits for clients.
        package init() {}
    }
}

/// An address that a server listens on.
public enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A Unix socket at a path.
    ///
    /// `mode` contains the file permissions. With 0o600, only the owner can connect. With 0o666, every user can
    /// connect.
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

/// An inbound user event that stops or restarts the deadline for the first header of a connection.
///
/// A handler that precedes HTTP (``IPPServer/Configuration/channelSetup``) sends the event.
public enum ConnectionPause: Sendable, Hashable {
    /// The start of a delay that the server causes.
    ///
    /// The deadline ``IPPServer/Deadlines/head`` stops.
    case begins
    /// The end of a delay: the server waits for the client again.
    ///
    /// The deadline ``IPPServer/Deadlines/head`` starts again.
    case ends
}
