// The open connections of a listening socket.

import NIOCore

/// A handler of a listening socket that limits the number of open connections, and closes the connections at shutdown.
///
/// The handler and its state belong to the event loop of the listening socket and its connections.
final class AcceptedConnections: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let most: Int
    private var open: [ObjectIdentifier: any Channel] = [:]
    /// Whether the socket accepts the next connection as soon as another connection closes.
    private var isReadWanted = false
    private var isStopped = false
    private var ended: EventLoopPromise<Void>?

    /// The future that succeeds when the listening socket and all its connections are closed; `nil` before the handler
    /// is in a pipeline.
    var end: EventLoopFuture<Void>? { ended?.futureResult }

    /// Creates a handler.
    ///
    /// - Parameter most: The maximum number of open connections. Further connections wait to be accepted.
    init(most: Int) { self.most = most }

    func handlerAdded(context: ChannelHandlerContext) { ended = context.eventLoop.makePromise() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        open[ObjectIdentifier(connection)] = connection
        connection.closeFuture.assumeIsolated().whenComplete { [self] _ in
            open[ObjectIdentifier(connection)] = nil
            if isReadWanted, open.count < most {
                isReadWanted = false
                context.read()
            }
            endIfDone()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if open.count < most { context.read() } else { isReadWanted = true }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isStopped = true
        isReadWanted = false
        // The handlers of a connection close the connection after the requests in progress.
        for connection in open.values { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        endIfDone()
    }

    func closeAll() { for connection in open.values { connection.close(promise: nil) } }

    private func endIfDone() { if isStopped, open.isEmpty { ended?.succeed() } }
}
