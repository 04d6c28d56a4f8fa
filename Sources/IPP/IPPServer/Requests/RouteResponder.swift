// All that is no IPP: pages, pictures, additional routes, and what is not there.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers requests for pages by the routes, and says what the server is for to those that ask for anything else.
struct RouteResponder: HTTPResponder {
    typealias Context = IPPRequestContext

    let routes: RouterResponder<IPPRequestContext>

    func respond(to request: Request, context: IPPRequestContext) async throws -> Response {
        var context = context
        (context.peer, context.hangUp) = try await ConnectionGuard.caller(of: context.channel)
        if request.method == .options {
            return Response(status: .ok, headers: [.allow: "GET, HEAD, OPTIONS, POST", .contentLength: "0"])
        }
        let response = try await routes.respond(to: request, context: context)
        // The router notes which route it took, and "NotFound" when there was none: a 404 of a route is its own.
        if let route = context.endpointPath, route != "NotFound" { return response }
        if request.method == .post {
            return .text(.unsupportedMediaType, "this is an IPP server: send application/ipp")
        }
        // Clients of CUPS ask for a printer's PPD this way, and go on without one.
        if request.uri.path.hasSuffix(".ppd") {
            return .text(.notFound, "printers here have no PPD; ask them with Get-Printer-Attributes")
        }
        var refusal = Response.text(.methodNotAllowed, "this is an IPP server: use POST with application/ipp")
        refusal.headers[.allow] = "POST"
        return refusal
    }
}

extension Response {
    /// A short answer for people.
    fileprivate static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
