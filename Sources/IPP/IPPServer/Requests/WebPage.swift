// Pages for browsers.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// A page or an image that is generated for each request.
///
///     let page = WebPage(path: "/printers/laser", type: "text/html; charset=utf-8") { Array(html.utf8) }
///     IPPServer(configuration: configuration, responder: operations, pages: [page])
public struct WebPage: Sendable {
    /// The path from the root, without a query.
    public var path: String
    /// The media type.
    public var type: String
    private let content: Content

    private enum Content: Sendable {
        case one(@Sendable () async -> [UInt8]?)
        case named(@Sendable (String) async -> [UInt8]?)
    }

    /// Creates a page.
    ///
    /// - Parameter body: Returns the bytes of the page. `nil` closes the connection without a response.
    public init(path: String, type: String, body: @escaping @Sendable () async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .one(body))
    }

    /// Creates pages with a name in their path, such as `/printers/:name`.
    ///
    /// - Parameter body: Returns the bytes of the page with the given name, or `nil` if there is no such page (404
    ///   Not Found).
    public init(path: String, type: String, body: @escaping @Sendable (_ name: String) async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .named(body))
    }

    /// Adds the page to the routes of a server.
    func add(to router: Router<IPPRequestContext>) {
        router.get(RouterPath(path)) { [type, content] _, context in
            let bytes: [UInt8]
            switch content {
            case .one(let body):
                guard let made = await body() else {
                    try? await context.channel.close()
                    return Response(status: .serviceUnavailable)
                }
                bytes = made
            case .named(let body):
                guard let name = context.parameters.get("name"), let made = await body(name) else {
                    return Response(
                        status: .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
                        body: ResponseBody(byteBuffer: ByteBuffer(string: "page not found\n")))
                }
                bytes = made
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
