// Fetches a document by HTTP, as a printer does for Print-URI.

import FoundationEssentials
import Glibc
package import NIOCore
import NIOHTTP1
import NIOPosix
import SafeFiles
import Synchronization

/// A document at an `http` URI.
///
///     try await HTTPDocument("http://www.example.com/letter.pdf").fetch(into: descriptor)
///
/// The client resolves the host name once, and connects only to allowed addresses in the result. If the DNS record
/// changes after the lookup (DNS rebinding), the change has no effect.
public struct HTTPDocument: Sendable {
    /// The limits for fetching a document.
    public struct Bounds: Sendable {
        /// The maximum size of the document in bytes.
        package var bytes = 256 << 20
        /// The maximum time from the first connection to the last byte.
        package var time: TimeAmount = .seconds(30)
        package var redirects = 5
        package var reach = Reach.publicAddresses

        /// Creates the default limits for fetching a document.
        package init() {}
    }

    /// The servers that a fetch can contact, directly or by redirects.
    public enum Reach: Sendable, Hashable {
        /// Access to servers with public internet addresses.
        ///
        /// The addresses of this machine, of its local network and of cloud metadata services are excluded.
        case publicAddresses
        /// Access to all servers that this machine can reach.
        case anyAddress
    }

    private let uri: String
    private let bounds: Bounds
    private let isAllowed: @Sendable (SocketAddress) -> Bool

    package init(_ uri: String, bounds: Bounds = Bounds()) {
        switch bounds.reach {
        case .publicAddresses: self.init(uri, bounds: bounds, isAllowed: PublicAddress.isPublic)
        case .anyAddress: self.init(uri, bounds: bounds, isAllowed: { _ in true })
        }
    }

    /// The client contacts a server only if `isAllowed` returns true for the server's address.
    init(_ uri: String, bounds: Bounds = Bounds(), isAllowed: @escaping @Sendable (SocketAddress) -> Bool) {
        (self.uri, self.bounds, self.isAllowed) = (uri, bounds, isAllowed)
    }

    /// Fetches the document, and writes the document to an open file.
    ///
    /// - Throws: `HTTPDocumentError` if the fetch fails or exceeds a limit. The bytes written before the failure
    ///   remain in the file.
    package func fetch(into descriptor: Int32) async throws(HTTPDocumentError) {
        var place = try Self.place(uri, from: nil)
        let end = NIODeadline.now() + bounds.time
        for _ in 0...bounds.redirects {
            guard let next = try await get(place, into: descriptor, until: end) else { return }
            place = try Self.place(next, from: place)
        }
        throw HTTPDocumentError("too many redirects (more than \(bounds.redirects))")
    }

    static func place(_ uri: String, from base: URL?) throws(HTTPDocumentError) -> URL {
        guard let url = URL(string: uri, relativeTo: base)?.absoluteURL, let host = url.host(), !host.isEmpty,
            (1...65_535).contains(url.port ?? 80)
        else { throw HTTPDocumentError("'\(uri)' is not a valid document URI") }
        guard url.scheme?.lowercased() == "http" else {
            throw HTTPDocumentError("unsupported URI scheme in '\(uri)'; use http")
        }
        guard url.user() == nil, url.password() == nil else {
            throw HTTPDocumentError("the URI contains credentials for '\(host)'; remove the credentials")
        }
        return url
    }

    /// Returns the allowed addresses of a server.
    ///
    /// - Throws: `HTTPDocumentError` if the name cannot be resolved in time or has no allowed address.
    private func addresses(
        of host: String, port: Int, until end: NIODeadline, on loop: any EventLoop
    ) async throws -> [SocketAddress] {
        let found = try await Self.resolve(host, port, until: end, on: loop)
        let allowed = found.filter(isAllowed)
        guard !allowed.isEmpty else {
            let own = found.first?.ipAddress.map { $0 == host ? "" : " (\($0))" } ?? ""
            throw HTTPDocumentError(
                "'\(host)'\(own) is not a public internet address; documents are fetched only from public addresses",
                code: .privateAddress)
        }
        return allowed
    }

    /// Resolves a host name on a separate thread, because the system's resolver blocks the calling thread.
    private static func resolve(
        _ host: String, _ port: Int, until end: NIODeadline, on loop: any EventLoop
    ) async throws -> [SocketAddress] {
        let answer = FirstAnswer(loop.makePromise(of: [SocketAddress].self))
        let timer = loop.scheduleTask(deadline: end) {
            answer.complete(with: .failure(HTTPDocumentError("timed out")))
        }
        // A lookup that does not end blocks a thread of the pool. The pool's size limits the number of such threads.
        NIOThreadPool.singleton.submit { _ in
            answer.complete(with: lookUp(host, port))
            timer.cancel()
        }
        return try await answer.promise.futureResult.get()
    }

    /// A promise that keeps only its first result.
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

    /// Returns the addresses of a host name, in the order that the system's resolver prefers.
    ///
    /// This function blocks the calling thread.
    private static func lookUp(_ host: String, _ port: Int) -> Result<[SocketAddress], any Error> {
        var wish = addrinfo()
        wish.ai_socktype = Int32(SOCK_STREAM.rawValue)
        wish.ai_family = AF_UNSPEC
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &wish, &list) == 0 else {
            return .failure(HTTPDocumentError("cannot resolve host '\(host)'"))
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

    /// Connects to the first address at which a server accepts the connection.
    private static func connect(
        _ bootstrap: ClientBootstrap, to addresses: [SocketAddress], until end: NIODeadline
    ) async throws -> any Channel {
        var failure: any Error = HTTPDocumentError("timed out")
        for address in addresses where end > .now() {
            do {
                let timeout = min(.seconds(5), end - .now())
                return try await bootstrap.connectTimeout(max(.milliseconds(1), timeout)).connect(to: address).get()
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Sends one HTTP request for the document.
    ///
    /// Returns the redirect target, or `nil` if the document has been written.
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
                throw HTTPDocumentError("cannot connect to '\(host)'", cause: error)
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
            throw HTTPDocumentError("the connection to '\(host)' was lost", cause: error)
        }
    }
}

/// The reason why a document cannot be fetched.
public struct HTTPDocumentError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for a server whose address is not allowed (``HTTPDocument/Reach``).
        case privateAddress
        /// An error with any other cause, such as a missing document or a timeout.
        case other
    }

    package var code: Code
    /// The explanation for people: what failed and why.
    package var message: String
    package var cause: (any Error)?

    init(_ message: String, code: Code = .other, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// The error message for people.
    public var description: String { message }
}

/// A channel handler that runs on the event loop, writes the received bytes to the file, and enforces the limits.
private final class Download: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let descriptor: Int32
    private let limit: Int
    private let end: NIODeadline
    private let answer: EventLoopPromise<String?>
    private var head: HTTPResponseHead?
    private var count = 0
    private var isOver = false
    private var timer: Scheduled<Void>?

    init(into descriptor: Int32, limit: Int, until end: NIODeadline, answer: EventLoopPromise<String?>) {
        (self.descriptor, self.limit, self.end, self.answer) = (descriptor, limit, end, answer)
    }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: end) {
            bound.value.0.fail("timed out", bound.value.1)
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
            guard count <= limit else { return fail("the document is larger than \(limit) bytes", context) }
            write(piece, context)
        case .end:
            if head != nil { succeed(nil, context) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { fail("the connection was lost", context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("the connection was lost, or the response is not HTTP", context)
    }

    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        do throws(SystemFailure) { try FileBytes.write(piece.readableBytesView, to: descriptor) } catch {
            fail("cannot write the document: \(error)", context)
        }
    }

    private func succeed(_ elsewhere: String?, _ context: ChannelHandlerContext) {
        isOver = true
        timer?.cancel()
        answer.succeed(elsewhere)
        context.close(promise: nil)
    }

    private func fail(_ message: String, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        answer.fail(HTTPDocumentError(message))
        context.close(promise: nil)
    }
}
