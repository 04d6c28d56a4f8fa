// Pages for browsers.

import HTTPTypes

/// A web page or an image that the server generates for each request.
///
///     let page = WebPage(path: "/printers/laser", type: "text/html; charset=utf-8") { Array(html.utf8) }
///     IPPServer(configuration: configuration, responder: operations, pages: [page])
public struct WebPage: Sendable {
    /// The path from the root, without a query.
    package var path: String
    /// The media type of the web page, such as `text/html`.
    package var type: String
    private let content: Content

    private enum Content: Sendable {
        case one(@Sendable () async -> [UInt8]?)
        case named(@Sendable (String) async -> [UInt8]?)
        case replied(@Sendable (String) async -> Reply)
    }

    /// The reply to a request for a web page whose path contains a name.
    public enum Reply: Sendable, Hashable {
        case page([UInt8])
        /// An error response, because the web page does not exist (404 Not Found).
        case missing
        case silence
    }

    /// Creates a web page.
    ///
    /// - Parameter body: A closure that returns the bytes of the web page. If the closure returns `nil`, the server
    ///   closes the connection without a response.
    package init(path: String, type: String, body: @escaping @Sendable () async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .one(body))
    }

    /// Creates web pages whose paths contain a name, such as `/printers/:name` or `/printers/:name.ppd`.
    ///
    /// - Parameter body: A closure that returns the bytes of the web page with the given name. The closure returns
    ///   `nil` if no page has this name (404 Not Found).
    package init(path: String, type: String, body: @escaping @Sendable (_ name: String) async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .named(body))
    }

    /// The closure `reply` can also return ``Reply/silence``.
    ///
    /// The server then closes the connection without a response.
    package init(path: String, type: String, reply: @escaping @Sendable (_ name: String) async -> Reply) {
        (self.path, self.type, content) = (path, type, .replied(reply))
    }

    /// Returns the name in the segments of a path, or an empty name if the path of the page has no name.
    ///
    /// Returns `nil` if the page has another path.
    func name(in segments: [Substring]) -> String? {
        let own = path.split(separator: "/")
        guard own.count == segments.count else { return nil }
        var name = ""
        for (own, given) in zip(own, segments) {
            if own.hasPrefix(":name") {
                let suffix = own.dropFirst(":name".count)
                guard given.hasSuffix(suffix), given.utf8.count > suffix.utf8.count else { return nil }
                name = String(given.dropLast(suffix.count))
            } else if own != given {
                return nil
            }
        }
        return name
    }

    func answer(for name: String) async -> WebAnswer {
        let reply: Reply =
            switch content {
            case .one(let body): await body().map { .page($0) } ?? .silence
            case .named(let body): await body(name).map { .page($0) } ?? .missing
            case .replied(let body): await body(name)
            }
        switch reply {
        case .page(let bytes):
            var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
            // Pages load no other content.
            headers[.contentSecurityPolicy] =
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            return WebAnswer(.ok, headers: headers, body: .bytes(bytes))
        case .missing: return .text(.notFound, "page not found")
        case .silence: return .disconnect
        }
    }
}
