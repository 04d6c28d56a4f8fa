// A TCP port that is reserved for the simulator while it is closed.

import Glibc
import IPPServer
import NIOCore

/// A TCP port that stays reserved while no server listens on the port.
///
/// A socket is bound to the port but never listens. Therefore the kernel refuses connections. A server can still bind
/// its listening sockets to the same port (`SO_REUSEADDR`).
final class ReservedPort: Sendable {
    /// The address with the actual port number.
    let address: ListenAddress
    private let place: SocketAddress
    private let descriptor: Int32

    /// Reserves the port of a TCP address; nil for any other address.
    ///
    /// Port 0 reserves any free port.
    ///
    /// - Throws: `IPPServerError` when the port cannot be reserved.
    init?(_ address: ListenAddress) throws {
        guard case .tcp(let host, let port) = address else { return nil }
        var place: SocketAddress
        do {
            place = try .makeAddressResolvingHost(host, port: port)
        } catch {
            throw IPPServerError.cannotListen(address, cause: error)
        }
        let family = place.withSockAddr { sockaddr, _ in Int32(sockaddr.pointee.sa_family) }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let isBound = place.withSockAddr { [descriptor] in bind(descriptor, $0, socklen_t($1)) == 0 }
        guard descriptor >= 0, isBound, let number = Self.port(of: descriptor) else {
            let error = IOError(errnoCode: errno, reason: "bind")
            if descriptor >= 0 { close(descriptor) }
            throw error.errnoCode == EADDRINUSE
                ? IPPServerError.addressInUse(address, cause: error) : .cannotListen(address, cause: error)
        }
        place.port = number
        self.place = place
        self.address = .tcp(host: host, port: number)
    }

    deinit { close(descriptor) }

    /// Waits until the kernel refuses connections to the port, for at most 5 seconds.
    ///
    /// The kernel accepts connections until every process has closed the listening socket. A child process keeps an
    /// inherited socket open between fork and exec. The kernel does not report when the child process closes the
    /// socket. Therefore this function tries to connect repeatedly.
    func untilClosed() async {
        for _ in 0..<500 where acceptsConnections {
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    private var acceptsConnections: Bool {
        let family = place.withSockAddr { sockaddr, _ in Int32(sockaddr.pointee.sa_family) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let client = socket(family, kind, 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        return place.withSockAddr { connect(client, $0, socklen_t($1)) == 0 || errno == EINPROGRESS }
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                // The port is at the same offset in sockaddr_in and sockaddr_in6.
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    Int(UInt16(bigEndian: $0.pointee.sin_port))
                }
            }
        }
    }
}
