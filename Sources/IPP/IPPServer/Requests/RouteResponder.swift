// Responds to requests other than IPP: pages, images, additional routes and unknown paths.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// A responder that passes requests other than IPP to the routes of the server.
///
/// Requests without a route receive a text that describes the server.
struct RouteResponder: HTTPResponder {
    typealias Context = IPPRequestContext

    let routes: RouterResponder<IPPRequestContext>

    func respond(to request: Request, context: IPPRequestContext) async throws -> Response {
        var context = context
        (context.peer, context.isEncrypted, context.hangUp) = try await ConnectionGuard.caller(of: context.channel)
        if request.method == .options {
            return Response(status: .ok, headers: [.allow: "GET, HEAD, OPTIONS, POST", .contentLength: "0"])
        }
        let response = try await routes.respond(to: request, context: context)
        // The router records the matched route, or "NotFound" if no route matched. A 404 response of a matched route is
        // passed on.
        if let route = context.endpointPath, route != "NotFound" { return response }
        if request.method == .post {
            return .text(.unsupportedMediaType, "this is an IPP server: send application/ipp")
        }
        // CUPS clients send this request for a printer's PPD, and continue if the server has no PPD.
        if request.uri.path.hasSuffix(".ppd") {
            return .text(.notFound, "there is no PPD for this printer; use Get-Printer-Attributes")
        }
        var refusal = Response.text(.methodNotAllowed, "this is an IPP server: use POST with application/ipp")
        refusal.headers[.allow] = "POST"
        return refusal
    }
}

extension Response {
    /// Returns a short text response.
    fileprivate static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
