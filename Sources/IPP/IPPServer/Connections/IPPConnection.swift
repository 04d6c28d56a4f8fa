// Serves the IPP requests of one connection on its event loop.

import IPP
import Logging
import NIOCore
import NIOHTTP1
import PrintIPP

/// A channel handler that serves the IPP requests of a connection, and passes other requests to Hummingbird.
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
        ///
        /// The handler discards all data that arrives.
        case nothing
    }

    /// Received data that the handler stores until the previous requests end.
    private enum Waiting {
        case part(HTTPServerRequestPart)
        case error(any Error)
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
    var version = HTTPVersion.http1_1
    /// A request that has been read but not yet passed to the responder.
    ///
    /// Parts of its document might already have arrived.
    private var unasked: IPPRequest?
    private var waiting = CircularBuffer<Waiting>(initialCapacity: 0)
    /// The events that the handler delays until the current request ends: the end of the input and the stop of the
    /// server.
    private var heldEvents: [Any] = []
    private var isGoingOn = false
    private var isReadHeld = false
    /// Whether the bytes after the current request cannot be parsed.
    var isBroken = false
    /// The writer that waits until the client has read a part of the response.
    var writer: CheckedContinuation<Void, any Error>?

    /// Creates the handler for the requests of a connection.
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
        heldEvents = []
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
        case .body(let bytes) where turns.server == .ipp: receive(bytes)
        case .end where turns.server == .ipp:
            receiveEnd()
        case .body: context.fireChannelRead(wrapInboundOut(part))
        case .end:
            context.fireChannelRead(wrapInboundOut(part))
            turns.received()
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let peer = connection.peer else { return context.close(promise: nil) }
        version = head.version
        switch endpoint.filter.verdict(on: head, from: peer, isEncrypted: connection.isEncrypted) {
        case .ipp:
            turns.begin(.ipp)
            path = String(head.uri.prefix { $0 != "?" })
            host = head.headers.first(name: "host")
            arriving = .attributes(RequestReading(attributeBytes: endpoint.limits.attributeBytes))
        case .routes:
            turns.begin(.routes)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .refused(let answer):
            turns.begin(.ipp)
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

    /// Releases the memory that is reserved for the attributes of the request.
    func releaseMemory() {
        if let peer = connection.peer { endpoint.memory.release(reserved, for: peer) }
        reserved = 0
    }

    /// Handles the end of the attributes, and begins to receive the document.
    private func begin(_ message: Message, _ rest: ArraySlice<UInt8>) throws {
        guard let context, let peer = connection.peer else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let body = RequestBody { [loop = context.eventLoop] in loop.execute { bound.value.readOn() } }
        body.put(rest)
        unasked = IPPRequest(
            message: message, document: try endpoint.document(of: message, in: body), peer: peer, path: path,
            host: host, isEncrypted: connection.isEncrypted, hangUp: connection.hangUp,
            connectionID: ObjectIdentifier(context.channel))
        arriving = .document(body)
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
        let isOfEnd = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
        // Hummingbird would close the connection immediately, because it has no information about the IPP request.
        guard isOfEnd, turns.server == .ipp || !waiting.isEmpty else {
            return context.fireUserInboundEventTriggered(event)
        }
        heldEvents.append(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IPPServerError || error is HTTPParserError else { return context.fireErrorCaught(error) }
        guard waiting.isEmpty, turns.takesMore || turns.server == .routes else { return waiting.append(.error(error)) }
        take(error, context)
    }

    private func take(_ error: any Error, _ context: ChannelHandlerContext) {
        guard turns.server == .ipp else { return context.fireErrorCaught(error) }
        if error is HTTPParserError { isBroken = true }
        fail(error)
    }

    /// Processes the data that waited for the end of the previous request.
    func goOn() {
        guard !isGoingOn, !waiting.isEmpty || !heldEvents.isEmpty, let context else { return readOn() }
        isGoingOn = true
        while turns.takesMore, let next = waiting.popFirst() {
            switch next {
            case .part(let part): take(part, context)
            case .error(let error): take(error, context)
            }
        }
        isGoingOn = false
        ask()
        // Hummingbird processes its input only on this event.
        context.fireChannelReadComplete()
        if turns.isFree, waiting.isEmpty {
            let events = heldEvents
            heldEvents = []
            for event in events { context.fireUserInboundEventTriggered(event) }
        }
        readOn()
    }

    // MARK: - Output

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard turns.server == .routes, case .end = unwrapOutboundIn(data) else { return }
        turns.answered()
        goOn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { writer.take()?.resume() }
        context.fireChannelWritabilityChanged()
    }

    /// Passes the request to the responder, and sends the response.
    private func ask() {
        guard let request = unasked.take(), let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        requests.begin()
        // The connection does not wait for the response, because another connection may end it. The listener waits.
        Task.immediate(executorPreference: tasks) { [responder = endpoint.responder, requests] in
            await IPPAnswerWriter(connection: bound).send(await responder.answer(to: request))
            requests.end()
        }
    }
}
