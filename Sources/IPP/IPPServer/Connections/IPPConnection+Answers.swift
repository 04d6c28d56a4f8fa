// Sends responses over a connection.

import Glibc
import IPP
import Logging
import NIOCore
import NIOHTTP1
import PrintIPP

extension IPPConnection {
    func refuse(_ reading: RequestReading, _ refusal: Refusal) {
        endpoint.logger.info(
            "rejected a request",
            metadata: ["peer": "\(connection.peer.map(\.description) ?? "")", "reason": "\(refusal.reason)"])
        guard let request = reading.beginning else { return send(TextAnswer(.badRequest, refusal.reason)) }
        send(request.reply(refusal.status, refusal.reason).encodedAnyway)
    }

    /// Sends a text response to the client.
    func send(_ answer: TextAnswer) {
        let headers = [("content-type", "text/plain; charset=utf-8")] + answer.headers
        send(answer.status, headers, ByteBuffer(string: answer.text + "\n"))
    }

    /// Sends a complete IPP response.
    func send(_ bytes: [UInt8]) { send(.ok, Self.ippHeaders, ByteBuffer(bytes: bytes)) }

    private func send(_ status: HTTPResponseStatus, _ headers: [(String, String)], _ body: ByteBuffer) {
        begin(status, headers + [("content-length", String(body.readableBytes))])
        context?.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        endAnswer()
    }

    /// Begins an IPP response that is sent in pieces.
    func beginAnswer() { begin(.ok, Self.ippHeaders) }

    private func begin(_ status: HTTPResponseStatus, _ headers: [(String, String)]) {
        var head = HTTPResponseHead(version: version, status: status, headers: HTTPHeaders(headers))
        head.headers.add(name: "date", value: endpoint.date.now)
        if isBroken { head.headers.replaceOrAdd(name: "connection", value: "close") }
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private static let ippHeaders = [("content-type", "application/ipp"), ("cache-control", "no-cache")]

    /// Sends a piece of a response.
    ///
    /// Returns `false` if the next piece must wait until the client has read more data.
    func sendPiece(_ bytes: [UInt8]) throws -> Bool {
        guard let context, context.channel.isActive else { throw ChannelError.ioOnClosedChannel }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        return context.channel.isWritable
    }

    /// Suspends a writer until the client has read a part of the response.
    func keepWaiting(_ writer: CheckedContinuation<Void, any Error>) {
        guard let context, context.channel.isActive, !context.channel.isWritable else { return writer.resume() }
        self.writer = writer
    }

    /// Ends a response that was sent in pieces.
    func endAnswer() {
        releaseMemory()
        guard let context else { return }
        let promise = isBroken ? context.eventLoop.makePromise(of: Void.self) : nil
        let channel = context.channel
        promise?.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
        if case .document(let body) = arriving {
            body.end(.failure(.interrupted))  // no task reads the rest
            arriving = .nothing
        }
        turns.answered()
        goOn()
    }

    /// Closes the connection in the middle of a response.
    func breakOff() {
        guard let context else { return }
        // The promise of an empty write succeeds when everything before it has been sent.
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
    }
}
