// TLS on a connection.

import NIOCore
import NIOTLS

/// A channel handler that encrypts and decrypts the data of a connection.
///
/// The handler begins the handshake when the connection is active, and sends `TLSUserEvent.handshakeCompleted`. Writes
/// wait for the end of the handshake. The handler stores no other data: it passes on the plaintext of the bytes that
/// arrive, and the records of each write, so that `read()` and the writability of the channel limit the memory.
///
/// All state, and the session, belong to the channel's event loop.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case handshaking, open
        /// The state after `close_notify` of the peer, or after the peer closed its output.
        case inputClosed
        /// The state after `close_notify` of this end.
        case outputClosed
        /// The last state: the handler passes on no data.
        case closing
    }

    private let session: TLSSession
    private var state = State.handshaking
    private var waiting = CircularBuffer<(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)>(initialCapacity: 0)
    private var isFlushWaiting = false
    /// Whether the next handler has received data since the last `channelReadComplete`.
    private var hasDelivered = false

    /// The maximum time to wait until the peer accepts the last record before the connection is closed.
    private static let closeTimeout = TimeAmount.seconds(5)

    init(_ session: TLSSession) { self.session = session }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { shakeHands(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { giveUp() }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if state == .handshaking { shakeHands(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let isTruncated = state != .closing && state != .inputClosed
        giveUp()
        if isTruncated { context.fireErrorCaught(TLSFailure.truncated) }
        context.fireChannelInactive()
    }

    /// Fails the writes that wait, and accepts no more data.
    private func giveUp() {
        state = .closing
        while let write = waiting.popFirst() { write.promise?.fail(ChannelError.ioOnClosedChannel) }
    }

    // MARK: - Input

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .closing, state != .inputClosed else { return }
        session.feed(unwrapInboundIn(data))
        if state == .handshaking { shakeHands(context) }
        if state == .open || state == .outputClosed { receive(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasDelivered {
            hasDelivered = false
            context.fireChannelReadComplete()
        } else if state != .closing {
            // The next handler has asked for data, and the records that arrived contained no data.
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
        switch state {
        case .handshaking: fail(.truncated, context)
        case .open, .outputClosed:
            state = .inputClosed
            context.fireErrorCaught(TLSFailure.truncated)
            context.fireUserInboundEventTriggered(event)
        case .inputClosed, .closing: break
        }
    }

    private func shakeHands(_ context: ChannelHandlerContext) {
        do {
            let isComplete = try session.shakeHands()
            sendOutput(context)
            guard isComplete, state == .handshaking else { return }
        } catch {
            return fail(error, context)
        }
        state = .open
        context.fireUserInboundEventTriggered(
            TLSUserEvent.handshakeCompleted(negotiatedProtocol: session.applicationProtocol))
        while state == .open, let write = waiting.popFirst() { encrypt(write.bytes, write.promise, context) }
        if isFlushWaiting { context.flush() }
    }

    private func receive(_ context: ChannelHandlerContext) {
        var plaintext = context.channel.allocator.buffer(capacity: session.unread)
        var failure: TLSFailure?
        var isEnd = false
        do { isEnd = try session.receive(into: &plaintext) } catch { failure = error }
        sendOutput(context)
        if plaintext.readableBytes > 0 {
            hasDelivered = true
            context.fireChannelRead(wrapInboundOut(plaintext))
        }
        if let failure { return fail(failure, context) }
        if isEnd { endInput(context) }
    }

    /// Handles `close_notify` of the peer as a TCP connection handles the end of its input.
    private func endInput(_ context: ChannelHandlerContext) {
        guard state == .open || state == .outputClosed else { return }
        if hasDelivered {
            hasDelivered = false
            context.fireChannelReadComplete()
        }
        let isOver = state == .outputClosed
        state = .inputClosed
        let isHalfClosureAllowed = try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)
        if isHalfClosureAllowed == true { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if isOver || isHalfClosureAllowed != true { close(context: context, mode: .all, promise: nil) }
    }

    // MARK: - Output

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch state {
        case .handshaking: waiting.append((unwrapOutboundIn(data), promise))
        case .open, .inputClosed: encrypt(unwrapOutboundIn(data), promise, context)
        case .outputClosed: promise?.fail(ChannelError.outputClosed)
        case .closing: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    func flush(context: ChannelHandlerContext) {
        if state == .handshaking { isFlushWaiting = true } else { context.flush() }
    }

    private func encrypt(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        do {
            try session.send(bytes)
            // An empty write has a promise, too: the promise succeeds after the writes before it.
            context.write(wrapOutboundOut(session.takeOutput()), promise: promise)
        } catch {
            promise?.fail(error)
            fail(error, context)
        }
    }

    /// Sends the records that the session created itself, such as the messages of a handshake.
    private func sendOutput(_ context: ChannelHandlerContext) {
        let output = session.takeOutput()
        if output.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(output), promise: nil) }
    }

    // MARK: - End

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch (mode, state) {
        case (.input, _): promise?.fail(ChannelError.operationUnsupported)
        case (_, .closing): context.channel.closeFuture.cascade(to: promise)
        case (.output, .open):
            session.end()
            state = .outputClosed
            sendOutput(context)
            context.close(mode: .output, promise: promise)
        case (.output, .outputClosed): promise?.fail(ChannelError.outputClosed)
        case (_, .open), (_, .inputClosed):
            session.end()
            finish(nil, promise, context)
        case (_, .handshaking), (_, .outputClosed): finish(nil, promise, context)
        }
    }

    /// Sends an alert, reports the failure, and closes the connection.
    private func fail(_ failure: TLSFailure, _ context: ChannelHandlerContext) {
        guard state != .closing else { return }
        if state != .outputClosed { session.sendAlert(for: failure) }
        finish(failure, nil, context)
    }

    /// Sends the last record, and closes the connection.
    private func finish(
        _ failure: TLSFailure?, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        giveUp()
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(session.takeOutput()), promise: sent)
        if let failure { context.fireErrorCaught(failure) }
        // Writes of earlier data can still wait for the peer.
        let end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeTimeout) { context.close(promise: nil) }
        sent.futureResult.assumeIsolated().whenComplete { _ in
            end.cancel()
            context.close(promise: promise)
        }
    }
}
