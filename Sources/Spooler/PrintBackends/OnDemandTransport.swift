// A server that is started when it is needed.

public import IPP
public import IPPClient

/// Carries requests to a server that may not be running yet: when nobody listens, it is started, and asked again.
public struct OnDemandTransport: IPPTransport {
    private let transport: any IPPTransport
    private let start: @Sendable () async throws -> Void

    /// A transport that calls `start` when the other one finds nobody listening; `start` returns when somebody does.
    public init(_ transport: any IPPTransport, start: @escaping @Sendable () async throws -> Void) {
        self.transport = transport
        self.start = start
    }

    /// Sends a request; the document is sent again only if not a byte of it went out.
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
