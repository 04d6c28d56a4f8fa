// What a listener does when a connection cannot be accepted.

import Glibc
import Logging
import NIOCore

/// Keeps a listener alive when a connection cannot be accepted: too many files are open, or the client has gone already.
///
/// Without it the first such failure would end the server. When files or memory are short, nothing is accepted for a
/// moment, because the connection that could not be is still there, and would be tried again at once, for ever.
final class AcceptPause: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private let logger: Logger
    private var isPausing = false
    private var isReadWanted = false
    /// It is said once, not at each of many tries.
    private var silentUntil = NIODeadline.now()

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return logger.debug("a connection broke while it was accepted", metadata: ["error": "\(error)"])
        }
        guard !isPausing else { return }
        if silentUntil <= .now() {
            logger.error("no more connections can be accepted for now", metadata: ["error": "\(error)"])
        }
        silentUntil = .now() + .seconds(60)
        isPausing = true
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) { [self] in
            isPausing = false
            if isReadWanted { context.read() }
            isReadWanted = false
        }
    }

    func read(context: ChannelHandlerContext) {
        if isPausing { isReadWanted = true } else { context.read() }
    }
}
