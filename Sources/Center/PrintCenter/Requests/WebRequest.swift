// A request of a browser or another HTTP client, independent of the HTTP server.

package import AsyncPrimitives
package import HTTPTypes
package import PrintIPP

/// An HTTP request to the Print Center.
package struct WebRequest: Sendable {
    /// The HTTP method of the request.
    package var method: HTTPRequest.Method
    /// The path without the query, exactly as the client sent it.
    package var path: String
    /// The text after the question mark of the URL, without decoding; empty if the URL has no query.
    package var query: String
    /// The header fields of the request, without `Host`.
    package var headers: HTTPFields
    /// The `Host` header; nil if the request has no `Host` header.
    package var host: String?
    /// The body of the request.
    package var body: WebBody
    /// The client at the other end of the connection, as reported by the kernel.
    package var peer: Peer
    /// Whether the connection is encrypted with TLS.
    package var isEncrypted: Bool
    /// The signal that fires when the client disconnects or the server stops.
    package var hangUp: Signal

    /// Creates an HTTP request.
    package init(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", headers: HTTPFields = [:],
        host: String? = nil, body: WebBody = .empty, peer: Peer, isEncrypted: Bool = false, hangUp: Signal = Signal()
    ) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.headers, self.host, self.body, self.peer) = (headers, host, body, peer)
        (self.isEncrypted, self.hangUp) = (isEncrypted, hangUp)
    }

    /// Whether the method of the request is safe.
    ///
    /// A request with a safe method changes no data (RFC 9110 §9.2.1).
    var isSafe: Bool { method == .get || method == .head }

    /// Whether the client used the Unix socket.
    ///
    /// On the Unix socket, the kernel reports the user.
    var isOnUnixSocket: Bool { if case .unix = peer { true } else { false } }
}

/// The body of an HTTP request.
///
/// The body can be read only once.
package struct WebBody: Sendable {
    /// A function that calls its argument with each piece of the body, in order.
    package typealias Pieces =
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

    /// Creates a body from bytes in memory.
    package init(_ bytes: [UInt8]) { self.init(length: bytes.count) { use in try await use(bytes[...]) } }

    /// A request body without bytes.
    package static let empty = WebBody([])

    /// Calls `use` with each piece of the body.
    ///
    /// The client waits while `use` runs.
    package func forEach(_ use: (ArraySlice<UInt8>) async throws -> Void) async throws { try await pieces(use) }

    /// Returns the whole body.
    ///
    /// - Throws: `Problem` with status 413 if the body has more than `limit` bytes.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        if let length, length > limit { throw Problem.tooLarge(limit: limit) }
        var all: [UInt8] = []
        try await forEach { piece in
            guard piece.count <= limit - all.count else { throw Problem.tooLarge(limit: limit) }
            all += piece
        }
        return all
    }
}

extension HTTPField.Name {
    /// Converts text to the name of a header field.
    ///
    /// The program stops if the text is not a valid name.
    static func center(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is not a header field") }
        return name
    }

    /// The header with the anti-forgery token of the session.
    static let printqToken = center("Printq-Token")
    /// The header that compares the origin of the page that sent the request with the origin of the server.
    static let fetchSite = center("Sec-Fetch-Site")
    /// The header that distinguishes a navigation to a page from other requests of the browser.
    static let fetchMode = center("Sec-Fetch-Mode")
    /// The header that distinguishes a page in a tab (`document`) from a page in a frame and from other content.
    static let fetchDestination = center("Sec-Fetch-Dest")
    /// The header with the origins whose pages are allowed to load a response.
    static let resourcePolicy = center("Cross-Origin-Resource-Policy")
    /// The header with the policy for the `Referer` addresses that the browser sends.
    static let referrerPolicy = center("Referrer-Policy")
    /// The header with the number of the last event that the client received.
    static let lastEventID = center("Last-Event-ID")
}
