// Connects the Print Center to the HTTP server.

import HTTPTypes
package import Hummingbird
package import IPPServer
import NIOCore

extension PrintCenter {
    /// Adds the paths of the Print Center to the routes of a server.
    ///
    /// The server's router only checks whether a path belongs to the Print Center. The Print Center then looks up the
    /// handler in `routes`. Therefore the response for an unknown path of the API is JSON.
    package func add(to router: Router<IPPRequestContext>, routes: [Route] = Route.all) {
        let whole = ["api", "center", "jobs"]
        var paths: [String: [HTTPRequest.Method]] = [:]
        for route in routes {
            if let first = route.segments.first, whole.contains(first) {
                for path in ["/\(first)", "/\(first)/**"] { paths[path] = [.get, .head, .post, .put, .patch, .delete] }
            } else if !isCovered(route, by: routes) {
                paths[route.path, default: []] += route.method == .get ? [.get, .head] : [route.method]
            }
        }
        for (path, methods) in paths {
            for method in methods {
                router.on(RouterPath(path), method: method) { [self] request, context in
                    let answer = await answer(to: Self.request(request, context))
                    if case .disconnect = answer.body { await context.disconnect() }
                    return Self.response(answer, to: request.method)
                }
            }
        }
    }

    /// Returns whether the path of another route has parameters and matches the path of this route.
    ///
    /// For example, `/printers/:name` matches `/printers/add`.
    private func isCovered(_ route: Route, by routes: [Route]) -> Bool {
        routes.contains { other in
            other.path != route.path && other.path.contains(":") && other.parameters(in: route.segments) != nil
        }
    }

    private static func request(_ request: Request, _ context: IPPRequestContext) -> WebRequest {
        let target = request.head.path ?? ""
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let hasBody = length ?? 0 > 0 || request.headers[.transferEncoding] != nil
        let body =
            hasBody
            ? WebBody(length: length) { use in
                for try await buffer in request.body { try await use(ArraySlice(buffer.readableBytesView)) }
            } : .empty
        return WebRequest(
            request.method, String(target[..<mark]), query: String(target[mark...].dropFirst()),
            headers: request.headers, host: request.head.authority, body: body, peer: context.peer,
            isEncrypted: context.isEncrypted, hangUp: context.hangUp)
    }

    private static func response(_ answer: WebAnswer, to method: HTTPRequest.Method) -> Response {
        let body: ResponseBody
        var headers = answer.headers
        switch answer.body {
        case .bytes(let bytes):
            if method == .head, answer.status == .ok { headers[.contentLength] = "\(bytes.count)" }
            body = method == .head ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .disconnect: body = ResponseBody()
        case .stream(let length, let produce):
            guard method != .head else {
                if let length { headers[.contentLength] = "\(length)" }
                body = ResponseBody()
                break
            }
            body = ResponseBody(contentLength: length) { writer in
                try await produce { piece in try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            }
        }
        return Response(status: answer.status, headers: headers, body: body)
    }
}
