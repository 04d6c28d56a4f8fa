// A printer that is switched off, as the network has it.

import Foundation
import Glibc

/// A port that takes no connection and refuses none, as that of a machine which is switched off.
public final class SilentPort: Sendable {
    /// The TCP port, on 127.0.0.1.
    public let port: Int
    private let sockets: [Int32]
    /// The ports of our own connections, which wait that nobody after them is answered.
    private let fillers: Set<Int>

    /// Takes a port, or throws what the system says.
    public init() throws {
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
        guard port > 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { for descriptor in sockets { close(descriptor) } }

    /// Whether somebody else tries to connect now: a connection in state 02, SYN_SENT, of proc(5).
    public var isBeingAsked: Bool {
        Self.connections.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "02", fields[2].hasSuffix(String(format: ":%04X", port)) else {
                return false
            }
            return fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }.map { !fillers.contains($0) }
                ?? false
        }
    }

    /// The kernel's table; Foundation reads only the beginning of a long file whose size is said to be 0.
    private static var connections: String {
        let descriptor = open("/proc/net/tcp", O_RDONLY)
        defer { close(descriptor) }
        var table: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(descriptor, &piece, piece.count), count > 0 { table += piece.prefix(count) }
        return String(decoding: table, as: UTF8.self)
    }

    private static func localPort(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
