// Accepts connections at one address and serves HTTP on them.

import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A server for the connections of one listening socket.
///
/// The acceptor replaces the server of Hummingbird, which cannot use a socket that another process has bound.
struct Acceptor: Sendable {
    /// The socket to accept connections on.
    enum Source: Sendable {
        /// A new socket at a host and a port.
        case tcp(host: String, port: Int)
        /// A new Unix socket at a path.
        ///
        /// An existing socket file at the path is replaced.
        case path(String)
        /// A listening socket that another process has bound and keeps open.
        case descriptor(Int32)
    }

    /// An error for an acceptor that ended although no shutdown was requested.
    struct Stopped: Error, CustomStringConvertible {
        var description: String { "the listening socket was closed" }
    }

    let source: Source
    let makeChannel: @Sendable (@escaping HTTPChannelHandler.Responder) -> IPPServerChannel
    let routes: RouteResponder
    /// The maximum number of open connections.
    ///
    /// Further connections wait to be accepted.
    let connections: Int
    let date: AnswerDate
    let logger: Logger
    let eventLoop: any EventLoop

    private typealias ServerChannel = NIOAsyncChannel<AcceptedConnection, Never>

    /// Serves connections until graceful shutdown or cancellation.
    ///
    /// A graceful shutdown closes this process's descriptor of the socket. Connections in the kernel's queue remain
    /// there if another process has the socket open.
    ///
    /// - Parameter onRunning: A closure that is called when the socket is bound.
    /// - Throws: The error of the socket, or `Stopped`.
    func run(onRunning: @escaping @Sendable (any Channel) async -> Void) async throws {
        let quiescing = ServerQuiescingHelper(group: eventLoop)
        let connection = makeChannel(respond)
        let server = try await open(quiescing, connection)
        let isStopping = Mutex(false)
        await withGracefulShutdownHandler {
            await onRunning(server.channel)
            await withDiscardingTaskGroup { group in
                do {
                    try await server.executeThenClose { accepted in
                        for try await connection in accepted {
                            group.addTask { await connection.serve() }
                        }
                    }
                } catch is CancellationError {
                    // The caller reports the cancellation.
                } catch {
                    logger.error("cannot accept connections on a listening socket", metadata: ["error": "\(error)"])
                }
            }
        } onGracefulShutdown: {
            isStopping.withLock { $0 = true }
            quiescing.initiateShutdown(promise: nil)
        }
        try Task.checkCancellation()
        guard isStopping.withLock({ $0 }) else { throw Stopped() }
    }

    private func open(
        _ quiescing: ServerQuiescingHelper, _ connection: IPPServerChannel
    ) async throws -> ServerChannel {
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [connections, logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    channel.closeOnExec()
                    try pipeline.addHandler(AcceptPause(logger: logger))
                    try pipeline.addHandler(
                        AvailableConnectionsChannelHandler(
                            delegate: MaximumAvailableConnections(connections, logger: logger)))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
        let setUp: @Sendable (any Channel) -> EventLoopFuture<AcceptedConnection> = { [logger] channel in
            connection.setup(channel: channel, logger: logger).map { value in
                AcceptedConnection(value) { await connection.handle(value: $0, logger: logger) }
            }
        }
        switch source {
        case .tcp(let host, let port):
            return try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
        case .path(let path):
            return try await bootstrap.bind(
                unixDomainSocketPath: path, cleanupExistingSocketFile: true, childChannelInitializer: setUp)
        case .descriptor(let descriptor):
            let server = try await bootstrap.bind(descriptor, childChannelInitializer: setUp)
            // SwiftNIO has shortened the kernel's queue to 128 connections. The owner of the socket wants a long queue,
            // which holds the connections while the service restarts.
            listen(descriptor, SOMAXCONN)
            return server
        }
    }

    /// Responds to a request other than IPP.
    @Sendable private func respond(
        to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        let context = IPPRequestContext(source: .init(channel: channel, logger: logger))
        var response: Response
        do {
            response = try await routes.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            logger.debug("a route failed to handle a request", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = date.now
        try await writer.write(response: response.head, body: response.body)
    }
}

/// A connection that the server has accepted and must serve.
///
/// SwiftNIO drops a connection that was accepted while the listening socket is being closed. A dropped channel ends the
/// process with a fatal error, and the client might have sent a request. Therefore a separate task serves this
/// connection.
private final class AcceptedConnection: Sendable {
    private let value: Mutex<IPPServerChannel.Value?>
    private let handle: @Sendable (IPPServerChannel.Value) async -> Void

    init(_ value: IPPServerChannel.Value, handle: @escaping @Sendable (IPPServerChannel.Value) async -> Void) {
        self.value = Mutex(value)
        self.handle = handle
    }

    deinit {
        guard let value = take() else { return }
        Task { [handle] in await handle(value) }
    }

    /// Serves the connection until the connection is closed.
    func serve() async {
        guard let value = take() else { return }
        await handle(value)
    }

    private func take() -> IPPServerChannel.Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
