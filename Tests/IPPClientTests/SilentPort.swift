import Foundation
import Glibc
import Testing

/// A port that takes no connection and refuses none, as that of a machine which is switched off.
final class SilentPort: Sendable {
    let port: Int
    private let sockets: [Int32]
    /// How many connections wait that are not to be answered.
    private let fillers: Int

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var sockets = [listener]
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length)
                listen(listener, 0)
                getsockname(listener, $0, &length)
                // What the kernel takes by itself, so that nobody after them is answered.
                for _ in 0..<4 {
                    let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                    connect(filler, $0, length)
                    sockets.append(filler)
                }
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.sockets = sockets
        fillers = Self.waiting(for: port)
        try #require(port > 0)
    }

    deinit { for descriptor in sockets { close(descriptor) } }

    /// Whether somebody else tries to connect now.
    var isBeingAsked: Bool { Self.waiting(for: port) > fillers }

    /// The connections to a port that have been asked for and are not answered: state 02, SYN_SENT, of proc(5).
    private static func waiting(for port: Int) -> Int {
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let address = String(format: ":%04X 02 ", port)
        return table.split(separator: "\n").count { $0.contains(address) }
    }
}
