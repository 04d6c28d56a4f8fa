// Parses networks, and finds the network of an address.

import Glibc

/// A network: the IP addresses with a common prefix (CIDR, RFC 4632 and RFC 4291 §2.3).
package struct IPNetwork: Hashable, Sendable {
    /// The first address: 4 bytes for IPv4, 16 bytes for IPv6.
    private let bytes: [UInt8]
    /// The number of bits that all addresses of the network have in common.
    private let length: Int

    /// Parses a network such as `192.168.0.0/16` or `fd00::/8`, or a single address.
    ///
    /// Returns nil for any other text, and if a bit after the prefix is set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPNetwork(address: String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self = address
            return
        }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]),
            length <= address.length
        else { return nil }
        (bytes, self.length) = (address.bytes, length)
        guard bytes == Self.prefix(of: bytes, length: length) else { return nil }
    }

    /// Parses a numeric address without a zone; returns nil for any other text.
    ///
    /// An IPv4-mapped address (`::ffff:192.0.2.1`) becomes the IPv4 address.
    package init?(address: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, address, &six) == 1 {
            let all = withUnsafeBytes(of: six) { Array($0) }
            let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
        length = bytes.count * 8
    }

    /// Returns whether a numeric address belongs to the network.
    ///
    /// The zone of a link-local address (`fe80::1%eth0`) is ignored.
    package func contains(_ address: String) -> Bool {
        guard let other = IPNetwork(address: String(address.prefix { $0 != "%" })), other.length == bytes.count * 8
        else { return false }
        return Self.prefix(of: other.bytes, length: length) == bytes
    }

    private static func prefix(of bytes: [UInt8], length: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(length - index * 8, 0), 8)
            return byte & ~UInt8(truncatingIfNeeded: 0xFF >> kept)
        }
    }

    /// The addresses of local networks: private (RFC 1918, RFC 4193) and link-local (RFC 3927, RFC 4291).
    package static let local = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ]
}
