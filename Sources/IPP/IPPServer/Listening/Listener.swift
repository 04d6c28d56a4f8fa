// Serves one address.

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A service that serves one address until graceful shutdown.
struct Listener: Service {
    let address: ListenAddress
    let configuration: IPPServer.Configuration
    let endpoint: IPPEndpoint
    let routes: RouteResponder
    let roll: ConnectionTable
    let logger: Logger
    var onListening: @Sendable (ListenAddress) async -> Void

    func run() async throws {
        switch address {
        case .tcp(let host, let port):
            try await serve(at: .hostname(host, port: port)) { channel in
                .tcp(host: host, port: channel.localAddress?.port ?? port)
            }
        case .unix(let path, let mode):
            let socket = try await UnixSocketFile(path: path, mode: mode, address: address)
            defer { socket.remove() }
            try await serve(at: .unixDomainSocket(path: socket.hiddenPath)) { _ in
                try socket.publish()
                return address
            }
        }
    }

    /// The handlers that precede HTTP.
    ///
    /// A Unix socket has no such handlers, because its data does not leave the kernel.
    private var front: (@Sendable (any Channel) throws -> Void)? {
        if case .tcp = address { configuration.front } else { nil }
    }

    /// Serves until shutdown.
    ///
    /// - Parameter open: Makes the bound channel reachable and returns its address.
    func serve(at bind: BindAddress, open: @escaping @Sendable (any Channel) throws -> ListenAddress)
        async throws
    {
        let progress = Progress()
        let (deadlines, limits) = (configuration.deadlines, configuration.limits)
        let connections = min(limits.connections, OpenFiles.connections)
        let tasks = EventLoopExecutor(on: MultiThreadedEventLoopGroup.singleton.next())
        let requests = RequestCount()
        let application = Application(
            responder: routes,
            server: HTTPServerBuilder { [front, endpoint, roll, configuration] responder in
                IPPServerChannel(
                    base: HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            httpDecoderConfiguration: .init(
                                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                                maxHeaderFieldCount: 100))),
                    front: front,
                    handlers: { channel in
                        let connection = ConnectionGuard(deadlines: deadlines, limits: limits, roll: roll)
                        return [connection] + (configuration.responseHandlers?(channel) ?? []) + [
                            IPPConnection(endpoint: endpoint, tasks: tasks, requests: requests, behind: connection)
                        ]
                    })
            },
            configuration: .init(
                address: bind, availableConnectionsDelegate: .maximum(connections, logger: logger)),
            onServerRunning: { channel in
                do {
                    OpenFiles.closeEventQueuesOnExec()
                    try await channel.eventLoop.submit {
                        channel.closeOnExec()
                        try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger), position: .first)
                    }.get()
                    let bound = try open(channel)
                    progress.isListening.withLock { $0 = true }
                    await onListening(bound)
                } catch {
                    progress.failure.withLock { $0 = error }
                    channel.close(promise: nil)
                }
            },
            eventLoopGroupProvider: .shared(tasks.eventLoop),
            logger: logger)
        do {
            try await withTaskExecutorPreference(tasks) { try await application.run() }
            await requests.untilNone()
        } catch {
            await requests.untilNone()
            throw progress.failure.withLock { $0 } ?? translate(error, progress)
        }
        if let failure = progress.failure.withLock({ $0 }) { throw failure }
    }

    private func translate(_ error: any Error, _ progress: Progress) -> any Error {
        if error is CancellationError { return error }
        if progress.isListening.withLock({ $0 }) { return IPPServerError.stopped(address, cause: error) }
        if let error = error as? IOError, error.errnoCode == EADDRINUSE {
            return IPPServerError.addressInUse(address, cause: error)
        }
        return IPPServerError.cannotListen(address, cause: error)
    }

    private final class Progress: Sendable {
        let isListening = Mutex(false)
        let failure = Mutex<(any Error)?>(nil)
    }
}
