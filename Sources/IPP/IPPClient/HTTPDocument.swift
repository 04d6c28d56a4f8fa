// A document fetched by HTTP, as a printer does that is told where one lies.

import FoundationEssentials
import Glibc
public import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A document at an `http` URI.
///
///     try await HTTPDocument("http://www.example.com/letter.pdf").fetch(into: descriptor)
///
/// The addresses of a server's name are looked up once, checked, and connected to as they are: a name that leads elsewhere a
/// moment later (DNS rebinding) leads nowhere here.
public struct HTTPDocument: Sendable {
    /// How much, how long and how far.
    public struct Bounds: Sendable {
        /// The bytes of the document.
        public var bytes = 256 << 20
        /// From the first connection to the last byte.
        public var time: TimeAmount = .seconds(30)
        /// How often the document may lie elsewhere.
        public var redirects = 5
        /// Which servers may be asked.
        public var reach = Reach.publicAddresses

        /// The default bounds.
        public init() {}
    }

    /// Which servers may be asked, first and by redirects.
    public enum Reach: Sendable, Hashable {
        /// Those at addresses of the public internet: neither this machine, nor its local network, nor a cloud's own services.
        case publicAddresses
        /// All that this machine reaches.
        case anyAddress
    }

    private let uri: String
    private let bounds: Bounds
    private let isAllowed: @Sendable (SocketAddress) -> Bool

    /// The document at a URI.
    public init(_ uri: String, bounds: Bounds = Bounds()) {
        switch bounds.reach {
        case .publicAddresses: self.init(uri, bounds: bounds, isAllowed: PublicAddress.isPublic)
        case .anyAddress: self.init(uri, bounds: bounds, isAllowed: { _ in true })
        }
    }

    /// The document at a URI, from servers at those addresses that are allowed.
    init(_ uri: String, bounds: Bounds = Bounds(), isAllowed: @escaping @Sendable (SocketAddress) -> Bool) {
        (self.uri, self.bounds, self.isAllowed) = (uri, bounds, isAllowed)
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

    /// The addresses of a server that may be asked.
    ///
    /// - Throws: `HTTPDocumentError` when the name is not known in time, or leads to none that may be asked.
    private func addresses(
        of host: String, port: Int, until end: NIODeadline, on loop: any EventLoop
    ) async throws -> [SocketAddress] {
        let found = try await Self.resolve(host, port, until: end, on: loop)
        let allowed = found.filter(isAllowed)
        guard !allowed.isEmpty else {
            let own = found.first?.ipAddress.map { $0 == host ? "" : " (\($0))" } ?? ""
            throw HTTPDocumentError(
                "'\(host)'\(own) is no address of the public internet, and documents are not fetched from others",
                code: .privateAddress)
        }
        return allowed
    }

    /// Looks a name up, on a thread that may wait.
    private static func resolve(
        _ host: String, _ port: Int, until end: NIODeadline, on loop: any EventLoop
    ) async throws -> [SocketAddress] {
        let answer = FirstAnswer(loop.makePromise(of: [SocketAddress].self))
        let alarm = loop.scheduleTask(deadline: end) {
            answer.complete(with: .failure(HTTPDocumentError("it takes too long")))
        }
        // A name that is not answered for takes a thread of the pool's, and no more of them than the pool has.
        NIOThreadPool.singleton.submit { _ in
            answer.complete(with: lookUp(host, port))
            alarm.cancel()
        }
        return try await answer.promise.futureResult.get()
    }

    /// A promise that is completed by whoever comes first.
    private final class FirstAnswer: Sendable {
        let promise: EventLoopPromise<[SocketAddress]>
        private let isComplete = Mutex(false)

        init(_ promise: EventLoopPromise<[SocketAddress]>) { self.promise = promise }

        func complete(with result: Result<[SocketAddress], any Error>) {
            let isFirst = isComplete.withLock { isComplete in
                defer { isComplete = true }
                return !isComplete
            }
            if isFirst { promise.completeWith(result) }
        }
    }

    /// The addresses of a name, in the system's order; it blocks.
    private static func lookUp(_ host: String, _ port: Int) -> Result<[SocketAddress], any Error> {
        var wish = addrinfo()
        wish.ai_socktype = Int32(SOCK_STREAM.rawValue)
        wish.ai_family = AF_UNSPEC
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &wish, &list) == 0 else {
            return .failure(HTTPDocumentError("'\(host)' cannot be reached"))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr else { continue }
            switch entry.ai_family {
            case AF_INET:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    addresses.append(SocketAddress($0.pointee, host: host))
                }
            case AF_INET6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    addresses.append(SocketAddress($0.pointee, host: host))
                }
            default: break
            }
        }
        return .success(addresses)
    }

    /// Connects to the first of some addresses that answers.
    private static func connect(
        _ bootstrap: ClientBootstrap, to addresses: [SocketAddress], until end: NIODeadline
    ) async throws -> any Channel {
        var failure: any Error = HTTPDocumentError("it takes too long")
        for address in addresses where end > .now() {
            do {
                let patience = min(.seconds(5), end - .now())
                return try await bootstrap.connectTimeout(max(.milliseconds(1), patience)).connect(to: address).get()
            } catch {
                failure = error
            }
        }
        throw failure
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
                let addresses = try await addresses(of: host, port: url.port ?? 80, until: end, on: loop)
                let bootstrap = ClientBootstrap(group: loop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            channel.closeOnExec()
                            try channel.pipeline.syncOperations.addHTTPClientHandlers()
                            try channel.pipeline.syncOperations.addHandler(
                                Download(into: descriptor, limit: bytes, until: end, answer: answer))
                        }
                    }
                channel = try await Self.connect(bootstrap, to: addresses, until: end)
            } catch let error as HTTPDocumentError {
                answer.fail(error)
                throw error
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
    /// What failed, for programs.
    public enum Code: Sendable, Hashable {
        /// The server is at an address that may not be asked (``HTTPDocument/Reach``).
        case privateAddress
        /// Anything else.
        case other
    }

    /// What failed, for programs.
    public var code: Code
    /// What failed, for people: `404 Not Found`.
    public var message: String
    /// The failure underneath, for whoever debugs.
    public var cause: (any Error)?

    init(_ message: String, code: Code = .other, cause: (any Error)? = nil) {
        self.code = code
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
