// The response to a request of a browser or another HTTP client.

package import HTTPTypes
package import PrintqOutput

/// An HTTP response of the Print Center.
package struct WebAnswer: Sendable {
    /// A function that sends one piece of a body, and waits until the client can receive more data.
    package typealias Send = (_ piece: [UInt8]) async throws -> Void

    /// The body of an HTTP response.
    package enum Body: Sendable {
        /// Bytes in memory, sent as the body.
        case bytes([UInt8])
        /// A body that the closure sends piece by piece. `length` is the number of bytes; nil if the number is unknown.
        case stream(length: Int?, @Sendable (Send) async throws -> Void)
        /// No response: the server closes the connection without sending data.
        case disconnect
    }

    /// The HTTP status of the response.
    package var status: HTTPResponse.Status
    /// The header fields of the response.
    package var headers: HTTPFields
    /// The body of the response.
    package var body: Body

    /// Creates an HTTP response.
    package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Returns a response with a JSON body.
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

    /// A response for which the server sends no data and closes the connection.
    package static let disconnect = WebAnswer(.serviceUnavailable, body: .disconnect)

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
