// Distinguishes public internet addresses from all others.

import Glibc
import NIOCore

/// A test that distinguishes public internet addresses from all other addresses.
///
/// If a server fetches a URI for a client, the client must not gain access to addresses that are not public. Examples
/// are the addresses of this machine, of its local network, and of a cloud's metadata service (169.254.169.254).
enum PublicAddress {
    /// Returns whether an address is public (RFC 6890) and not an address of this machine.
    static func isPublic(_ address: SocketAddress) -> Bool {
        guard let bytes = bytes(of: address), isPublic(bytes) else { return false }
        return !ownAddresses.contains(bytes)
    }

    /// Returns whether an address of 4 or 16 bytes is public.
    static func isPublic(_ bytes: [UInt8]) -> Bool { bytes.count == 4 ? isPublic4(bytes) : isPublic6(bytes) }

    // MARK: - Version 4

    private struct Block {
        let start: UInt32
        let length: UInt32

        init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8, _ length: UInt32) {
            start = [first, second, third, fourth].reduce(0) { $0 << 8 | UInt32($1) }
            self.length = length
        }

        func contains(_ address: UInt32) -> Bool { (address ^ start) >> (32 - length) == 0 }
    }

    /// The special-purpose addresses of IANA (RFC 6890), the multicast addresses and the reserved addresses.
    private static let special = [
        Block(0, 0, 0, 0, 8), Block(10, 0, 0, 0, 8), Block(100, 64, 0, 0, 10), Block(127, 0, 0, 0, 8),
        Block(169, 254, 0, 0, 16), Block(172, 16, 0, 0, 12), Block(192, 0, 0, 0, 24), Block(192, 0, 2, 0, 24),
        Block(192, 88, 99, 0, 24), Block(192, 168, 0, 0, 16), Block(198, 18, 0, 0, 15), Block(198, 51, 100, 0, 24),
        Block(203, 0, 113, 0, 24), Block(224, 0, 0, 0, 4), Block(240, 0, 0, 0, 4),
    ]

    private static func isPublic4(_ bytes: [UInt8]) -> Bool {
        let address = bytes.reduce(0) { $0 << 8 | UInt32($1) }
        return !special.contains { $0.contains(address) }
    }

    // MARK: - Version 6

    private static func isPublic6(_ bytes: [UInt8]) -> Bool {
        func begins(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
        // IPv4 addresses inside IPv6 addresses: mapped addresses (RFC 4291 §2.5.5.2), and the addresses of
        // translators (RFC 6052) and 6to4 (RFC 3056).
        if begins([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) || begins([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return isPublic4(Array(bytes[12...]))
        }
        if begins([0x20, 0x02]) { return isPublic4(Array(bytes[2..<6])) }
        // Only 2000::/3 is allocated. Of these addresses, 2001::/23 (IETF protocols, with Teredo) and the
        // documentation prefixes (2001:db8::/32, 3fff::/20) are not public.
        guard bytes[0] >> 5 == 1 else { return false }
        let isOfIETF = begins([0x20, 0x01]) && bytes[2] < 2
        let isForExamples = begins([0x20, 0x01, 0x0D, 0xB8]) || begins([0x3F, 0xFF]) && bytes[2] >> 4 == 0
        return !isOfIETF && !isForExamples
    }

    // MARK: - Reading addresses

    /// Returns the 4 or 16 bytes of an address, or `nil` if the address is neither IPv4 nor IPv6.
    static func bytes(of address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let four): withUnsafeBytes(of: four.address.sin_addr) { Array($0) }
        case .v6(let six): withUnsafeBytes(of: six.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: nil
        }
    }

    /// The addresses of this machine's interfaces, which are not treated as public.
    ///
    /// A firewall might block access to these addresses from other machines, but not from this machine.
    private static var ownAddresses: Set<[UInt8]> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var own: Set<[UInt8]> = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard let address = interface.ifa_addr else { continue }
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
                    _ = withUnsafeBytes(of: four.pointee.sin_addr) { own.insert(Array($0)) }
                }
            case AF_INET6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
                    _ = withUnsafeBytes(of: six.pointee.sin6_addr) { own.insert(Array($0)) }
                }
            default: break
            }
        }
        return own
    }
}
