// Which names a client may call this server by.

import Glibc

/// Accepts only `Host` headers that name this machine, or give its address.
///
/// A web page can make a browser send requests to 127.0.0.1 under the page's own host name (DNS rebinding); such a
/// request gives itself away by its `Host`.
struct HostRule: Sendable {
    private let allowed: Set<String>
    /// Whether clients come from the network: a numeric address then is no name that a web page could rebind, and a name
    /// that ends in `.local` nobody gives a machine but those who are in the network already.
    private let isInNetwork: Bool

    init(alsoAllowed names: [String], listeners: [ListenAddress] = []) {
        allowed = Set(["localhost", "127.0.0.1", "[::1]"] + names.map { Self.name(of: $0) ?? $0.lowercased() })
        isInNetwork = listeners.contains {
            if case .tcp(let host, _) = $0 {
                !(host == "localhost" || host == "::1" || host.hasPrefix("127."))
            } else {
                false
            }
        }
    }

    func allows(_ authority: String) -> Bool {
        guard let name = Self.name(of: authority) else { return false }
        return allowed.contains(name) || isInNetwork && (name.hasSuffix(".local") || Self.isAddress(name))
    }

    /// Whether a host is an IPv4 address, or an IPv6 address in brackets.
    private static func isAddress(_ host: String) -> Bool {
        var bytes = in6_addr()
        return host.first == "["
            ? inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &bytes) == 1
            : inet_pton(AF_INET, host, &bytes) == 1
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
