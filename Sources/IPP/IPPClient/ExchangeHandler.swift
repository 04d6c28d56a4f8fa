// Receives the response to one request on the event loop, and keeps its deadline.

import IPP
import NIOCore
import NIOHTTP1

/// The response to an HTTP request, with the IPP message that its body is.
struct HTTPAnswer: Sendable {
    var status: Int
    var reason: String
    var contentType: String?
    /// The message; nil when the body is not IPP.
    var message: Result<Message, DecodingError>?
    /// Whether the connection may carry another request.
    var isReusable: Bool
}

/// Collects one answer after the other; lives on the connection's event loop.
///
/// Any failure closes the connection: what comes after it could be taken for the answer to another request.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answerLimit: Int
    private var context: ChannelHandlerContext?
    private var waiting: EventLoopPromise<HTTPAnswer>?
    private var head: HTTPResponseHead?
    private var body = AnswerBody()
    private var isSending = false
    private var deadline: Scheduled<Void>?

    init(answerLimit: Int) {
        self.answerLimit = answerLimit
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(.connectionLost())
        self.context = nil
    }

    /// Waits for the answer to the request that is sent from now on; `false` when the connection is closed.
    func begin(_ answer: EventLoopPromise<HTTPAnswer>) -> Bool {
        guard context?.channel.isActive == true, waiting == nil else { return false }
        waiting = answer
        head = nil
        body = AnswerBody()
        isSending = true
        return true
    }

    /// Gives the server a time to take the piece that is sent next.
    func expectProgress(within time: TimeAmount) {
        guard waiting != nil else { return }
        setDeadline(time, .timedOut("take the document"))
    }

    /// The piece has been taken; what comes next is not up to the server.
    func noteProgress() {
        deadline?.cancel()
        deadline = nil
    }

    /// The request is complete; gives the server a time to answer it.
    func finishSending(answerWithin time: TimeAmount) {
        isSending = false
        guard waiting != nil else { return }
        setDeadline(time, .timedOut("answer"))
    }

    /// Gives the exchange up, with a reason.
    func fail(_ error: IPPClientError) {
        deadline?.cancel()
        deadline = nil
        guard let answer = waiting else { return }
        waiting = nil
        answer.fail(error)
        context?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waiting != nil else {
            // Bytes that nobody asked for.
            return context.close(promise: nil)
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = AnswerBody(isMessage: head.status == .ok && Message.isContentType(head.contentType))
        case .body(let piece):
            guard piece.readableBytes <= answerLimit - body.count else {
                return fail(.tooLarge(limit: answerLimit))
            }
            body.append(piece)
        case .end: succeed(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectionLost())
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? HTTPParserError {
        case nil, .invalidEOFState?: fail(.connectionLost(cause: error))
        default: fail(.badResponse("it is not HTTP", cause: error))
        }
        context.close(promise: nil)
    }

    private func succeed(_ context: ChannelHandlerContext) {
        guard let head, let answer = waiting else { return }
        deadline?.cancel()
        deadline = nil
        waiting = nil
        // Answered before all was sent: the rest would be taken for a new request.
        let isReusable = head.isKeepAlive && !isSending
        answer.succeed(
            HTTPAnswer(
                status: Int(head.status.code), reason: head.status.reasonPhrase,
                contentType: head.contentType, message: body.end(), isReusable: isReusable))
        body = AnswerBody()
        if !isReusable { context.close(promise: nil) }
    }

    private func setDeadline(_ time: TimeAmount, _ error: IPPClientError) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in fail(error) }
    }
}

/// The body of a response.
///
/// It is decoded as it arrives: a long list is decoded while the server still writes it.
private struct AnswerBody {
    /// The number of bytes received.
    private(set) var count = 0
    private var decoder: MessageDecoder?
    private var message: Result<Message, DecodingError>?

    /// A body without bytes; `isMessage` when its bytes are an IPP message.
    init(isMessage: Bool = false) {
        if isMessage { decoder = MessageDecoder(limits: .response) }
    }

    mutating func append(_ piece: ByteBuffer) {
        count += piece.readableBytes
        guard message == nil, decoder != nil else { return }
        do throws(DecodingError) {
            if let (decoded, _) = try decoder?.feed(Array(piece.readableBytesView)[...]) { message = .success(decoded) }
        } catch {
            message = .failure(error)
        }
    }

    /// Returns the message after the last byte; nil when the body is not IPP.
    mutating func end() -> Result<Message, DecodingError>? {
        guard message == nil, decoder != nil else { return message }
        do throws(DecodingError) {
            try decoder?.finish()
            return nil
        } catch {
            return .failure(error)
        }
    }
}

extension HTTPResponseHead {
    fileprivate var contentType: String? { headers.first(name: "Content-Type") }
}
