// Serves the requests of one connection on its event loop.

import IPP
import Logging
import NIOCore
import NIOHTTP1
import PrintIPP

/// A channel handler that serves the requests of a connection: IPP requests, and requests for web pages.
///
/// This handler follows ``ConnectionGuard``. The handler reads requests on the event loop, and sends the response to a
/// complete request with one write. No task waits for the parts of a request, because a task would take more time than
/// all other work for the request.
///
/// `RequestPipeline` orders the requests. Until the response to the current request is complete, this handler stores
/// later requests and does not read more data.
final class IPPConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The part of the current request that the handler expects next.
    enum Arriving {
        case attributes(RequestReading)
        case document(RequestBody)
        /// No further part of the request.
        case nothing
    }

    /// Received data that the handler stores until the previous requests end.
    private enum Waiting {
        case part(HTTPServerRequestPart)
        case error(any Error)
    }

    private enum Question {
        case ipp(IPPRequest)
        case web(WebRequest)
    }

    let endpoint: IPPEndpoint
    private let tasks: EventLoopExecutor
    private let requests: RequestCount
    let connection: ConnectionGuard

    var context: ChannelHandlerContext?
    var turns = RequestPipeline()
    var arriving = Arriving.nothing
    /// The number of bytes that are reserved in the memory budget for the attributes of the current request.
    ///
    /// The bytes are released after the response.
    private var reserved = 0
    private var path = "/"
    private var host: String?
    private var credentials: Credentials?
    var version = HTTPVersion.http1_1
    /// A request that has been read but not yet passed to the responder.
    ///
    /// Parts of its document might already have arrived.
    private var unasked: Question?
    private var waiting = CircularBuffer<Waiting>(initialCapacity: 0)
    /// Whether the connection closes after the current requests, because the client has closed its output, or because
    /// the server is stopping.
    private var isEnding = false
    private var isGoingOn = false
    private var isReadHeld = false
    var isLastAnswer = false
    /// The future that completes when the last response has been sent, or `nil` before the first response.
    var lastSent: EventLoopFuture<Void>?
    /// The writer that waits until the client has read a part of the response.
    var writer: CheckedContinuation<Void, any Error>?

    init(endpoint: IPPEndpoint, tasks: EventLoopExecutor, requests: RequestCount, behind connection: ConnectionGuard) {
        (self.endpoint, self.tasks, self.requests, self.connection) = (endpoint, tasks, requests, connection)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        giveUp()
    }

    func channelInactive(context: ChannelHandlerContext) {
        giveUp()
        context.fireChannelInactive()
    }

    /// Ends all work of the connection.
    ///
    /// Call this method when the channel can no longer receive or send data.
    private func giveUp() {
        releaseMemory()
        if case .document(let body) = arriving { body.end(.failure(.interrupted)) }
        arriving = .nothing
        ask()
        waiting.removeAll()
        writer.take()?.resume(throwing: ChannelError.ioOnClosedChannel)
    }

    // MARK: - Input

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard waiting.isEmpty, turns.takesMore else { return waiting.append(.part(part)) }
        take(part, context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        ask()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if case .document(let body) = arriving, body.holdIfFull() {
            isReadHeld = true
        } else if waiting.isEmpty {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func readOn() {
        guard isReadHeld, waiting.isEmpty else { return }
        isReadHeld = false
        context?.read()
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): begin(head, context)
        case .body(let bytes): receive(bytes)
        case .end: receiveEnd()
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let peer = connection.peer else { return context.close(promise: nil) }
        version = head.version
        turns.begin()
        switch endpoint.filter.verdict(on: head, from: peer, isEncrypted: connection.isEncrypted) {
        case .ipp:
            path = String(head.uri.prefix { $0 != "?" })
            host = head.headers.first(name: "host")
            // Credentials that arrive without encryption are ignored.
            credentials =
                connection.isEncrypted
                ? head.headers.first(name: "authorization").flatMap(Credentials.init(authorization:)) : nil
            arriving = .attributes(RequestReading(attributeBytes: endpoint.limits.attributeBytes))
        case .web:
            let body = makeBody(on: context)
            guard let request = WebRequest(head, body, from: peer, on: connection) else {
                return send(TextAnswer(.badRequest, "the method of the request is not valid"))
            }
            unasked = .web(request)
            arriving = .document(body)
        case .refused(let answer):
            endpoint.logger.info(
                "rejected a request",
                metadata: ["host": "\(head.headers.first(name: "host") ?? "")", "reason": "\(answer.text)"])
            send(answer)
        }
    }

    private func receive(_ bytes: ByteBuffer) {
        let piece = Array(buffer: bytes)[...]
        switch arriving {
        case .document(let body): body.put(piece)
        case .attributes(var reading):
            arriving = .nothing  // so that `reading` has one owner
            guard reserve(piece.count) else { return refuse(reading, .noMemory) }
            do {
                guard let (message, rest) = try reading.feed(piece) else { return arriving = .attributes(reading) }
                try begin(message, rest)
            } catch let refusal as Refusal {
                refuse(reading, refusal)
            } catch {
                send(TextAnswer(.badRequest, "\(error)"))
            }
        case .nothing: break
        }
    }

    private func reserve(_ count: Int) -> Bool {
        guard let peer = connection.peer, endpoint.memory.reserve(count, for: peer) else { return false }
        reserved += count
        return true
    }

    func releaseMemory() {
        if let peer = connection.peer { endpoint.memory.release(reserved, for: peer) }
        reserved = 0
    }

    /// Handles the end of the attributes, and begins to receive the document.
    private func begin(_ message: Message, _ rest: ArraySlice<UInt8>) throws {
        guard let context, let peer = connection.peer else { return }
        let body = makeBody(on: context)
        body.put(rest)
        unasked = .ipp(
            IPPRequest(
                message: message, document: try endpoint.document(of: message, in: body), peer: peer, path: path,
                host: host, isEncrypted: connection.isEncrypted, credentials: credentials,
                disconnection: connection.disconnection,
                connectionID: ObjectIdentifier(context.channel)))
        arriving = .document(body)
    }

    private func makeBody(on context: ChannelHandlerContext) -> RequestBody {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        return RequestBody { [loop = context.eventLoop] in loop.execute { bound.value.readOn() } }
    }

    private func receiveEnd() {
        switch arriving {
        case .document(let body): body.end(.success(()))
        case .attributes(var reading): refuse(reading, reading.refusalAtEnd())
        case .nothing: break
        }
        arriving = .nothing
        turns.received()
        ask()
        goOn()
    }

    /// Ends the current request with an error, because the remaining data will not arrive.
    ///
    /// ``ConnectionGuard`` discards the remaining data of the request.
    private func fail(_ error: any Error) {
        let begun = arriving
        arriving = .nothing
        turns.received()
        switch begun {
        case .document(let body):
            body.end(.failure(.reading(error)))
            ask()
        case .attributes:
            let error = DocumentStreamError.reading(error)
            send(TextAnswer(error.code == .timedOut ? .requestTimeout : .badRequest, error.message))
        case .nothing: break
        }
        goOn()
    }

    // MARK: - Order of requests

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        isEnding = true
        endIfFree()
    }

    private func endIfFree() {
        if isEnding, turns.isFree, waiting.isEmpty { closeWhenSent() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IPPServerError || error is HTTPParserError else {
            // For example, the client has reset the connection, or TLS has failed.
            endpoint.logger.debug("a connection failed", metadata: ["error": "\(error)"])
            return context.close(promise: nil)
        }
        guard waiting.isEmpty, turns.takesMore else { return waiting.append(.error(error)) }
        take(error)
    }

    private func take(_ error: any Error) {
        if error is HTTPParserError { isLastAnswer = true }
        guard turns.isFree else {
            fail(error)
            // No response reports the error if the current request has its response already.
            if isLastAnswer, turns.isFree { closeWhenSent() }
            return
        }
        guard error is HTTPParserError else { return }
        // The header of a request is malformed.
        turns.begin()
        turns.received()
        version = .http1_1
        send(TextAnswer(.badRequest, "the request is not valid HTTP/1.1"))
    }

    /// Processes the data that waited for the end of the previous request.
    func goOn() {
        guard !isGoingOn, !waiting.isEmpty || isEnding, let context else { return readOn() }
        isGoingOn = true
        while turns.takesMore, let next = waiting.popFirst() {
            switch next {
            case .part(let part): take(part, context)
            case .error(let error): take(error)
            }
        }
        isGoingOn = false
        ask()
        endIfFree()
        readOn()
    }

    // MARK: - Output

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { writer.take()?.resume() }
        context.fireChannelWritabilityChanged()
    }

    /// Passes the request to its responder, and sends the response.
    private func ask() {
        guard let question = unasked.take(), let context else { return }
        let writer = AnswerWriter(connection: NIOLoopBound(self, eventLoop: context.eventLoop), tasks: tasks)
        requests.begin()
        // The connection does not wait for the response, because another connection may end it. The listener waits.
        Task.immediate(executorPreference: tasks) { [endpoint, requests] in
            switch question {
            case .ipp(let request): await writer.send(await endpoint.responder.answer(to: request))
            case .web(let request):
                await writer.send(await endpoint.web.answer(to: request), isHead: request.method == .head)
            }
            requests.end()
        }
    }
}
