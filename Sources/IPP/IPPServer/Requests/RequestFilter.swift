// Checks the host, method and media type of a request before its body is read.

import NIOHTTP1
import PrintIPP

/// A filter that distinguishes IPP requests from requests for web pages, and rejects invalid requests.
struct RequestFilter: Sendable {
    let hosts: HostRule
    let requiresTLS: Bool

    enum Verdict {
        case ipp
        /// The destination of other requests: the web pages and the other content.
        case web
        /// No destination: the server rejects the request with this response.
        case refused(TextAnswer)
    }

    func verdict(on head: HTTPRequestHead, from peer: Peer, isEncrypted: Bool) -> Verdict {
        if case .tcp = peer {
            if requiresTLS, !isEncrypted { return .refused(.upgradeRequired) }
            if let refusal = refusal(ofHostIn: head) { return .refused(refusal) }
        }
        guard head.method == .POST, Self.isIPP(head.headers.first(name: "content-type")) else { return .web }
        guard !Self.isFromForeignPage(head.headers, isEncrypted: isEncrypted) else {
            return .refused(TextAnswer(.forbidden, "requests from pages of another origin are refused"))
        }
        guard head.headers.first(name: "content-encoding") ?? "identity" == "identity" else {
            return .refused(
                TextAnswer(
                    .unsupportedMediaType,
                    "Content-Encoding is not supported; use the IPP attribute 'compression' instead"))
        }
        return .ipp
    }

    private func refusal(ofHostIn head: HTTPRequestHead) -> TextAnswer? {
        // A request with two Host headers, or without a Host header, is malformed (RFC 9112 §3.2).
        let names = head.headers["host"]
        guard let name = names.first, names.count == 1 else {
            return TextAnswer(.badRequest, "the request must have exactly one Host header")
        }
        guard hosts.allows(name) else {
            return TextAnswer(.forbidden, "the Host header does not name this server; use localhost")
        }
        return nil
    }

    /// Whether a web page of another origin has caused a browser to send the request.
    private static func isFromForeignPage(_ headers: HTTPHeaders, isEncrypted: Bool) -> Bool {
        let sites = headers["sec-fetch-site"]
        return OriginRule.isForeign(
            origins: headers["origin"], host: headers.first(name: "host"), isEncrypted: isEncrypted)
            || sites.count > 1 || !["same-origin", "none"].contains(sites.first ?? "none")
    }

    private static func isIPP(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        if contentType == "application/ipp" { return true }
        return contentType.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/ipp"
    }
}

/// A short text response to an HTTP request.
struct TextAnswer {
    var status: HTTPResponseStatus
    var text: String
    var headers: [(String, String)] = []

    init(_ status: HTTPResponseStatus, _ text: String) { (self.status, self.text) = (status, text) }

    /// The response to a client that uses plain HTTP although the server requires TLS (RFC 2817 §4.2).
    static var upgradeRequired: TextAnswer {
        var answer = TextAnswer(.upgradeRequired, "this server requires TLS; use ipps: or https:")
        answer.headers = [("upgrade", "TLS/1.2, HTTP/1.1"), ("connection", "Upgrade")]
        return answer
    }
}
