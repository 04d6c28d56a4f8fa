import Foundation
import Glibc
import Testing

/// A port that takes no connection and refuses none, as that of a machine which is switched off.
final class SilentPort: Sendable {
    let port: Int
    private let sockets: [Int32]
    /// The ports of the connections that fill the queue of this one.
    private let fillers: Set<Substring>

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
        fillers = Set(sockets.dropFirst().map(Self.localPort))
        try #require(port > 0)
    }

    deinit { for descriptor in sockets { close(descriptor) } }

    /// Whether somebody else tries to connect now: whether a socket has asked and is not answered, SYN_SENT (02) in proc(5).
    var isBeingAsked: Bool {
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let asked = String(format: ":%04X", port)
        return table.split(separator: "\n").contains { line in
            // number: ADDRESS:PORT ADDRESS:PORT state …
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2].hasSuffix(asked), fields[3] == "02" else { return false }
            return !fillers.contains(fields[1].suffix(4))
        }
    }

    /// The port that a socket was given, as proc(5) writes it.
    private static func localPort(of descriptor: Int32) -> Substring {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return String(format: "%04X", Int(UInt16(bigEndian: address.sin_port)))[...]
    }
}
