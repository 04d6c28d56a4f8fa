// Finds an address of this machine besides the loopback address.

import Glibc

/// The address at which other machines reach this machine.
///
/// Some programs trust all connections over the loopback interface.
public enum OwnAddress {
    /// The first IPv4 address of an active interface; nil if there is none, as in a sandbox without a network.
    public static let ipv4: String? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        return sequence(first: list) { $0?.pointee.ifa_next }.lazy.compactMap { $0 }.compactMap(text).first
    }()

    /// The reason for skipping a test without such an address.
    public static let requirement = "requires an IPv4 address of this machine besides the loopback address"

    private static func text(_ entry: UnsafeMutablePointer<ifaddrs>) -> String? {
        let (flags, address) = (entry.pointee.ifa_flags, entry.pointee.ifa_addr)
        guard let address, address.pointee.sa_family == sa_family_t(AF_INET),
            flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0
        else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
        guard code == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
