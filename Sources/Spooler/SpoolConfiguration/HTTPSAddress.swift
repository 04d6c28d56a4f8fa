// Reads addresses with the scheme https.

import FoundationEssentials

/// An address with the scheme `https:`, without credentials and fragment.
package struct HTTPSAddress: Hashable, Sendable {
    /// The name or the numeric address of the server, without brackets.
    package let host: String
    package let port: Int
    /// The path with the query, as in the first line of an HTTP request.
    package let path: String

    package init?(_ text: String) {
        guard text.utf8.count <= 1000, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let url = URL(string: text), url.scheme?.lowercased() == "https", let host = url.host(), !host.isEmpty,
            url.user() == nil, url.password() == nil, url.fragment() == nil, (1...65_535).contains(url.port ?? 443)
        else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? 443
        let path = url.path(percentEncoded: true)
        self.path = (path.isEmpty ? "/" : path) + (url.query().map { "?\($0)" } ?? "")
    }
}
