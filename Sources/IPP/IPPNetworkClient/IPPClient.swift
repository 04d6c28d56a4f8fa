// IPP over HTTP/1.1 to a Unix socket or a TCP port.
//
// `IPPClient` assigns an id and a connection to a request. `Connection` sends the request and its document piece by
// piece. `ExchangeHandler` collects the response and enforces the deadlines on the event loop. This module implements
// plain HTTP and depends only on NIO. A caller that requires TLS passes it as `channelSetup`.

public import IPP
public import IPPClient
package import NIOCore
import NIOPosix

/// A client that sends IPP requests to one server.
///
/// The client keeps one connection open for the next request.
///
///     let client = IPPClient(address: .unix(path: "printd.sock"))
///     let answer = try await client.send(Message(operation: .getPrinters, requestID: 0, groups: groups))
///     await client.close()
///
/// The client replaces a connection that the server has closed. Concurrent requests use separate connections. The
/// client sends a request again only if the connection was lost before the server received any part of the request.
/// After other errors, `IPPClientError.mayHaveBeenReceived` indicates whether the caller can repeat the request.
public actor IPPClient: IPPTransport {
    /// The timeouts and the size limit of a client.
    public typealias Bounds = TransportBounds

    package nonisolated let address: IPPAddress
    private let bounds: Bounds
    private let channelSetup: (@Sendable (any Channel) throws -> Void)?
    private var idle: (connection: Connection, since: NIODeadline)?
    private var lastRequestID: Int32 = 0

    /// Creates a client of the server at `address`.
    ///
    /// The client connects to the server before sending the first request.
    ///
    /// - Parameter channelSetup: A closure that adds handlers, such as TLS, before the HTTP handlers of each connection. The
    ///   closure is called on the channel's event loop.
    package init(
        address: IPPAddress, bounds: Bounds = Bounds(), channelSetup: (@Sendable (any Channel) throws -> Void)? = nil
    ) {
        (self.address, self.bounds, self.channelSetup) = (address, bounds, channelSetup)
    }

    /// Sends a request and waits for its response.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var request = request
        request.requestID = nextRequestID()
        let attributes = try request.encodedForSending()
        let reader = try document?.reader()
        let response = try await exchange(path: path, attributes: attributes, document: reader)
        return try response.answer(to: request.requestID)
    }

    package func close() async {
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
                // The server closed the connection between two requests. Use a new connection.
            }
        }
        var attempts = 0
        while true {
            let connection = try await Connection.open(to: address, bounds: bounds, channelSetup: channelSetup)
            do {
                let response = try await connection.exchange(path: path, attributes: attributes, document: document)
                if response.isReusable { keep(connection) }
                return response
            } catch  where error.code == .connectionLost && !error.mayHaveBeenReceived && attempts < 2 {
                // The server timed out because this process was too busy to send the request.
                attempts += 1
            }
        }
    }

    private func takeIdle() -> Connection? {
        guard let (connection, since) = idle else { return nil }
        idle = nil
        if connection.isOpen, NIODeadline.now() < since + TimeAmount(bounds.idle) { return connection }
        connection.abandon()
        return nil
    }

    private func keep(_ connection: Connection) {
        if let (spare, _) = idle { spare.abandon() }
        idle = (connection, .now())
    }
}
