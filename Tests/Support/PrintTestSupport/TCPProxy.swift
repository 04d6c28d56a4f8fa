// Forwards TCP connections, and cuts them at chosen moments.

import Glibc
import Synchronization

/// A proxy on a port of 127.0.0.1 that passes the bytes of each connection to another port.
///
///     let proxy = try TCPProxy(to: server.port) { direction, bytes in direction == .toClient ? .cut : .forward }
public final class TCPProxy: Sendable {
    /// The direction of bytes.
    public enum Direction: Sendable {
        /// From the client to the server.
        case toServer
        /// From the server to the client.
        case toClient
    }

    /// The handling of received bytes.
    public enum Action: Sendable {
        /// The bytes are passed on.
        case forward
        /// Other bytes are passed on instead.
        case replace([UInt8])
        /// The bytes are discarded, and both connections are closed.
        case cut
        /// The bytes are discarded, and the connections stay open.
        case discard
    }

    private let place: LoopbackPort
    /// The port of the proxy.
    public var port: Int { place.number }

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - port: The port of the server, on 127.0.0.1.
    ///   - decide: A function that is called with all bytes that arrive.
    public init(
        to port: Int, _ decide: @escaping @Sendable (Direction, [UInt8]) -> Action = { _, _ in .forward }
    ) throws {
        place = try LoopbackPort()
        try place.serve(isConcurrent: true) { client in
            guard let server = LoopbackPort.connect(to: port) else { return }
            defer { close(server) }
            Self.exchange(client, server, decide)
        }
    }

    deinit {
        shutdown(place.socket, Int32(SHUT_RDWR))
        close(place.socket)
    }

    private static func exchange(
        _ client: Int32, _ server: Int32, _ decide: (Direction, [UInt8]) -> Action
    ) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var descriptors = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, 2, -1) > 0 else { return }
            for (index, direction) in [Direction.toServer, .toClient].enumerated()
            where descriptors[index].revents != 0 {
                let count = read(descriptors[index].fd, &buffer, buffer.count)
                guard count > 0 else { return }
                let other = descriptors[1 - index].fd
                switch decide(direction, Array(buffer.prefix(count))) {
                case .forward: guard send(buffer[..<count], to: other) else { return }
                case .replace(let bytes): guard send(bytes[...], to: other) else { return }
                case .discard: break
                case .cut: return
                }
            }
        }
    }

    /// Sends bytes over a connection, and returns whether the connection is open.
    public static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
