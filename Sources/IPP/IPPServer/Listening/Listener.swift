// Serves one address.

import AsyncPrimitives
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A service that serves one address until graceful shutdown.
struct Listener: Service {
    let address: ListenAddress
    let configuration: IPPServer.Configuration
    let endpoint: IPPEndpoint
    let connections: ConnectionTable
    let logger: Logger
    var onListening: @Sendable (ListenAddress) async -> Void

    func run() async throws {
        if let descriptor = configuration.inherited[address] {
            // The file of an inherited Unix socket belongs to the process that has bound the socket.
            return try await serve(at: .descriptor(descriptor)) { _ in address }
        }
        switch address {
        case .tcp(let host, let port):
            try await serve(at: .tcp(host: host, port: port)) { channel in
                .tcp(host: host, port: channel.localAddress?.port ?? port)
            }
        case .unix(let path, let mode):
            let socket = try await UnixSocketFile(path: path, mode: mode, address: address)
            defer { socket.remove() }
            try await serve(at: .path(socket.hiddenPath)) { _ in
                try socket.publish()
                return address
            }
        }
    }

    /// The closure that adds handlers, such as TLS, before the HTTP handlers.
    ///
    /// The property is `nil` for a Unix socket, because the data of a Unix socket does not leave the kernel.
    private var channelSetup: (@Sendable (any Channel) throws -> Void)? {
        if case .tcp = address { configuration.channelSetup } else { nil }
    }

    /// Serves the address until shutdown.
    ///
    /// - Parameter open: A closure that makes the bound channel reachable and returns its address.
    func serve(at source: Acceptor.Source, open: @escaping @Sendable (any Channel) throws -> ListenAddress)
        async throws
    {
        let progress = Progress()
        let tasks = EventLoopExecutor(on: MultiThreadedEventLoopGroup.singleton.next())
        tasks.eventLoop.execute { BlockingCall.forbidOnThisThread() }
        let requests = RequestCount()
        let acceptor = Acceptor(
            source: source, connections: min(configuration.limits.connections, OpenFiles.connections), logger: logger,
            eventLoop: tasks.eventLoop
        ) { [self] channel in
            try channelSetup?(channel)
            try addHTTP(to: channel, tasks, requests)
        }
        do {
            try await withTaskExecutorPreference(tasks) {
                try await acceptor.run { channel in
                    do {
                        OpenFiles.closeEventQueuesOnExec()
                        let bound = try open(channel)
                        progress.isListening.withLock { $0 = true }
                        await onListening(bound)
                    } catch {
                        progress.failure.withLock { $0 = error }
                        channel.close(promise: nil)
                    }
                }
            }
            await requests.untilNone()
        } catch {
            await requests.untilNone()
            throw progress.failure.withLock { $0 } ?? translate(error, progress)
        }
    }

    /// Adds the handlers of HTTP to a connection: the codec, ``ConnectionGuard``, the additional handlers of the
    /// configuration, and ``IPPConnection``.
    private func addHTTP(to channel: any Channel, _ tasks: EventLoopExecutor, _ requests: RequestCount) throws {
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = configuration.limits.headerBytes
        decoding.maxHeaderListSize = configuration.limits.headerBytes
        decoding.maxHeaderFieldCount = 100
        let pipeline = channel.pipeline.syncOperations
        // `IPPConnection` orders pipelined requests and handles errors. The names and values of `HTTPFields` are valid.
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
        let connection = ConnectionGuard(
            deadlines: configuration.deadlines, limits: configuration.limits, connections: connections)
        try pipeline.addHandler(connection)
        try pipeline.addHandlers(configuration.responseHandlers?(channel) ?? [])
        try pipeline.addHandler(
            IPPConnection(endpoint: endpoint, tasks: tasks, requests: requests, behind: connection))
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
