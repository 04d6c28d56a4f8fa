// Parses the TCP address of a setting.

import PrintModel

/// A TCP address in the form `HOST:PORT`.
///
/// The setting `listen` accepts only addresses of the loopback interface (`isLoopback`).
package struct TCPAddress: Equatable, Sendable {
    /// A numeric address, or `localhost`, which stands for `127.0.0.1` and `::1`.
    package var host: String
    /// The port; 0 selects a free port.
    package var port: Int

    /// Parses `127.0.0.1:8631`, `[::1]:8631` or `localhost:8631`.
    ///
    /// Returns nil for any other text.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port), colon != text.startIndex
        else { return nil }
        var host = String(text[..<colon]).lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        (self.host, self.port) = (host, port)
    }

    /// Whether the host is on the loopback interface.
    ///
    /// On this interface, the kernel reports the user of each connection.
    package var isLoopback: Bool {
        if ["localhost", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the host is an IPv4 or IPv6 address.
    package var isNumeric: Bool { IPNetwork(address: host) != nil }

    /// Whether the host stands for all addresses of the machine (`0.0.0.0` and `::`).
    package var isWildcard: Bool { ["0.0.0.0", "::"].contains(host) }

    /// The numeric addresses of the host.
    package var numericHosts: [String] { host == "localhost" ? ["127.0.0.1", "::1"] : [host] }

    /// Returns the error message for an address that is not on the loopback interface.
    package static func onlyLoopback(_ address: String) -> String {
        "cannot listen on '\(address)': this setting is for clients of this machine; use 127.0.0.1:PORT, or "
            + "'printq network enable' for clients on the network"
    }
}
