// Handles connections that cannot be accepted.

import Glibc
import Logging
import NIOCore

/// A handler that keeps a listener running when the listener cannot accept a connection.
///
/// For example, the process has too many open files, or the client has already disconnected.
///
/// Without this handler, the first failure to accept a connection would end the server. If the process has too many
/// open files or too little memory, the listener pauses. Without the pause, the listener would try to accept the same
/// connection again and again.
final class AcceptPause: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private let logger: Logger
    private var isPausing = false
    private var isReadWanted = false
    /// The time until which the handler does not log the same failure again.
    private var silentUntil = NIODeadline.now()

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return logger.debug("accept() failed because a connection was lost", metadata: ["error": "\(error)"])
        }
        guard !isPausing else { return }
        if silentUntil <= .now() {
            logger.error("cannot accept connections; trying again", metadata: ["error": "\(error)"])
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
