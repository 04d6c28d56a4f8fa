// Handles connections that cannot be accepted.

import Glibc
import Logging
import NIOCore

/// A handler that keeps a listener running when a connection cannot be accepted: too many files are open, or the client
/// has disconnected.
///
/// Without this handler, the first such failure would end the server. If the process has too many open files or too
/// little memory, the listener pauses. Otherwise it would retry the same waiting connection in an endless loop.
final class AcceptPause: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private let logger: Logger
    private var isPausing = false
    private var isReadWanted = false
    /// The end of the period in which the failure is not logged again.
    private var silentUntil = NIODeadline.now()

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return logger.debug("a connection was lost while it was accepted", metadata: ["error": "\(error)"])
        }
        guard !isPausing else { return }
        if silentUntil <= .now() {
            logger.error("cannot accept connections for now", metadata: ["error": "\(error)"])
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
