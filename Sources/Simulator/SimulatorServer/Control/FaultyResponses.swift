// Sends responses as a faulty printer does: cut off, slow, with another HTTP status, or not at all.

import Glibc
package import NIOCore
import NIOHTTP1
import Synchronization

/// The response faults of a server's connections.
///
///     let responses = FaultyResponses()
///     configuration.responseHandlers = responses.handlers          // the server's
///     FaultyAnswers(responder, service: service, responses: responses)
///
/// `FaultyAnswers` sets the fault of a connection's next response, and a handler on that connection applies the fault.
package final class FaultyResponses: Sendable {
    enum Fault: Sendable, Hashable {
        /// A response with this HTTP status and no IPP message.
        case httpStatus(Int)
        /// A connection that the server closes after this number of bytes of the body.
        case cut(after: Int)
        /// A body that the server sends with this number of bytes per second, at least 1.
        case slow(bytesPerSecond: Int)
        /// A connection that the server resets before the response.
        ///
        /// On TCP, the client receives RST.
        case reset
    }

    private let faults = Mutex<[ObjectIdentifier: Fault]>([:])

    package init() {}

    /// Without a connection, the function does nothing.
    func set(_ fault: Fault, forNextResponseOn connection: ObjectIdentifier?) {
        guard let connection else { return }
        faults.withLock { $0[connection] = fault }
    }

    /// Returns the handler of a new connection (`IPPServer.Configuration.responseHandlers`).
    package func handlers(for channel: any Channel) -> [any ChannelHandler] {
        [FaultyResponseHandler(connection: ObjectIdentifier(channel), responses: self)]
    }

    fileprivate func take(for connection: ObjectIdentifier) -> Fault? {
        faults.withLock { $0.removeValue(forKey: connection) }
    }
}

private final class FaultyResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: ObjectIdentifier
    private let responses: FaultyResponses
    private var fault: FaultyResponses.Fault?
    /// The number of body bytes that the server still sends before the connection is closed.
    private var remaining = 0
    private var delayed: [(part: HTTPServerResponsePart, promise: EventLoopPromise<Void>?)] = []
    private var isDelaying = false

    init(connection: ObjectIdentifier, responses: FaultyResponses) {
        (self.connection, self.responses) = (connection, responses)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        _ = responses.take(for: connection)
        for (_, promise) in delayed { promise?.fail(ChannelError.ioOnClosedChannel) }
        delayed = []
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if isDelaying {
            delayed.append((part, promise))
        } else {
            write(part, promise, context)
        }
    }

    private func write(
        _ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        if case .head(let head) = part, head.status.code >= 200 { fault = responses.take(for: connection) }
        switch fault {
        case nil: context.write(wrapOutboundOut(part), promise: promise)
        case .httpStatus(let status): write(part, promise, withStatus: status, context)
        case .cut: writeCut(part, promise, context)
        case .slow(let rate): writeSlowly(part, promise, rate: max(1, rate), context)
        case .reset:
            promise?.fail(ChannelError.ioOnClosedChannel)
            reset(context)
        }
    }

    // MARK: - HTTP status

    private func write(
        _ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>?, withStatus status: Int,
        _ context: ChannelHandlerContext
    ) {
        switch part {
        case .head(var head):
            let text = ByteBuffer(string: "this printer has a fault\n")
            head.status = HTTPResponseStatus(statusCode: status)
            head.headers.replaceOrAdd(name: "content-type", value: "text/plain; charset=utf-8")
            head.headers.replaceOrAdd(name: "content-length", value: "\(text.readableBytes)")
            head.headers.remove(name: "transfer-encoding")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            context.write(wrapOutboundOut(.body(.byteBuffer(text))), promise: nil)
        case .body: promise?.succeed()
        case .end: context.write(wrapOutboundOut(part), promise: promise)
        }
    }

    // MARK: - A response that is cut off

    private func writeCut(
        _ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        switch part {
        case .head(var head):
            if case .cut(let count) = fault { remaining = count }
            // A Content-Length header is left out, so that the client cannot mistake the part for a complete response.
            head.headers.remove(name: "content-length")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(.byteBuffer(var bytes)):
            if let piece = bytes.readSlice(length: min(remaining, bytes.readableBytes)) {
                remaining -= piece.readableBytes
                context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
            }
            promise?.succeed()
        case .body: promise?.succeed()
        case .end:
            promise?.succeed()
            // The promise of an empty piece is fulfilled when everything before it has been sent.
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
        }
    }

    // MARK: - A slow response

    private func writeSlowly(
        _ part: HTTPServerResponsePart, _ promise: EventLoopPromise<Void>?, rate: Int, _ context: ChannelHandlerContext
    ) {
        guard case .body(.byteBuffer(let bytes)) = part else {
            return context.writeAndFlush(wrapOutboundOut(part), promise: promise)
        }
        isDelaying = true
        send(bytes, promise, rate: rate, context)
    }

    /// Sends a body at the given rate, in ten pieces per second.
    ///
    /// If the rate is below ten bytes per second, the function sends single bytes.
    private func send(
        _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, rate: Int, _ context: ChannelHandlerContext
    ) {
        var rest = bytes
        guard let piece = rest.readSlice(length: min(max(1, rate / 10), rest.readableBytes)), piece.readableBytes > 0
        else {
            promise?.succeed()
            return writeDelayed(context)
        }
        let time = TimeAmount.nanoseconds(Int64(Double(piece.readableBytes) / Double(rate) * 1e9))
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            guard context.channel.isActive else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
            send(rest, promise, rate: rate, context)
        }
    }

    private func writeDelayed(_ context: ChannelHandlerContext) {
        isDelaying = false
        while !isDelaying, !delayed.isEmpty {
            let (part, promise) = delayed.removeFirst()
            write(part, promise, context)
        }
        context.flush()
    }

    // MARK: - A reset

    private func reset(_ context: ChannelHandlerContext) {
        if let socket = context.channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        try? context.channel.pipeline.syncOperations.addHandler(ClosingHandler(), position: .first)
    }
}

/// A handler that closes the connection as soon as the handler is added to the pipeline.
///
/// At the front of the pipeline, the handler closes the connection before the TLS handler sends the alert close_notify.
private final class ClosingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) { context.close(promise: nil) }
}
