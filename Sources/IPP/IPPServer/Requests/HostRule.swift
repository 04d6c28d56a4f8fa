// Checks the `Host` header.

import Glibc

/// A rule that accepts only `Host` headers with a name or an address of this machine.
///
/// With DNS rebinding, a web page can cause a browser to send requests to 127.0.0.1 under the host name of the page.
/// The `Host` header reveals these requests.
package struct HostRule: Sendable {
    private let allowed: Set<String>
    /// Whether clients can connect over the network.
    ///
    /// If clients can connect over the network, numeric addresses are accepted, because a web page cannot rebind an
    /// address. Names that end in `.local` are also accepted, because only machines in the local network can have such
    /// names.
    private let isInNetwork: Bool

    /// Creates a rule for `Host` headers.
    ///
    /// - Parameters:
    ///   - names: The allowed names in addition to `localhost` and the addresses of the loopback interface.
    ///   - listeners: The addresses that the server listens on.
    package init(alsoAllowed names: [String], listeners: [ListenAddress] = []) {
        allowed = Set(["localhost", "127.0.0.1", "[::1]"] + names.map { Self.name(of: $0) ?? $0.lowercased() })
        isInNetwork = listeners.contains {
            if case .tcp(let host, _) = $0 {
                !(host == "localhost" || host == "::1" || host.hasPrefix("127."))
            } else {
                false
            }
        }
    }

    /// Returns whether a `Host` header has an allowed name.
    package func allows(_ authority: String) -> Bool {
        guard let name = Self.name(of: authority) else { return false }
        return allowed.contains(name) || isInNetwork && (name.hasSuffix(".local") || Self.isAddress(name))
    }

    /// Returns whether a host is an IPv4 address, or an IPv6 address in brackets.
    private static func isAddress(_ host: String) -> Bool {
        var bytes = in6_addr()
        return host.first == "["
            ? inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &bytes) == 1
            : inet_pton(AF_INET, host, &bytes) == 1
    }

    /// Returns the host part of `host[:port]` in lower case, without the trailing dot of a full domain name; `nil` if
    /// the text is invalid.
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

/// The rule that finds requests of web pages of another origin; only browsers send `Origin` and `Sec-Fetch-Site`.
package enum OriginRule {
    /// Returns whether `Origin` headers name another origin than the server with this `Host` header.
    package static func isForeign(origins: [String], host: String?, isEncrypted: Bool) -> Bool {
        guard let origin = origins.first else { return false }
        guard origins.count == 1, let host else { return true }
        return origin.lowercased() != "\(isEncrypted ? "https" : "http")://\(host.lowercased())"
    }
}
