// The response to a request of a browser or another HTTP client.

package import HTTPTypes

/// An HTTP response other than an IPP response.
public struct WebAnswer: Sendable {
    /// A function that sends one piece of a body, and waits until the client can receive more data.
    public typealias Send = (_ piece: [UInt8]) async throws -> Void

    /// The body of an HTTP response.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A body that the closure sends piece by piece. `length` is the number of bytes; nil if the number is unknown.
        case stream(length: Int?, @Sendable (Send) async throws -> Void)
        /// No response: the server closes the connection without sending data.
        case disconnect
    }

    package var status: HTTPResponse.Status
    /// The server adds `Date` and the length of the body.
    package var headers: HTTPFields
    /// The server does not send the body of a response to a HEAD request.
    package var body: Body

    package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// A response for which the server sends no data and closes the connection.
    package static let disconnect = WebAnswer(.serviceUnavailable, body: .disconnect)

    package static func text(_ status: HTTPResponse.Status, _ text: String) -> WebAnswer {
        WebAnswer(
            status, headers: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Array((text + "\n").utf8)))
    }
}
