// Finds the network interfaces on which services are published.

import CAvahi
import Glibc

/// The network interfaces on which a service is published.
///
/// The interfaces depend on the address at which the service listens.
public struct AdvertisedInterfaces: Hashable, Sendable {
    /// The index of the interface; nil for all interfaces.
    let interface: Int32?
    /// The address family, AF_INET or AF_INET6; nil for both families.
    let family: Int32?
    /// Whether the service is reachable only from this machine.
    public let isThisMachine: Bool
    /// The address at which the service listens.
    let address: String

    /// Creates the interfaces for a numeric address of this machine; `0.0.0.0` and `::` stand for all addresses.
    ///
    /// Returns nil if the address is not numeric, or not an address of this machine.
    public init?(listeningAt address: String) {
        guard let (family, bytes) = Self.parse(address) else { return nil }
        self.address = address
        if bytes.allSatisfy({ $0 == 0 }) {
            (interface, self.family, isThisMachine) = (nil, family == AF_INET6 ? nil : family, false)
            return
        }
        guard let found = Self.interface(of: family, bytes) else { return nil }
        (interface, self.family, isThisMachine) = (found.index, family, found.isLoopback)
    }

    private static func parse(_ address: String) -> (family: Int32, bytes: [UInt8])? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 { return (AF_INET, Array(bytes[..<4])) }
        return inet_pton(AF_INET6, address, &bytes) == 1 ? (AF_INET6, bytes) : nil
    }

    /// Returns the interface that has the given address.
    ///
    /// All addresses in 127.0.0.0/8 belong to the loopback interface.
    private static func interface(of family: Int32, _ bytes: [UInt8]) -> (index: Int32, isLoopback: Bool)? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, let address = entry.ifa_addr,
                Int32(address.pointee.sa_family) == family
            else { continue }
            let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            let own = Self.bytes(of: address, family)
            if own == bytes || (isLoopback && family == AF_INET && bytes[0] == 127) {
                return (Int32(bitPattern: if_nametoindex(entry.ifa_name)), isLoopback)
            }
        }
        return nil
    }

    private static func bytes(of address: UnsafePointer<sockaddr>, _ family: Int32) -> [UInt8] {
        if family == AF_INET {
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
        }
        return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
            withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
        }
    }
}

extension AdvertisedInterfaces {
    /// The host name for services on the loopback interface.
    ///
    /// These services do not listen on network addresses. Therefore the services cannot use the host name that Avahi
    /// publishes, because this name can resolve to a network address.
    public static let localHost = "localhost.local"

    var avahiInterface: AvahiIfIndex { interface ?? Int32(AVAHI_IF_UNSPEC) }

    var avahiProtocol: AvahiProtocol {
        switch family {
        case AF_INET: AvahiProtocol(AVAHI_PROTO_INET)
        case AF_INET6: AvahiProtocol(AVAHI_PROTO_INET6)
        default: AvahiProtocol(AVAHI_PROTO_UNSPEC)
        }
    }
}
