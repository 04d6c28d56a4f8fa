// The cookie of a session.

import HTTPTypes
import IPPServer

extension PrintCenter {
    /// Returns the name of the session cookie for the port that the client used.
    ///
    /// Browsers send cookies to all ports of a host, so the name contains the port. The prefix `__Host-` of users on the
    /// network prevents that a page of another host or a plain connection sets the cookie.
    private func cookieName(_ request: WebRequest) -> String {
        let host = request.host ?? ""
        let digits = host.split(separator: "]").last.map(String.init) ?? host
        let port = digits.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last.flatMap { Int($0) }
        let prefix = ports.logins == nil ? "" : "__Host-"
        return "\(prefix)printq-session-\(port ?? (request.isEncrypted ? 443 : 80))"
    }

    /// Returns the cookies of a request that have the name of the session cookie.
    ///
    /// Another server on the same host can set a second cookie with the same name. The function returns at most four
    /// cookies.
    func cookies(in request: WebRequest) -> [String] {
        let name = cookieName(request) + "="
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        return cookies.compactMap { cookie in
            let text = cookie.drop { $0 == " " }
            return text.hasPrefix(name) ? String(text.dropFirst(name.count)) : nil
        }
        .prefix(4).map(\.self)
    }

    /// Returns the header that sets the session cookie.
    ///
    /// If `value` is nil, the header deletes the cookie.
    func cookieHeader(_ request: WebRequest, _ value: String?) -> String {
        let secure = request.isEncrypted ? "; Secure" : ""
        let age = value == nil ? "; Max-Age=0" : "; Max-Age=\(Int(sessions.mostSeconds))"
        return "\(cookieName(request))=\(value ?? ""); Path=/; HttpOnly; SameSite=Strict\(secure)\(age)"
    }
}
