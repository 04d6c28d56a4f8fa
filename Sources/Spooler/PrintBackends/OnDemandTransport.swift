// Starts a server when a request requires the server.

public import IPP
public import IPPClient

/// A transport that starts the server if no server is listening, and then sends the request again.
public struct OnDemandTransport: IPPTransport {
    private let transport: any IPPTransport
    private let start: @Sendable () async throws -> Void

    /// Creates a transport that calls `start` when `transport` cannot connect.
    ///
    /// - Parameter start: The function that starts the server, and returns when the server is listening.
    public init(_ transport: any IPPTransport, start: @escaping @Sendable () async throws -> Void) {
        self.transport = transport
        self.start = start
    }

    /// Sends a request.
    ///
    /// A request with a document is sent again only if no part of the document was sent before.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        do throws(IPPClientError) {
            return try await transport.send(request, document: document, path: path)
        } catch  where error.code == .unreachable {
            do {
                try await start()
            } catch let failure {
                throw IPPClientError(.unreachable, "\(failure)", mayHaveBeenReceived: false, cause: failure)
            }
            return try await transport.send(request, document: document, path: path)
        }
    }
}
