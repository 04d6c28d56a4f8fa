// Collects the response to a request and enforces its deadlines, on the event loop.

import IPP
import IPPClient
import NIOCore
import NIOHTTP1

/// A channel handler that collects the responses of a connection, one at a time.
///
/// The handler runs on the connection's event loop.
///
/// Every failure closes the connection. Otherwise the client could mistake a late response to the failed request for
/// the response to the next request.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let limits: DecodingLimits
    private var context: ChannelHandlerContext?
    private var waiting: EventLoopPromise<HTTPAnswer>?
    private var head: HTTPResponseHead?
    private var body: AnswerBody
    private var isSending = false
    private var deadline: Scheduled<Void>?

    init(answerLimit: Int) {
        limits = .response(atMost: answerLimit)
        body = AnswerBody(limits: limits)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(.connectionLost())
        self.context = nil
    }

    /// Starts waiting for the response to the next request.
    ///
    /// Returns `false` if the connection is closed.
    func begin(_ answer: EventLoopPromise<HTTPAnswer>) -> Bool {
        guard context?.channel.isActive == true, waiting == nil else { return false }
        waiting = answer
        head = nil
        body = AnswerBody(limits: limits)
        isSending = true
        return true
    }

    /// Sets the deadline by which the server must accept the next piece of the document.
    func expectProgress(within time: TimeAmount) {
        guard waiting != nil else { return }
        setDeadline(time, .timedOut("accept the document"))
    }

    /// Cancels the deadline of the current piece, because the server has accepted the piece.
    func noteProgress() {
        deadline?.cancel()
        deadline = nil
    }

    /// Marks the request as complete, and sets the deadline for the response.
    func finishSending(answerWithin time: TimeAmount) {
        isSending = false
        guard waiting != nil else { return }
        setDeadline(time, .timedOut("answer"))
    }

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
            // Unexpected bytes: no request is in progress.
            return context.close(promise: nil)
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = AnswerBody(
                isMessage: HTTPAnswer.isMessage(status: Int(head.status.code), contentType: head.contentType),
                limits: limits)
        case .body(let piece):
            do throws(IPPClientError) {
                try body.append(Array(piece.readableBytesView)[...])
            } catch {
                fail(error)
            }
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
        default: fail(.badResponse("the response is not HTTP", cause: error))
        }
        context.close(promise: nil)
    }

    private func succeed(_ context: ChannelHandlerContext) {
        guard let head, let answer = waiting else { return }
        deadline?.cancel()
        deadline = nil
        waiting = nil
        // The response arrived before the request was complete. The server would read the rest of this request as a new
        // request.
        let isReusable = head.isKeepAlive && !isSending
        answer.succeed(
            HTTPAnswer(
                status: Int(head.status.code), reason: head.status.reasonPhrase,
                contentType: head.contentType, message: body.end(), isReusable: isReusable))
        body = AnswerBody(limits: limits)
        if !isReusable { context.close(promise: nil) }
    }

    private func setDeadline(_ time: TimeAmount, _ error: IPPClientError) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in fail(error) }
    }
}

extension HTTPResponseHead {
    fileprivate var contentType: String? { headers.first(name: "Content-Type") }
}
