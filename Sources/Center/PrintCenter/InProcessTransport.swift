// Sends IPP requests to a responder of the same process.

package import IPP
package import IPPClient
package import AsyncPrimitives
package import PrintIPP

/// A transport that passes requests directly to the responder of the server, without a connection.
///
/// Each request contains the authenticated user of the HTTP request. Therefore the responder applies the same access
/// rules, budgets and privacy rules as for a request over IPP.
package struct InProcessTransport: IPPTransport {
    private let responder: any IPPResponder
    private let peer: Peer
    private let identity: NetworkIdentity?
    private let host: String?
    private let disconnection: Signal

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - peer: The client of the requests, as reported by the kernel.
    ///   - identity: The identity of a user on the network; nil for the user that the kernel reports.
    ///   - host: The host and port that the client used. URIs in responses contain the host and the port.
    ///   - disconnection: A signal that ends the requests that are waiting.
    package init(
        _ responder: any IPPResponder, peer: Peer, identity: NetworkIdentity? = nil, host: String?,
        disconnection: Signal
    ) {
        (self.responder, self.peer, self.identity) = (responder, peer, identity)
        (self.host, self.disconnection) = (host, disconnection)
    }

    /// Sends a request to the responder, and returns the whole response.
    package func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var message = request
        message.requestID = 1
        let reader = try document?.reader()
        defer { reader?.stop() }
        let stream: DocumentStream =
            reader.map { reader in
                DocumentStream { () async throws(DocumentStreamError) in
                    do throws(IPPClientError) {
                        return try await reader.next()
                    } catch {
                        throw DocumentStreamError(.interrupted, error.message, cause: error)
                    }
                }
            } ?? .empty
        let answer = await responder.answer(
            to: IPPRequest(
                message: message, document: stream, peer: peer, path: path, host: host, identity: identity,
                disconnection: disconnection))
        do {
            return try await answer.whole()
        } catch {
            return message.reply(error)
        }
    }
}
