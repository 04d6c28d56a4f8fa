// A port of a test's own.

import Dispatch
import Glibc

/// A TCP port of the loopback that nobody else is given while its socket is open.
public struct LoopbackPort: Sendable {
    /// Its number, at 127.0.0.1 or the address that was asked for.
    public let number: Int
    /// The socket, bound and not listening yet, which whoever made the port closes.
    public let socket: Int32

    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// A port.
    ///
    /// - Parameters:
    ///   - isShared: whether a program that wants so too (`SO_REUSEADDR`) may listen there.
    ///   - host: another address of this machine, in figures.
    ///   - number: its number; 0 for any.
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
            throw Failure(description: "no port: \(String(cString: strerror(errno)))")
        }
        (self.socket, self.number) = (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Hands whoever connects to a script, in the order they come, until the socket is shut down; a connection is closed when
    /// its script returns.
    ///
    /// - Parameter isConcurrent: whether the next is taken while the script of one before runs.
    public func serve(isConcurrent: Bool = false, _ script: @escaping @Sendable (Int32) -> Void) throws {
        guard listen(socket, 20) == 0 else {
            throw Failure(description: "no listening at port \(number): \(String(cString: strerror(errno)))")
        }
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

    /// 127.0.0.1, at a port.
    static func address(_ port: Int = 0) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return address
    }
}
