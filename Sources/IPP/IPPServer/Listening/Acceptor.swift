// Accepts connections at one address.

import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

struct Acceptor: Sendable {
    enum Source: Sendable {
        case tcp(host: String, port: Int)
        /// A new Unix socket at a path.
        ///
        /// An existing socket file at the path is replaced.
        case path(String)
        /// A listening socket that another process has bound and keeps open.
        case descriptor(Int32)
    }

    struct Stopped: Error, CustomStringConvertible {
        var description: String { "the listening socket was closed" }
    }

    let source: Source
    /// Further connections wait to be accepted.
    let connections: Int
    let logger: Logger
    let eventLoop: any EventLoop
    /// The closure that adds the handlers of a new connection before the first read.
    let setUp: @Sendable (any Channel) throws -> Void

    /// Serves connections until graceful shutdown or cancellation.
    ///
    /// A graceful shutdown closes this process's descriptor of the socket. Connections in the kernel's queue remain
    /// there if another process has the socket open.
    ///
    /// Call this method in a task that prefers the event loop as its executor.
    ///
    /// - Parameter onRunning: A closure that is called when the socket is bound.
    /// - Throws: The error of the socket, or `Stopped`.
    func run(onRunning: @escaping @Sendable (any Channel) async -> Void) async throws {
        let accepted = NIOLoopBound(AcceptedConnections(most: connections), eventLoop: eventLoop)
        let server = try await bind(accepted)
        let end = accepted.value.end
        let isStopping = Mutex(false)
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onRunning(server)
                try? await end?.get()
            } onGracefulShutdown: {
                isStopping.withLock { $0 = true }
                server.close(promise: nil)
            }
        } onCancel: {
            server.close(promise: nil)
            eventLoop.execute { accepted.value.closeAll() }
        }
        try Task.checkCancellation()
        guard isStopping.withLock({ $0 }) else { throw Stopped() }
    }

    private func bind(_ accepted: NIOLoopBound<AcceptedConnections>) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    channel.closeOnExec()
                    try channel.pipeline.syncOperations.addHandlers(AcceptPause(logger: logger), accepted.value)
                }
            }
            .childChannelInitializer { [setUp] channel in channel.eventLoop.makeCompletedFuture { try setUp(channel) } }
        switch source {
        case .tcp(let host, let port): return try await bootstrap.bind(host: host, port: port).get()
        case .path(let path):
            return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        case .descriptor(let descriptor):
            let server = try await bootstrap.withBoundSocket(descriptor).get()
            // SwiftNIO has shortened the kernel's queue to 128 connections. The owner of the socket wants a long queue,
            // which holds the connections while the service restarts.
            listen(descriptor, SOMAXCONN)
            return server
        }
    }
}
