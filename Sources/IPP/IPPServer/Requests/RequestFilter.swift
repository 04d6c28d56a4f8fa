// Who may knock: host, method and type of a request, before anybody reads its body.

import NIOHTTP1
import PrintIPP

/// Tells IPP requests from those for pages, and says who is refused.
struct RequestFilter: Sendable {
    let hosts: HostRule
    let requiresTLS: Bool

    /// Where a request goes.
    enum Verdict {
        /// To the IPP responder.
        case ipp
        /// To the pages and the additional routes.
        case routes
        /// Back to the client.
        case refused(TextAnswer)
    }

    /// Where the request of that head goes, which `peer` sent.
    func verdict(on head: HTTPRequestHead, from peer: Peer, isEncrypted: Bool) -> Verdict {
        if case .tcp = peer {
            if requiresTLS, !isEncrypted { return .refused(.upgradeRequired) }
            if let refusal = refusal(ofHostIn: head) { return .refused(refusal) }
        }
        guard head.method == .POST, Self.isIPP(head.headers.first(name: "content-type")) else { return .routes }
        guard head.headers.first(name: "content-encoding") ?? "identity" == "identity" else {
            return .refused(
                TextAnswer(
                    .unsupportedMediaType, "send the document compressed with the IPP attribute 'compression'"))
        }
        return .ipp
    }

    private func refusal(ofHostIn head: HTTPRequestHead) -> TextAnswer? {
        // A request with two Host headers, or with none, is malformed (RFC 9112 §3.2).
        let names = head.headers["host"]
        guard let name = names.first, names.count == 1 else {
            return TextAnswer(.badRequest, "exactly one Host header is needed")
        }
        guard hosts.allows(name) else {
            return TextAnswer(.forbidden, "this server does not go by that name; use localhost")
        }
        return nil
    }

    private static func isIPP(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        if contentType == "application/ipp" { return true }
        return contentType.prefix { $0 != ";" && $0 != " " }.lowercased() == "application/ipp"
    }
}

/// A short answer for people.
struct TextAnswer {
    var status: HTTPResponseStatus
    var text: String
    var headers: [(String, String)] = []

    init(_ status: HTTPResponseStatus, _ text: String) { (self.status, self.text) = (status, text) }

    /// To clients that speak plainly where they may not (RFC 2817 §4.2).
    static var upgradeRequired: TextAnswer {
        var answer = TextAnswer(.upgradeRequired, "this server speaks over TLS only: use ipps: or https:")
        answer.headers = [("upgrade", "TLS/1.2, HTTP/1.1"), ("connection", "Upgrade")]
        return answer
    }
}
