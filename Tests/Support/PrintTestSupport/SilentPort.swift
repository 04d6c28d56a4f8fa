// A printer that is switched off, as the network has it.

import Glibc

/// A port that takes no connection and refuses none, as that of a machine which is switched off.
public final class SilentPort: Sendable {
    /// The TCP port, on 127.0.0.1.
    public let port: Int
    private let sockets: [Int32]

    /// Takes a port, or throws what the system says.
    public init() throws {
        let place = try LoopbackPort()
        port = place.number
        listen(place.socket, 0)
        var address = LoopbackPort.address(port)
        // What the kernel takes by itself, so that nobody after them is answered.
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
