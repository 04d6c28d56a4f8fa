// What a server shows to browsers beside IPP.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// A page, or a picture, made anew each time somebody asks for it.
///
///     let page = WebPage(path: "/printers/laser", type: "text/html; charset=utf-8") { Array(html.utf8) }
///     IPPServer(configuration: configuration, responder: operations, pages: [page])
public struct WebPage: Sendable {
    /// Where it is: a path from the root, without a query.
    public var path: String
    /// Its media type.
    public var type: String
    private let content: Content

    private enum Content: Sendable {
        case one(@Sendable () async -> [UInt8]?)
        case named(@Sendable (String) async -> [UInt8]?)
    }

    /// A page.
    ///
    /// - Parameter body: Makes its bytes; nil breaks the connection without an answer.
    public init(path: String, type: String, body: @escaping @Sendable () async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .one(body))
    }

    /// Pages that differ by a name in their path: `/printers/:name`.
    ///
    /// - Parameter body: Makes the bytes of the page of a name; nil when there is none (404 Not Found).
    public init(path: String, type: String, body: @escaping @Sendable (_ name: String) async -> [UInt8]?) {
        (self.path, self.type, content) = (path, type, .named(body))
    }

    /// Adds the page to a server's routes.
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
                        body: ResponseBody(byteBuffer: ByteBuffer(string: "there is no such page here\n")))
                }
                bytes = made
            }
            var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
            // Pages have nothing but themselves.
            if let policy = HTTPField.Name("Content-Security-Policy") {
                headers[policy] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            }
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }
}
