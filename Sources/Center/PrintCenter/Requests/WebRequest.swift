// Requests of browsers, as the Print Center reads them.

import HTTPTypes
import IPPServer

extension WebRequest {
    /// Whether the method of the request is safe.
    ///
    /// A request with a safe method changes no data (RFC 9110 §9.2.1).
    var isSafe: Bool { method == .get || method == .head }

    /// Whether the client used the Unix socket.
    ///
    /// On the Unix socket, the kernel reports the user.
    var isOnUnixSocket: Bool { if case .unix = peer { true } else { false } }
}

extension WebBody {
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
    /// The header with the kinds of stored data that the browser must delete.
    static let clearSiteData = center("Clear-Site-Data")
    /// The header with the number of the last event that the client received.
    static let lastEventID = center("Last-Event-ID")
}
