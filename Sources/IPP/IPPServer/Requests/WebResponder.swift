// Responds to requests other than IPP: pages, images, other content and unknown paths.

import HTTPTypes

/// A responder that passes requests other than IPP to the web pages and the other content of a server.
///
/// Requests for which there is no content receive a text that describes the server.
struct WebResponder: Sendable {
    let pages: [WebPage]
    /// The closure that returns the response to other requests, or `nil` if the server has no such path.
    let content: @Sendable (WebRequest) async -> WebAnswer?

    func answer(to request: WebRequest) async -> WebAnswer {
        if request.method == .options { return WebAnswer(.ok, headers: [.allow: "GET, HEAD, OPTIONS, POST"]) }
        if request.method == .get || request.method == .head {
            let segments = request.path.split(separator: "/")
            for page in pages {
                if let name = page.name(in: segments) { return await page.answer(for: name) }
            }
        }
        if let answer = await content(request) { return answer }
        if request.method == .post {
            return .text(.unsupportedMediaType, "this is an IPP server: send application/ipp")
        }
        // CUPS clients send this request for a printer's PPD, and continue if the server has no PPD.
        if request.path.hasSuffix(".ppd") {
            return .text(.notFound, "there is no PPD for this printer; use Get-Printer-Attributes")
        }
        var refusal = WebAnswer.text(.methodNotAllowed, "this is an IPP server: use POST with application/ipp")
        refusal.headers[.allow] = "POST"
        return refusal
    }
}
