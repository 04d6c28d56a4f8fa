// Interrupts the network between a host and a server.

import Foundation
import Glibc
import PrintTestSupport

/// A TCP proxy between one client program and one server, both on this machine.
///
/// Each connection has a dedicated thread.
package final class InterruptibleProxy: Sendable {
    /// The state of the network.
    package enum Network: Sendable {
        /// All bytes arrive.
        case open
        /// No bytes arrive until the network is open again; connections stay open.
        case stalled
        /// All connections are closed.
        case closed
    }

    private struct State {
        var network = Network.open
        var isEnded = false
        /// The sockets of each connection, by the descriptor of the client's socket.
        var connections: [Int32: Int32] = [:]
    }

    private let place: LoopbackPort
    private let server: Int
    private let condition = NSCondition()
    /// The state, which is accessed only with the lock of the condition held.
    private nonisolated(unsafe) var state = State()

    /// The port of the proxy on 127.0.0.1.
    package var port: Int { place.number }

    /// Starts a proxy to a port of 127.0.0.1.
    ///
    /// - Throws: `LoopbackPort.Failure` when no port is free.
    package init(to port: Int) throws {
        server = port
        place = try LoopbackPort()
        try place.startListening()
        Thread.detachNewThread { [self] in accept() }
    }

    /// Changes the state of the network.
    package func set(_ network: Network) {
        locked { state in
            state.network = network
            guard network == .closed else { return }
            for (client, server) in state.connections { Self.shutDown(client, server) }
        }
    }

    /// Ends the proxy and closes all connections.
    package func end() {
        locked { $0.isEnded = true }
        set(.closed)
        shutdown(place.socket, Int32(SHUT_RDWR))
    }

    private func locked<Value>(_ body: (inout State) -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body(&state)
    }

    private static func shutDown(_ sockets: Int32...) { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }

    // MARK: - Connections

    private func accept() {
        while !locked({ $0.isEnded }) {
            guard let client = place.acceptConnection() else { continue }
            Thread.detachNewThread { [self] in serve(client) }
        }
        close(place.socket)
    }

    private func serve(_ client: Int32) {
        guard waitUntilOpen(), let server = LoopbackPort.connect(to: server) else {
            close(client)
            return
        }
        let isAccepted = locked { state in
            state.connections[client] = server
            return state.network != .closed
        }
        if isAccepted { exchange(client, server) }
        locked { state in
            state.connections[client] = nil
            close(client)
            close(server)
        }
    }

    /// Waits while the network is stalled; returns false if the network is closed.
    private func waitUntilOpen() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while state.network == .stalled { condition.wait() }
        return state.network == .open
    }

    private func exchange(_ client: Int32, _ server: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var descriptors = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, 2, -1) > 0, waitUntilOpen() else { return }
            for index in 0...1 where descriptors[index].revents != 0 {
                let count = read(descriptors[index].fd, &buffer, buffer.count)
                guard count > 0, TCPProxy.send(buffer[..<count], to: descriptors[1 - index].fd) else { return }
            }
        }
    }
}
