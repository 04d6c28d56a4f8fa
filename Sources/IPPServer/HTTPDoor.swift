// Who may knock: host, method and type of a request, before anybody reads its body.

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PrintIPP

/// Lets IPP requests through to the endpoint, others to the additional routes, and refuses the rest.
struct HTTPDoor: HTTPResponder {
    typealias Context = IPPRequestContext

    let hosts: HostRule
    let requiresTLS: Bool
    let endpoint: IPPEndpoint
    let routes: RouterResponder<IPPRequestContext>

    func respond(to request: Request, context: IPPRequestContext) async throws -> Response {
        var context = context
        let isEncrypted: Bool
        (context.peer, isEncrypted, context.hangUp) = try await ConnectionGuard.caller(of: context.channel)
        if case .tcp = context.peer, requiresTLS, !isEncrypted { return Self.upgradeRequired }
        if case .tcp = context.peer, let refusal = refusal(ofHostIn: request) {
            context.logger.info("refused a request", metadata: ["host": "\(request.head.authority ?? "")"])
            return refusal
        }
        if request.method == .options {
            return Response(status: .ok, headers: [.allow: "GET, HEAD, OPTIONS, POST", .contentLength: "0"])
        }
        if request.method == .post, Self.isIPP(request.headers[.contentType]) {
            guard request.headers[.contentEncoding] ?? "identity" == "identity" else {
                return .text(.unsupportedMediaType, "send the document compressed with the IPP attribute 'compression'")
            }
            return await endpoint.respond(to: request, context: context)
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

    private func refusal(ofHostIn request: Request) -> Response? {
        // A second Host header stays among the fields; such a request is malformed (RFC 9112 §3.2).
        guard let authority = request.head.authority, request.headers[values: .host].isEmpty else {
            return .text(.badRequest, "exactly one Host header is needed")
        }
        guard hosts.allows(authority) else {
            return .text(.forbidden, "this server does not go by that name; use localhost")
        }
        return nil
    }

    /// To clients that speak plainly where they may not (RFC 2817 §4.2).
    private static var upgradeRequired: Response {
        var response = Response.text(.upgradeRequired, "this server speaks over TLS only: use ipps: or https:")
        response.headers[.upgrade] = "TLS/1.2, HTTP/1.1"
        response.headers[.connection] = "Upgrade"
        return response
    }

    private static func isIPP(_ contentType: String?) -> Bool {
        guard let type = contentType?.prefix(while: { $0 != ";" && $0 != " " }) else { return false }
        return type.lowercased() == "application/ipp"
    }
}

extension HTTPField.Name {
    static let host = Self("Host")!
}

extension Response {
    /// A short answer for people, after which the connection is of no more use.
    static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
