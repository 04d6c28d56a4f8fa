// HTTP/1.1, behind whatever a connection passes through first.

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of HTTP/1.1: its front, the codec, the guard, IPP, and for all else Hummingbird.
struct IPPServerChannel: ServerChildChannel {
    let base: HTTP1Channel
    /// Adds what stands before HTTP; nil when nothing does.
    let front: (@Sendable (any Channel) throws -> Void)?
    /// Makes what stands between the codec and Hummingbird.
    let handlers: @Sendable (any Channel) -> [any ChannelHandler]

    /// Sets all of it up on the same turn of the event loop, before a byte is read.
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
