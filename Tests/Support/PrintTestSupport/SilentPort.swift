// Simulates a printer that is switched off.

import Glibc

/// A port that neither accepts nor refuses connections, like a machine that is switched off.
public final class SilentPort: Sendable {
    /// The TCP port, on 127.0.0.1.
    public let port: Int
    private let sockets: [Int32]

    /// Reserves a port.
    ///
    /// - Throws: The error of `LoopbackPort`.
    public init() throws {
        let place = try LoopbackPort()
        port = place.number
        listen(place.socket, 0)
        var address = LoopbackPort.address(port)
        // Fill the kernel's connection queue, so that later connections get no response.
        let fillers = (0..<4).map { _ in
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return filler
        }
        sockets = [place.socket] + fillers
    }

    deinit { for descriptor in sockets { close(descriptor) } }
}
