// The pipeline of an HTTP/1.1 connection.

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel that serves an HTTP/1.1 connection.
///
/// The channel has these handlers, in order: optional handlers, such as TLS; the HTTP codec; ``ConnectionGuard``;
/// ``IPPConnection``; and Hummingbird for requests other than IPP.
struct IPPServerChannel: ServerChildChannel {
    let base: HTTP1Channel
    /// The closure that adds the handlers in front of HTTP, or `nil` if no handlers precede HTTP.
    let front: (@Sendable (any Channel) throws -> Void)?
    /// The closure that returns the handlers between the HTTP codec and Hummingbird.
    let handlers: @Sendable (any Channel) -> [any ChannelHandler]

    /// Adds all handlers in one iteration of the event loop, before the first read.
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
