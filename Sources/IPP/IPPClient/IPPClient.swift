// IPP over HTTP/1.1 to a Unix socket or a TCP port.
//
// A request's way out: `IPPClient` gives it an id and a connection, `Connection` sends it and its document piece by
// piece, and `ExchangeHandler`, on the event loop, collects the answer and keeps the deadlines. Plain HTTP, and nothing but
// NIO underneath, because `printq` must start in milliseconds; whoever wants TLS brings it along (`front`).

public import IPP
public import NIOCore
import NIOPosix

/// Sends IPP requests to one server, on one connection that is kept for the next request.
///
///     let client = IPPClient(address: .unix(path: "printd.sock"))
///     let answer = try await client.send(Message(operation: .getPrinters, requestID: 0, groups: groups))
///     await client.close()
///
/// A connection the server has closed meanwhile is replaced. Requests sent at the same time get connections of their
/// own. Nothing is ever sent twice: `IPPClientError.mayHaveBeenReceived` tells the caller whether it may repeat.
public actor IPPClient: IPPTransport {
    /// How long to wait, and how large an answer may be.
    public struct Bounds: Sendable {
        /// For a connection.
        public var connect: TimeAmount = .seconds(5)
        /// For the server to take the next piece of a document.
        public var sending: TimeAmount = .seconds(60)
        /// From the end of the request to the end of the answer.
        public var answer: TimeAmount = .seconds(60)
        /// Bytes of an answer.
        public var answerBytes = 64 << 20
        /// A connection that was idle for longer is not used again, since the server may be closing it right now.
        public var idle: TimeAmount = .seconds(10)

        /// The default bounds.
        public init() {}
    }

    /// The server's address.
    public nonisolated let address: IPPAddress
    private let bounds: Bounds
    private let front: (@Sendable (any Channel) throws -> Void)?
    private var idle: (connection: Connection, since: NIODeadline)?
    private var lastRequestID: Int32 = 0

    /// A client of the server at `address`; connects when the first request is sent.
    ///
    /// - Parameter front: what each connection passes through before HTTP, such as TLS; it adds handlers to the channel's
    ///   pipeline, on its event loop.
    public init(
        address: IPPAddress, bounds: Bounds = Bounds(), front: (@Sendable (any Channel) throws -> Void)? = nil
    ) {
        self.address = address
        self.bounds = bounds
        self.front = front
    }

    /// Sends a request and waits for its answer.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var request = request
        request.requestID = nextRequestID()
        let attributes: [UInt8]
        do {
            attributes = try request.encoded()
        } catch {
            throw .badRequest(cause: error)
        }
        let reader = try document?.reader()
        let response = try await exchange(path: path, attributes: attributes, document: reader)
        return try answer(in: response, to: request.requestID)
    }

    /// Closes the connection that is kept for the next request.
    public func close() async {
        let connection = idle?.connection
        idle = nil
        await connection?.close()
    }

    private func nextRequestID() -> Int32 {
        lastRequestID = lastRequestID == .max ? 1 : lastRequestID + 1
        return lastRequestID
    }

    private func exchange(
        path: String, attributes: [UInt8], document: (any DocumentReading)?
    ) async throws(IPPClientError) -> HTTPAnswer {
        if let kept = takeIdle() {
            do {
                let response = try await kept.exchange(path: path, attributes: attributes, document: document)
                if response.isReusable { keep(kept) }
                return response
            } catch  where error.code == .connectionLost && !error.mayHaveBeenReceived {
                // The server closed it between two requests; a new one will do.
            }
        }
        var attempts = 0
        while true {
            let connection = try await Connection.open(to: address, bounds: bounds, front: front)
            do {
                let response = try await connection.exchange(path: path, attributes: attributes, document: document)
                if response.isReusable { keep(connection) }
                return response
            } catch  where error.code == .connectionLost && !error.mayHaveBeenReceived && attempts < 2 {
                // We were too busy to send anything while the server waited for it.
                attempts += 1
            }
        }
    }

    private func takeIdle() -> Connection? {
        guard let (connection, since) = idle else { return nil }
        idle = nil
        if connection.isOpen, NIODeadline.now() < since + bounds.idle { return connection }
        connection.abandon()
        return nil
    }

    private func keep(_ connection: Connection) {
        if let (spare, _) = idle { spare.abandon() }
        idle = (connection, .now())
    }

    private func answer(in response: HTTPAnswer, to requestID: Int32) throws(IPPClientError) -> Message {
        guard response.status == 200 else { throw .httpStatus(response.status, response.reason) }
        return try Message.answer(response.message, type: response.contentType, to: requestID)
    }
}

extension Message {
    /// Decodes the body of an HTTP response, if it is IPP and answers the request with this number.
    package static func answer(
        _ body: [UInt8], type: String?, to requestID: Int32
    ) throws(IPPClientError) -> Message {
        guard isContentType(type) else { return try answer(nil, type: type, to: requestID) }
        let decoded: Result<Message, DecodingError>
        do throws(DecodingError) {
            decoded = .success(try Message.decode(body, limits: .response).message)
        } catch {
            decoded = .failure(error)
        }
        return try answer(decoded, type: type, to: requestID)
    }

    /// Returns the decoded body of an HTTP response, if it is IPP and answers the request with this number.
    fileprivate static func answer(
        _ decoded: Result<Message, DecodingError>?, type: String?, to requestID: Int32
    ) throws(IPPClientError) -> Message {
        guard let decoded else { throw .badResponse("its type is '\(type ?? "")' instead of application/ipp") }
        let message: Message
        do throws(DecodingError) {
            message = try decoded.get()
        } catch {
            throw .badResponse("\(error)", cause: error)
        }
        guard message.requestID == requestID else {
            throw .badResponse("it answers request \(message.requestID) instead of \(requestID)")
        }
        return message
    }

    /// Whether a value of `Content-Type` is that of an IPP message (RFC 8010 §4).
    static func isContentType(_ type: String?) -> Bool { type?.lowercased().hasPrefix("application/ipp") == true }
}
