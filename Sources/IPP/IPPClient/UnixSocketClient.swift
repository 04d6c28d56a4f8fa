// IPP over HTTP/1.1 to a Unix socket.
//
// `UnixSocketClient` assigns an id and a connection to a request, and sends the request and its document piece by
// piece. `SocketConnection` waits for the socket. `printq` must start within milliseconds; therefore this module uses
// neither SwiftNIO nor a separate thread for a request with a quick response.

public import IPP
import Synchronization

/// A client that sends IPP requests to the server on a Unix socket.
///
/// The client keeps one connection open for the next request.
///
///     let client = UnixSocketClient(path: "printd.sock")
///     let answer = try await client.send(Message(operation: .getPrinters, requestID: 0, groups: groups))
///
/// The client replaces a connection that the server has closed. Concurrent requests use separate connections. The
/// client sends a request again only if the connection was lost before the server received any part of the request.
/// After other errors, `IPPClientError.mayHaveBeenReceived` indicates whether the caller can repeat the request.
public final class UnixSocketClient: IPPTransport {
    /// The timeouts and the size limit of a client.
    public typealias Bounds = TransportBounds

    private struct State {
        var idle: (connection: SocketConnection, since: ContinuousClock.Instant)?
        var lastRequestID: Int32 = 0
    }

    /// A function that returns a connected stream socket, and the object at the other end, which must exist as long as
    /// the connection.
    package typealias Connect =
        @Sendable (TransportBounds) throws(IPPClientError) -> (descriptor: Int32, peer: any Sendable)

    private enum Target: Sendable {
        case path(String)
        case function(Connect)
    }

    private let target: Target
    /// The lines of the HTTP header that depend on the server, each with its line end.
    private let header: String
    private let bounds: Bounds
    private let state = Mutex(State())

    /// The client connects to the server before sending the first request.
    package init(path: String, bounds: Bounds = Bounds()) {
        (target, header, self.bounds) = (.path(path), "Host: localhost\r\n", bounds)
    }

    /// Creates a client of a server that is reached in another way, such as through a process.
    ///
    /// - Parameters:
    ///   - fields: The fields of the HTTP header that depend on the server, among them `Host`.
    ///   - connect: The function that opens a connection. The function blocks the calling thread.
    package init(fields: [(name: String, value: String)], bounds: Bounds = Bounds(), connect: @escaping Connect) {
        target = .function(connect)
        header = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        self.bounds = bounds
    }

    /// Sends a request and waits for its response.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var request = request
        request.requestID = state.withLock { state in
            state.lastRequestID = state.lastRequestID == .max ? 1 : state.lastRequestID + 1
            return state.lastRequestID
        }
        let attributes = try request.encodedForSending()
        let outgoing = OutgoingRequest(
            path: path, header: header, attributes: attributes, document: try document?.reader())
        return try await exchange(outgoing).answer(to: request.requestID)
    }

    private func exchange(_ request: OutgoingRequest) async throws(IPPClientError) -> HTTPAnswer {
        var attempts = 0
        while true {
            let kept = takeIdle()
            let connection: SocketConnection
            if let kept { connection = kept } else { connection = try open() }
            do {
                let answer = try await request.exchange(on: connection, bounds)
                if answer.isReusable { state.withLock { $0.idle = (connection, .now) } }
                return answer
            } catch  where error.code == .connectionLost && !error.mayHaveBeenReceived && attempts < 2 {
                // The server closed the connection before the request. Use a new connection.
                attempts += kept == nil ? 1 : 0
            }
        }
    }

    private func takeIdle() -> SocketConnection? {
        let idle = state.withLock { state in
            defer { state.idle = nil }
            return state.idle
        }
        guard let (connection, since) = idle, .now < since + bounds.idle, connection.isIdle else { return nil }
        return connection
    }

    private func open() throws(IPPClientError) -> SocketConnection {
        if Task.isCancelled { throw .canceled(sent: false) }
        let path: String
        switch target {
        case .path(let given): path = given
        case .function(let connect):
            let (descriptor, peer) = try connect(bounds)
            return SocketConnection(descriptor: descriptor, peer: peer)
        }
        do throws(SocketFailure) {
            return try SocketConnection(path: path, timeout: bounds.connect)
        } catch {
            switch error {
            case .system(let code): throw .unreachable(.unix(path: path), code: code)
            case .timedOut, .canceled: throw .connectTimedOut(.unix(path: path))
            }
        }
    }
}

private final class OutgoingRequest {
    private let document: (any DocumentReading)?
    private let isChunked: Bool
    /// The bytes that were read but not yet sent.
    ///
    /// A new connection can send them if the server has received no part of the request.
    private var pending: [UInt8]
    /// The number of bytes of the document that were not read yet; `nil` if unknown.
    private var left: Int?
    /// The number of bytes that were sent.
    private var sent = 0
    private var isComplete = false

    /// The size from which bytes are sent instead of collected, so that a small document needs one system call.
    private static let collectedSize = 64 << 10

    init(path: String, header: String, attributes: [UInt8], document: (any DocumentReading)?) {
        self.document = document
        left = document == nil ? 0 : document?.length
        isChunked = left == nil
        let length = left.map { "Content-Length: \(attributes.count + $0)" } ?? "Transfer-Encoding: chunked"
        pending = Array(
            ("POST \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1\r\n\(header)"
                + "Content-Type: application/ipp\r\nUser-Agent: printq\r\n\(length)\r\n\r\n").utf8)
        append(attributes[...])
    }

    /// Sends the request and its document piece by piece, and waits for the response.
    ///
    /// If the response arrives before the client has sent the whole document, the method stops sending.
    ///
    /// - Throws: `IPPClientError` with `connectionLost` and without `mayHaveBeenReceived` if the connection is closed
    ///   and the server has received no part of the request. The caller can call the method again with another
    ///   connection.
    func exchange(
        on connection: SocketConnection, _ bounds: UnixSocketClient.Bounds
    ) async throws(IPPClientError) -> HTTPAnswer {
        // A result with a typed error requires a search for protocol conformances, which takes 0.1 ms.
        var failure = IPPClientError.closedBefore
        let answer: HTTPAnswer? = await withTaskCancellationHandler {
            do throws(IPPClientError) {
                try await send(on: connection, bounds)
                return try await receive(from: connection, bounds)
            } catch {
                failure = error
                return nil
            }
        } onCancel: {
            connection.cancel()
        }
        guard let answer else { throw failure }
        return answer
    }

    /// Sends the rest of the request, until the server responds or closes the connection.
    private func send(
        on connection: SocketConnection, _ bounds: UnixSocketClient.Bounds
    ) async throws(IPPClientError) {
        if let document, left != 0 {
            // A document that another program produces can wait longer than the server.
            let watch = document.neverWaits ? nil : connection.whenInputArrives { document.stop() }
            defer { watch?.fire() }
            if watch != nil, try await !flush(to: connection, bounds) { return }
            while left != 0, let piece = try await document.next() {
                guard piece.count <= left ?? .max else {
                    throw .documentUnreadable(
                        "the document", "the data is longer than the announced length", sent: true)
                }
                left = left.map { $0 - piece.count }
                append(piece)
                guard watch != nil || pending.count >= Self.collectedSize else { continue }
                guard try await flush(to: connection, bounds), !connection.hasInput else { return }
            }
            if sent > 0, connection.hasInput { return }
            guard left ?? 0 == 0 else {
                throw .documentUnreadable("the document", "the data is shorter than the announced length", sent: true)
            }
        }
        if isChunked { pending += Array("0\r\n\r\n".utf8) }
        isComplete = try await flush(to: connection, bounds)
    }

    /// Sends the pending bytes; returns false if the server responds or has closed the connection.
    private func flush(
        to connection: SocketConnection, _ bounds: UnixSocketClient.Bounds
    ) async throws(IPPClientError) -> Bool {
        let count: Int
        do throws(SocketFailure) {
            count = try await connection.send(pending, within: bounds.sending)
        } catch {
            throw Self.failure(error, waitingFor: "accept the document")
        }
        sent += count
        let isTaken = count == pending.count
        if sent > 0 { pending = [] }
        return isTaken
    }

    private func append(_ piece: ArraySlice<UInt8>) {
        guard isChunked else { return pending += piece }
        guard !piece.isEmpty else { return }
        pending += Array("\(String(piece.count, radix: 16))\r\n".utf8)
        pending += piece
        pending += Array("\r\n".utf8)
    }

    private func receive(
        from connection: SocketConnection, _ bounds: UnixSocketClient.Bounds
    ) async throws(IPPClientError) -> HTTPAnswer {
        let deadline = ContinuousClock.now + bounds.answer
        var reader = HTTPResponseReader()
        var head = HTTPResponseReader.Head()
        let limits = DecodingLimits.response(atMost: bounds.answerBytes)
        var body = AnswerBody(limits: limits)
        var isOpen = true
        while true {
            let part: HTTPResponseReader.Part?
            do throws(HTTPResponseReader.Malformed) {
                part = try reader.next() ?? (isOpen || !reader.isComplete() ? nil : .end)
            } catch {
                throw .badResponse("the response is not HTTP", cause: error)
            }
            switch part {
            case .head(let received):
                head = received
                body = AnswerBody(
                    isMessage: HTTPAnswer.isMessage(status: head.status, contentType: head.contentType), limits: limits)
            case .body(let piece): try body.append(piece)
            case .end:
                // If the response arrived before the request was complete, the server would read the rest of this
                // request as a new request.
                return HTTPAnswer(
                    status: head.status, reason: head.reason, contentType: head.contentType, message: body.end(),
                    isReusable: isOpen && head.keepsOpen && isComplete && !reader.hasExcess)
            case nil:
                guard isOpen else { throw sent == 0 ? .closedBefore : .connectionLost() }
                let bytes: ArraySlice<UInt8>
                do throws(SocketFailure) {
                    bytes = try await connection.receive(until: deadline)
                } catch {
                    if case .system = error, sent == 0 { throw .closedBefore }
                    throw Self.failure(error, waitingFor: "answer")
                }
                isOpen = !bytes.isEmpty
                reader.append(bytes)
            }
        }
    }

    private static func failure(_ failure: SocketFailure, waitingFor action: String) -> IPPClientError {
        switch failure {
        case .timedOut: .timedOut(action)
        case .canceled: .canceled(sent: true)
        case .system: .connectionLost()
        }
    }
}
