// Whether a client is on this machine.

import Glibc

extension Peer {
    /// Whether the client is on this machine: on a Unix socket, or at an address of the loopback interface.
    ///
    /// The address is that of the connection, so no client can make it up: 127.0.0.0/8, `::1`, and the former as an address of
    /// version 6 (`::ffff:127.0.0.1`). It may still be any user of this machine.
    public var isOnThisMachine: Bool {
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
