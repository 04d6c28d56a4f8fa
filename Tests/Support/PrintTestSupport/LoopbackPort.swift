// Reserves a port for one test.

import Dispatch
import Glibc

/// A TCP port of the loopback interface that is reserved while its socket is open.
public struct LoopbackPort: Sendable {
    /// The port number, at 127.0.0.1 or the requested address.
    public let number: Int
    /// The bound socket, which does not listen yet.
    ///
    /// The creator of the port must close the socket.
    public let socket: Int32

    /// The error for a port that cannot be reserved.
    public struct Failure: Error, CustomStringConvertible {
        /// The error message, one sentence.
        public let description: String
    }

    /// Reserves a port.
    ///
    /// - Parameters:
    ///   - isShared: Whether another program that sets `SO_REUSEADDR` may listen on the port.
    ///   - host: An IPv4 address of this machine in numeric form.
    ///   - number: The port number; 0 for any free port.
    public init(isShared: Bool = false, at host: String = "127.0.0.1", number: Int = 0) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (yes, length) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
        if isShared { setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) }
        var address = Self.address(number)
        address.sin_addr.s_addr = inet_addr(host)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else {
            defer { close(socket) }
            throw Failure(description: "cannot bind a port: \(String(cString: strerror(errno)))")
        }
        (self.socket, self.number) = (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Accepts connections and calls a script for each, in order, until the socket is shut down.
    ///
    /// A connection is closed when its script returns.
    ///
    /// - Parameter isConcurrent: Whether the next connection is accepted while an earlier script runs.
    public func serve(isConcurrent: Bool = false, _ script: @escaping @Sendable (Int32) -> Void) throws {
        try startListening()
        let visits = DispatchQueue(label: "visits", attributes: isConcurrent ? .concurrent : [])
        DispatchQueue(label: "door").async { [socket] in
            while case let descriptor = accept(socket, nil, nil), descriptor >= 0 {
                visits.async {
                    script(descriptor)
                    close(descriptor)
                }
            }
        }
    }

    /// Makes the socket listen, so that programs can connect.
    public func startListening() throws {
        guard listen(socket, 64) == 0 else {
            throw Failure(description: "cannot listen on port \(number): \(String(cString: strerror(errno)))")
        }
    }

    /// Accepts the next connection; returns nil after an error, or when the socket was shut down.
    public func acceptConnection() -> Int32? {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return nil }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
    }

    /// Returns a socket that is connected to a port of 127.0.0.1; nil if no program listens.
    public static func connect(to port: Int) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = address(port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(socket) }
        return isConnected ? socket : nil
    }

    /// Returns the socket address of 127.0.0.1 with a port.
    static func address(_ port: Int = 0) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return address
    }
}
