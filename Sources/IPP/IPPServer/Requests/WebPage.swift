// Pages for browsers.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// A web page or an image that the server generates for each request.
///
///     let page = WebPage(path: "/printers/laser", type: "text/html; charset=utf-8") { Array(html.utf8) }
///     IPPServer(configuration: configuration, responder: operations, pages: [page])
public struct WebPage: Sendable {
    /// The path from the root, without a query.
    public var path: String
    /// The media type of the web page, such as `text/html`.
    public var type: String
    private let content: Content

    private enum Content: Sendable {
        case one(@Sendable () async -> [UInt8]?)
        case named(@Sendable (String) async -> [UInt8]?)
        case replied(@Sendable (String) async -> Reply)
    }

    /// The reply to a request for a web page whose path contains a name.
    public enum Reply: Sendable, Hashable {
        /// The bytes of the web page.
        case page([UInt8])
        /// An error response, because the web page does not exist (404 Not Found).
        case missing
        /// No response: the server closes the connection.
        case silence
    }

    /// Creates a web page.
    ///
    /// - Parameter body: A closure that returns the bytes of the web page. If the closure returns `nil`, the server
    ///   closes the connection without a response.
    public init(path: String, type: String, body: @escaping @Sendable () async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .one(body))
    }

    /// Creates web pages whose paths contain a name, such as `/printers/:name`.
    ///
    /// - Parameter body: A closure that returns the bytes of the web page with the given name. The closure returns
    ///   `nil` if no page has this name (404 Not Found).
    public init(path: String, type: String, body: @escaping @Sendable (_ name: String) async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .named(body))
    }

    /// Creates web pages whose paths contain a name.
    ///
    /// The closure `reply` can also return ``Reply/silence``. The server then closes the connection without a response.
    public init(path: String, type: String, reply: @escaping @Sendable (_ name: String) async -> Reply) {
        (self.path, self.type, content) = (path, type, .replied(reply))
    }

    /// Adds the web page to the routes of a server.
    func add(to router: Router<IPPRequestContext>) {
        router.get(RouterPath(path)) { [type, content] _, context in
            let bytes: [UInt8]
            let name = context.parameters.get("name")
            let reply: Reply =
                switch content {
                case .one(let body): await body().map { .page($0) } ?? .silence
                case .named(let body):
                    if let name, let made = await body(name) { .page(made) } else { .missing }
                case .replied(let body): if let name { await body(name) } else { .missing }
                }
            switch reply {
            case .page(let made): bytes = made
            case .missing:
                return Response(
                    status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: "page not found\n")))
            case .silence:
                try? await context.channel.close()
                return Response(status: .serviceUnavailable)
            }
            var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
            // Pages load no other content.
            if let policy = HTTPField.Name("Content-Security-Policy") {
                headers[policy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            }
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }
}
