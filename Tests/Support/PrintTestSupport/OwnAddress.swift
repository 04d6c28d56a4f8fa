// An address of this machine that is not the loopback's.

import Glibc

/// Where this machine is reached from other ones; some programs trust whatever comes over the loopback.
public enum OwnAddress {
    /// The first IPv4 address of an interface that is up; nil where there is none, as in a sandbox without a network.
    public static let ipv4: String? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        return sequence(first: list) { $0?.pointee.ifa_next }.lazy.compactMap { $0 }.compactMap(text).first
    }()

    /// Why a test is left out without one.
    public static let requirement = "it needs an IPv4 address of this machine besides the loopback's"

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
