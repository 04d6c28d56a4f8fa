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
    /// Makes its bytes; nil breaks the connection without an answer.
    public var body: @Sendable () async -> [UInt8]?

    /// A page.
    public init(path: String, type: String, body: @escaping @Sendable () async -> [UInt8]?) {
        (self.path, self.type, self.body) = (path, type, body)
    }

    /// Adds the page to a server's routes.
    func add(to router: Router<IPPRequestContext>) {
        router.get(RouterPath(path)) { [type, body] _, context in
            guard let bytes = await body() else {
                try? await context.channel.close()
                return Response(status: .serviceUnavailable)
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
