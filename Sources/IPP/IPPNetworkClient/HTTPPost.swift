// Sends data to an HTTP server.

import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix

/// The address of an HTTP server that receives data by POST.
///
///     let post = try HTTPPost("http://localhost:8080/printed")
///     try await post.send(bytes, type: "application/json")
///
/// Redirects are not followed. The user of the program chooses the address, so all addresses are allowed.
public struct HTTPPost: Sendable {
    private let url: URL

    /// The maximum time from the connection to the end of the response.
    private static let time = TimeAmount.seconds(10)

    /// - Throws: `HTTPDocumentError` if the address is not an `http` URI of a server, or contains credentials.
    package init(_ uri: String) throws(HTTPDocumentError) { url = try HTTPDocument.place(uri, from: nil) }

    /// Sends the bytes as the body of a request.
    ///
    /// - Throws: `HTTPDocumentError` if the server cannot be reached, or does not respond with status 2xx.
    package func send(_ body: [UInt8], type: String) async throws(HTTPDocumentError) {
        let host = (url.host() ?? "").filter { !"[]".contains($0) }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: Void.self)
        do {
            let channel: any Channel
            do {
                channel = try await ClientBootstrap(group: loop).connectTimeout(Self.time).channelInitializer {
                    channel in
                    channel.eventLoop.makeCompletedFuture {
                        channel.closeOnExec()
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(StatusReader(answer, until: .now() + Self.time))
                    }
                }.connect(host: host, port: url.port ?? 80).get()
            } catch {
                answer.fail(error)
                throw HTTPDocumentError("cannot connect to '\(host)'", cause: error)
            }
            let path = url.path(percentEncoded: true)
            let query = url.query().map { "?\($0)" } ?? ""
            var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: (path.isEmpty ? "/" : path) + query)
            head.headers = [
                "Host": (url.host() ?? "") + (url.port.map { ":\($0)" } ?? ""), "User-Agent": "printq",
                "Content-Type": type, "Content-Length": "\(body.count)", "Connection": "close",
            ]
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch let error as HTTPDocumentError {
            throw error
        } catch {
            throw HTTPDocumentError("the connection to '\(host)' was lost", cause: error)
        }
    }
}

/// A channel handler that reads the status of a response, and closes the connection.
private final class StatusReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<Void>
    private let end: NIODeadline
    private var isOver = false
    private var timer: Scheduled<Void>?

    init(_ answer: EventLoopPromise<Void>, until end: NIODeadline) { (self.answer, self.end) = (answer, end) }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: end) {
            bound.value.0.finish(.failure(HTTPDocumentError("timed out")), bound.value.1)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), head.status.code != 100 else { return }
        let isGood = (200..<300).contains(head.status.code)
        let error = HTTPDocumentError("the server answered \(head.status.code) \(head.status.reasonPhrase)")
        finish(isGood ? .success(()) : .failure(error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(HTTPDocumentError("the connection was lost")), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(
            .failure(HTTPDocumentError("the connection was lost, or the response is not HTTP", cause: error)), context)
    }

    private func finish(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        answer.completeWith(result)
        context.close(promise: nil)
    }
}
