// The pipeline of an HTTP/1.1 connection.

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 connection: the optional front, the codec, the guard, IPP, then Hummingbird for other requests.
struct IPPServerChannel: ServerChildChannel {
    let base: HTTP1Channel
    /// The closure that adds the handlers that precede HTTP, or `nil` if there are none.
    let front: (@Sendable (any Channel) throws -> Void)?
    /// The closure that returns the handlers between the codec and Hummingbird.
    let handlers: @Sendable (any Channel) -> [any ChannelHandler]

    /// Adds all handlers in one turn of the event loop, before the first read.
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try front?(channel)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).flatMapThrowing { [handlers] value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(handlers(channel), position: .after(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
