// Where this machine is reached.

import Glibc

/// The addresses of this machine's network interfaces.
enum NetworkAddresses {
    /// All of them now, in figures; those of IPv6 without their zone.
    static var own: Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: Set<String> = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            if let address = interface.ifa_addr, let text = figures(of: address) { addresses.insert(text) }
        }
        return addresses
    }

    private static func figures(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        let figures = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: figures.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
    }
}
