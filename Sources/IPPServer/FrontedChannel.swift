// HTTP/1.1, behind whatever a connection passes through first.

import HummingbirdCore
import Logging
import NIOCore

/// A connection of HTTP/1.1 whose front is set up before its HTTP, on the same turn of the event loop.
struct FrontedChannel: ServerChildChannel {
    let base: HTTP1Channel
    /// Adds what stands before HTTP; nil when nothing does.
    let front: (@Sendable (any Channel) throws -> Void)?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try front?(channel)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
