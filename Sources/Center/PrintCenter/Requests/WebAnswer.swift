// Responses to browsers, as the Print Center writes them.

package import HTTPTypes
package import IPPServer
package import SpoolerClient

extension WebAnswer {
    package static func json(_ value: JSONText, status: HTTPResponse.Status = .ok) -> WebAnswer {
        WebAnswer(
            status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(Array((value.compactText + "\n").utf8)))
    }

    /// Returns a response with the given bytes as its body.
    package static func bytes(_ bytes: [UInt8], type: String, headers: HTTPFields = [:]) -> WebAnswer {
        var headers = headers
        headers[.contentType] = type
        return WebAnswer(.ok, headers: headers, body: .bytes(bytes))
    }

    /// The response without a body (status 204).
    package static let noContent = WebAnswer(.noContent, headers: [.cacheControl: "no-store"])

    /// The header fields that every response contains.
    private static let commonHeaders: [(HTTPField.Name, String)] = [
        (.xContentTypeOptions, "nosniff"),
        (.resourcePolicy, "same-origin"),
        (.referrerPolicy, "no-referrer"),
        (.contentSecurityPolicy, contentSecurityPolicy),
    ]

    /// The content security policy for web pages.
    ///
    /// The policy allows no inline code, and no content from other origins.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    /// Adds the header fields that every response contains.
    ///
    /// A header field that the handler has already set keeps its value.
    mutating func addCommonHeaders() {
        for (name, value) in Self.commonHeaders where headers[name] == nil { headers[name] = value }
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}
