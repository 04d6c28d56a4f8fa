// Detects clients on this machine.

import Glibc

extension Peer {
    /// A client on this machine uses a Unix socket or an address of the loopback interface.
    ///
    /// The kernel reports the address of the connection, so clients cannot forge the address. Loopback addresses are
    /// 127.0.0.0/8, `::1`, and IPv4-mapped addresses (`::ffff:127.0.0.1`). The client can be any user of this machine.
    package var isOnThisMachine: Bool {
        switch self {
        case .unix: true
        case .tcp(let address, _, _): Self.isLoopback(address)
        }
    }

    private static func isLoopback(_ address: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? bytes[12] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }
}
