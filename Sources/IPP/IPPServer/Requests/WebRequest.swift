// A request of a browser or another HTTP client, independent of the connection.

package import AsyncPrimitives
package import HTTPTypes
import NIOCore
import NIOHTTP1
package import PrintIPP

/// An HTTP request other than an IPP request.
public struct WebRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The path without the query, exactly as the client sent it.
    package var path: String
    /// The text after the question mark of the URL, without decoding; empty if the URL has no query.
    package var query: String
    /// The header fields of the request, without `Host`.
    package var headers: HTTPFields
    /// The `Host` header; nil if the request has no `Host` header.
    package var host: String?
    package var body: WebBody
    /// The client at the other end of the connection, as reported by the kernel.
    package var peer: Peer
    package var isEncrypted: Bool
    /// The signal that fires when the client disconnects or the server stops.
    package var disconnection: Signal

    package init(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", headers: HTTPFields = [:],
        host: String? = nil, body: WebBody = .empty, peer: Peer, isEncrypted: Bool = false,
        disconnection: Signal = Signal()
    ) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.headers, self.host, self.body, self.peer) = (headers, host, body, peer)
        (self.isEncrypted, self.disconnection) = (isEncrypted, disconnection)
    }
}

/// The body of an HTTP request.
///
/// The body can be read only once.
public struct WebBody: Sendable {
    /// A function that calls its argument with each piece of the body, in order.
    public typealias Pieces =
        @Sendable (_ use: (ArraySlice<UInt8>) async throws -> Void) async throws -> Void

    /// The number of bytes in the header `Content-Length`; nil if unknown.
    package var length: Int?
    private let pieces: Pieces

    /// Creates a body from a function that reads the pieces of the body.
    ///
    /// - Parameters:
    ///   - length: The number of bytes (`Content-Length`); nil if unknown.
    ///   - pieces: A function that calls its argument with each piece.
    package init(length: Int?, pieces: @escaping Pieces) { (self.length, self.pieces) = (length, pieces) }

    package init(_ bytes: [UInt8]) { self.init(length: bytes.count) { use in try await use(bytes[...]) } }

    package static let empty = WebBody([])

    /// The client waits while `use` runs.
    package func forEach(_ use: (ArraySlice<UInt8>) async throws -> Void) async throws { try await pieces(use) }
}

extension WebRequest {
    /// Creates the request that a client has sent over a connection.
    ///
    /// Returns `nil` if the method is not a valid token.
    init?(_ head: HTTPRequestHead, _ received: RequestBody, from peer: Peer, on connection: ConnectionGuard) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return nil }
        let mark = head.uri.firstIndex(of: "?") ?? head.uri.endIndex
        var headers = HTTPFields()
        for (name, value) in head.headers where name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let length = headers[.contentLength].flatMap { Int($0) }
        let hasBody = length ?? 0 > 0 || headers[.transferEncoding] != nil
        let body = WebBody(length: length) { use in
            while let piece = try await received.next() { try await use(piece) }
        }
        self.init(
            method, String(head.uri[..<mark]), query: String(head.uri[mark...].dropFirst()), headers: headers,
            host: head.headers.first(name: "host"), body: hasBody ? body : .empty, peer: peer,
            isEncrypted: connection.isEncrypted, disconnection: connection.disconnection)
    }
}
