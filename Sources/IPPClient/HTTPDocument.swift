// A document fetched by HTTP, as a printer does that is told where one lies.

import FoundationEssentials
import Glibc
public import NIOCore
import NIOHTTP1
import NIOPosix

/// A document at an `http` URI.
///
///     try await HTTPDocument("http://localhost:8000/letter.pdf").fetch(into: descriptor)
public struct HTTPDocument: Sendable {
    /// How much, how long and how far.
    public struct Bounds: Sendable {
        /// The bytes of the document.
        public var bytes = 256 << 20
        /// From the first connection to the last byte.
        public var time: TimeAmount = .seconds(30)
        /// How often the document may lie elsewhere.
        public var redirects = 5

        /// The default bounds.
        public init() {}
    }

    private let uri: String
    private let bounds: Bounds

    /// The document at a URI.
    public init(_ uri: String, bounds: Bounds = Bounds()) {
        self.uri = uri
        self.bounds = bounds
    }

    /// Fetches the document, and writes it to an open file.
    ///
    /// - Throws: `HTTPDocumentError` when it cannot be had whole and within the bounds; what was written by then stays.
    public func fetch(into descriptor: Int32) async throws(HTTPDocumentError) {
        var place = try Self.place(uri, from: nil)
        let end = NIODeadline.now() + bounds.time
        for _ in 0...bounds.redirects {
            guard let next = try await get(place, into: descriptor, until: end) else { return }
            place = try Self.place(next, from: place)
        }
        throw HTTPDocumentError("it lies elsewhere more than \(bounds.redirects) times")
    }

    private static func place(_ uri: String, from base: URL?) throws(HTTPDocumentError) -> URL {
        guard let url = URL(string: uri, relativeTo: base)?.absoluteURL, let host = url.host(), !host.isEmpty,
            (1...65_535).contains(url.port ?? 80)
        else { throw HTTPDocumentError("'\(uri)' is no URI of a document") }
        guard url.scheme?.lowercased() == "http" else {
            throw HTTPDocumentError("it lies at '\(uri)', and only http is spoken here")
        }
        guard url.user() == nil, url.password() == nil else {
            throw HTTPDocumentError("'\(host)' is to be told a name and password; documents are fetched without")
        }
        return url
    }

    /// One request; where the document lies instead, nil when it has been written.
    private func get(
        _ url: URL, into descriptor: Int32, until end: NIODeadline
    ) async throws(HTTPDocumentError) -> String? {
        let host = (url.host() ?? "").filter { !"[]".contains($0) }
        let bytes = bounds.bytes
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let answer = loop.makePromise(of: String?.self)
            let channel: any Channel
            do {
                channel = try await ClientBootstrap(group: loop)
                    .connectTimeout(max(.milliseconds(1), min(.seconds(5), end - .now())))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHTTPClientHandlers()
                            try channel.pipeline.syncOperations.addHandler(
                                Download(into: descriptor, limit: bytes, until: end, answer: answer))
                        }
                    }.connect(host: host, port: url.port ?? 80).get()
            } catch {
                answer.fail(error)
                throw HTTPDocumentError("'\(host)' cannot be reached", cause: error)
            }
            let query = url.query().map { "?\($0)" } ?? ""
            let path = url.path(percentEncoded: true)
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: (path.isEmpty ? "/" : path) + query)
            let port = url.port.map { ":\($0)" } ?? ""
            head.headers = [
                "Host": (url.host() ?? "") + port, "User-Agent": "printq", "Accept-Encoding": "identity",
                "Connection": "close",
            ]
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            let elsewhere = try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            channel.close(promise: nil)
            return elsewhere
        } catch let error as HTTPDocumentError {
            throw error
        } catch {
            throw HTTPDocumentError("the connection to '\(host)' broke", cause: error)
        }
    }
}

/// Why a document cannot be fetched.
public struct HTTPDocumentError: Error, Sendable, CustomStringConvertible {
    /// What failed, for people: `404 Not Found`.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    init(_ message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}

/// The event loop's side of one request: writes what comes, keeps the bounds.
private final class Download: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let descriptor: Int32
    private let limit: Int
    private let end: NIODeadline
    private let answer: EventLoopPromise<String?>
    private var head: HTTPResponseHead?
    private var count = 0
    private var isOver = false
    private var alarm: Scheduled<Void>?

    init(into descriptor: Int32, limit: Int, until end: NIODeadline, answer: EventLoopPromise<String?>) {
        (self.descriptor, self.limit, self.end, self.answer) = (descriptor, limit, end, answer)
    }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        alarm = context.eventLoop.scheduleTask(deadline: end) {
            bound.value.0.fail("it takes too long", bound.value.1)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard head.status.code != 100 else { return }
            self.head = head
            if head.status.code / 100 == 3, let place = head.headers.first(name: "Location") {
                succeed(place, context)
            } else if head.status.code != 200 {
                fail("\(head.status.code) \(head.status.reasonPhrase)", context)
            }
        case .body(let piece):
            count += piece.readableBytes
            guard count <= limit else { return fail("it is larger than \(limit) bytes", context) }
            write(piece, context)
        case .end:
            if head != nil { succeed(nil, context) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { fail("the connection broke", context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("the connection broke, or the answer is no HTTP", context)
    }

    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        piece.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else {
                    return fail("it cannot be written here: \(String(cString: strerror(errno)))", context)
                }
                rest = rest.dropFirst(written)
            }
        }
    }

    private func succeed(_ elsewhere: String?, _ context: ChannelHandlerContext) {
        isOver = true
        alarm?.cancel()
        answer.succeed(elsewhere)
        context.close(promise: nil)
    }

    private func fail(_ words: String, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        answer.fail(HTTPDocumentError(words))
        context.close(promise: nil)
    }
}
