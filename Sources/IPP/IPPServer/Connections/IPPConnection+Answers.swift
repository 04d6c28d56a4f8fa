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

    func send(_ answer: TextAnswer) {
        let headers = [("content-type", "text/plain; charset=utf-8")] + answer.headers
        send(answer.status, headers, Array((answer.text + "\n").utf8))
    }

    /// Sends a complete IPP response.
    ///
    /// - Parameters:
    ///   - asksForCredentials: Whether the HTTP status asks the client for credentials.
    ///   - retryAfter: The time in seconds after which a client with too many requests can try again.
    func send(_ bytes: [UInt8], asksForCredentials: Bool = false, retryAfter: Int? = nil) {
        if let retryAfter {
            return send(.tooManyRequests, Self.ippHeaders + [("retry-after", String(retryAfter))], bytes)
        }
        guard asksForCredentials else { return send(.ok, Self.ippHeaders, bytes) }
        send(.unauthorized, Self.ippHeaders + Credentials.challenges.map { ("www-authenticate", $0) }, bytes)
    }

    /// Sends a complete response, or only its header.
    func send(_ status: HTTPResponseStatus, _ headers: [(String, String)], _ body: [UInt8], isHead: Bool = false) {
        beginAnswer(status, headers + [("content-length", String(body.count))])
        if !isHead { context?.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
        endAnswer()
    }

    func beginAnswer() { beginAnswer(.ok, Self.ippHeaders) }

    func beginAnswer(_ status: HTTPResponseStatus, _ headers: [(String, String)], isHead: Bool = false) {
        var head = HTTPResponseHead(version: version, status: status, headers: HTTPHeaders(headers))
        head.headers.add(name: "date", value: endpoint.date.now)
        if !head.headers.contains(name: "content-length") {
            if isHead {
                // Without a length, the codec would send the end of a chunked body.
                head.headers.add(name: "content-length", value: "0")
            } else if version == .http1_0 {
                // Only the end of the connection ends a body of unknown length (RFC 9112 §6.3).
                isLastAnswer = true
            }
        }
        if isLastAnswer { head.headers.replaceOrAdd(name: "connection", value: "close") }
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private static let ippHeaders = [("content-type", "application/ipp"), ("cache-control", "no-cache")]

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

    func endAnswer() {
        releaseMemory()
        guard let context else { return }
        let sent = context.eventLoop.makePromise(of: Void.self)
        lastSent = sent.futureResult
        context.write(wrapOutboundOut(.end(nil)), promise: sent)
        if isLastAnswer { closeWhenSent() }
        if case .document(let body) = arriving {
            body.end(.failure(.interrupted))  // no task reads the rest
            arriving = .nothing
        }
        turns.answered()
        goOn()
    }

    func closeWhenSent() {
        guard let context else { return }
        let channel = context.channel
        guard let lastSent else { return channel.close(promise: nil) }
        lastSent.whenComplete { _ in channel.close(promise: nil) }
    }

    func disconnect() { context?.close(promise: nil) }

    func breakOff() {
        guard let context else { return }
        // The promise of an empty write succeeds when everything before it has been sent.
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { [channel = context.channel] _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
    }
}
