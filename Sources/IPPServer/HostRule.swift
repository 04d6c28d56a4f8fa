// Which names a client may call this server by.

/// Accepts only `Host` headers that name this machine.
///
/// A web page can make a browser send requests to 127.0.0.1 under the page's own host name (DNS rebinding); such a
/// request gives itself away by its `Host`.
struct HostRule: Sendable {
    private let allowed: Set<String>

    init(alsoAllowed names: [String]) {
        allowed = Set(["localhost", "127.0.0.1", "[::1]"] + names.map { Self.name(of: $0) ?? $0.lowercased() })
    }

    func allows(_ authority: String) -> Bool {
        guard let name = Self.name(of: authority) else { return false }
        return allowed.contains(name)
    }

    /// The host of `host[:port]` in lower case, without the dot that ends a full domain name.
    private static func name(of authority: String) -> String? {
        var host = authority[...]
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            guard isPort(host[host.index(after: end)...]) else { return nil }
            host = host[...end]
        } else if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        if host.last == "." { host = host.dropLast() }
        return host.isEmpty ? nil : host.lowercased()
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
    }
}
