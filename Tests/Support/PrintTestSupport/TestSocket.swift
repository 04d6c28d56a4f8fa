// Opens sockets for tests.

import Glibc

/// A bound socket, which is closed when the last reference is released.
///
/// Stands for the sockets of a service manager and of a journal.
public final class TestSocket {
    /// The file descriptor.
    public let descriptor: Int32

    /// Binds a Unix socket to a path; nil if this fails.
    ///
    /// A path with a leading zero byte is an abstract address.
    public init?(path: String, isStream: Bool = true, listens: Bool = true) {
        descriptor = socket(
            AF_UNIX, Int32((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let isAbstract = path.utf8.first == 0
        let length = 2 + path.utf8.count + (isAbstract ? 0 : 1)
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        guard bound == 0, !listens || listen(descriptor, 1) == 0 else { return nil }
    }

    /// Binds a TCP socket to a free port of a loopback address; nil if the machine has no such address.
    public init?(host: String) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "0", &hints, &list) == 0, let info = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Receives the next datagram; nil if none arrives in time.
    ///
    /// A datagram that consists of a memory file is read from the file. Blocks the calling thread.
    ///
    /// - Parameter seconds: The time to wait; 0 does not wait.
    public func receive(within seconds: Int = 60) -> [UInt8]? {
        var limit = timeval(tv_sec: max(1, seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var control = [UInt64](repeating: 0, count: 8)
        var files: [Int32] = []
        let count = bytes.withUnsafeMutableBytes { buffer in
            control.withUnsafeMutableBytes { space in
                var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (space.baseAddress, space.count)
                    let count = recvmsg(descriptor, &message, seconds > 0 ? 0 : Int32(MSG_DONTWAIT))
                    // A control message has a header of 16 bytes (cmsg(3)).
                    if message.msg_controllen >= 20 { files = [space.load(fromByteOffset: 16, as: Int32.self)] }
                    return count
                }
            }
        }
        guard count >= 0 else { return nil }
        guard let file = files.first else { return Array(bytes.prefix(count)) }
        defer { close(file) }
        var size = stat()
        guard fstat(file, &size) == 0 else { return nil }
        var content = [UInt8](repeating: 0, count: Int(size.st_size))
        guard pread(file, &content, content.count, 0) == content.count else { return nil }
        seals = fcntl(file, 1034)  // F_GET_SEALS
        return content
    }

    /// The seals of the last received memory file; nil if the last datagram was not a memory file.
    public private(set) var seals: Int32?
}
