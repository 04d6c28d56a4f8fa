// A connection to the server, and the transmission of a request on it.

import IPPClient
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP connection to an IPP server, which carries one request at a time.
struct Connection: Sendable {
    private let channel: any Channel
    private let exchange: NIOLoopBound<ExchangeHandler>
    private let bounds: IPPClient.Bounds
    /// The value of the `Host` header (RFC 9110 §7.2).
    ///
    /// cupsd rejects a request whose `Host` header contains the name of another server.
    private let host: String

    /// Connects to the server.
    ///
    /// The connection attempt fails after the timeout `bounds.connect`, or when the task is canceled.
    ///
    /// - Parameter channelSetup: A closure that adds handlers, such as TLS, before the HTTP handlers.
    static func open(
        to address: IPPAddress, bounds: IPPClient.Bounds, channelSetup: (@Sendable (any Channel) throws -> Void)?
    ) async throws(IPPClientError) -> Connection {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(bounds.connect))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        let attempts = ConnectionAttempts()
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try attempts.begin(channel)
                channel.closeOnExec()
                try channelSetup?(channel)
                let exchange = ExchangeHandler(answerLimit: bounds.answerBytes)
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(exchange)
                return Connection(
                    channel: channel, exchange: NIOLoopBound(exchange, eventLoop: channel.eventLoop), bounds: bounds,
                    host: address.authority)
            }
        }
        do {
            return try await withTaskCancellationHandler {
                switch address {
                case .unix(let path):
                    try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: initialize)
                case .tcp(let host, let port):
                    try await bootstrap.connect(host: host, port: port, channelInitializer: initialize)
                }
            } onCancel: {
                attempts.giveUp()
            }
        } catch {
            throw attempts.areGivenUp ? .canceled(sent: false) : translate(error, address)
        }
    }

    var isOpen: Bool { channel.isActive }

    /// Sends a request and its document piece by piece, and waits for the response.
    ///
    /// If the response arrives before the client has sent the whole document, the method stops sending. If the server
    /// has already closed the connection, the method does not read the document. The method then throws an error whose
    /// `mayHaveBeenReceived` is `false`.
    func exchange(
        path: String, attributes: [UInt8], document: (any DocumentReading)?
    ) async throws(IPPClientError) -> HTTPAnswer {
        let answer = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let hasBegun = await Result { [exchange] in
            try await channel.eventLoop.submit { exchange.value.begin(answer) }.get()
        }
        guard case .success(true) = hasBegun else {
            answer.fail(ChannelError.alreadyClosed)
            throw .closedBefore
        }
        answer.futureResult.whenComplete { _ in document?.stop() }
        let result = await withTaskCancellationHandler {
            await send(path: path, attributes: attributes, document: document)
            return await Result { try await answer.futureResult.get() }
        } onCancel: {
            onLoop { $0.fail(.canceled(sent: true)) }
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let error as IPPClientError): throw error
        case .failure(let error): throw .connectionLost(cause: error)
        }
    }

    /// Closes the connection, and waits until the connection is closed.
    func close() async {
        abandon()
        try? await channel.closeFuture.get()
    }

    func abandon() { channel.close(promise: nil) }

    /// Sends the whole request, or stops when the server accepts no more data.
    ///
    /// If sending fails, the result of the exchange contains the error.
    private func send(path: String, attributes: [UInt8], document: (any DocumentReading)?) async {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path.hasPrefix("/") ? path : "/" + path)
        head.headers = ["Host": host, "Content-Type": "application/ipp", "User-Agent": "printq"]
        let documentLength = document.map(\.length) ?? 0
        if let documentLength {
            head.headers.add(name: "Content-Length", value: String(attributes.count + documentLength))
        } else {
            head.headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let document, documentLength != 0 {
            guard await write(attributes[...], isLast: false) else { return }
            do {
                guard try await send(document, length: documentLength) else { return }
            } catch {
                return onLoop { $0.fail(error) }
            }
        } else {
            finishSending()
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: attributes))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Returns `false` if the server accepts no more data.
    private func send(_ document: any DocumentReading, length: Int?) async throws(IPPClientError) -> Bool {
        var left = length
        while left != 0, let piece = try await document.next() {
            if let known = left {
                guard piece.count <= known else {
                    throw .documentUnreadable(
                        "the document", "the data is longer than the announced length", sent: true)
                }
                left = known - piece.count
            }
            guard await write(piece, isLast: left == 0) else { return false }
        }
        guard left ?? 0 == 0 else {
            throw .documentUnreadable("the document", "the data is shorter than the announced length", sent: true)
        }
        if left == nil { finishSending() }
        return true
    }

    /// Writes a piece of the document and waits until the kernel has accepted the piece.
    ///
    /// Returns `false` if the connection accepts no more data.
    ///
    /// After the last piece of a document with a known length, the server can respond before this method returns.
    private func write(_ piece: ArraySlice<UInt8>, isLast: Bool) async -> Bool {
        let wait = TimeAmount(bounds.sending)
        if isLast { finishSending() } else { onLoop { $0.expectProgress(within: wait) } }
        let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: piece)))
        let isTaken = await Result { try await channel.writeAndFlush(part).get() }.isSuccess
        if !isLast { onLoop { $0.noteProgress() } }
        return isTaken
    }

    private func finishSending() {
        let wait = TimeAmount(bounds.answer)
        onLoop { $0.finishSending(answerWithin: wait) }
    }

    private func onLoop(_ body: @escaping @Sendable (ExchangeHandler) -> Void) {
        channel.eventLoop.execute { [exchange] in body(exchange.value) }
    }

    private static func translate(_ error: any Error, _ address: IPPAddress) -> IPPClientError {
        if case ChannelError.connectTimeout = error { return .connectTimedOut(address, cause: error) }
        if let error = error as? NIOConnectionError {
            let first = error.connectionErrors.first?.error ?? error.dnsAError ?? error.dnsAAAAError
            return first.map { translate($0, address) } ?? .unreachable(address, "cannot resolve host", cause: error)
        }
        guard let error = error as? IOError else { return .unreachable(address, "\(error)", cause: error) }
        return .unreachable(address, code: error.errnoCode, cause: error)
    }
}

extension IPPAddress {
    /// The value of the `Host` header, such as `printer.local:631`.
    ///
    /// For a Unix socket and for a loopback address, the value is `localhost` without a port.
    fileprivate var authority: String {
        guard case .tcp(let host, let port) = self, host != "localhost", host != "::1", !host.hasPrefix("127.") else {
            return "localhost"
        }
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
