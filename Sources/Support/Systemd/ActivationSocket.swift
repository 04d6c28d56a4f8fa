// Receives listening sockets from the service manager (sd_listen_fds(3)).

import Glibc

/// A listening stream socket that the service manager opened and passed to this process.
///
/// The service manager keeps the socket open. Connections wait in the kernel's queue while the service restarts.
///
///     for socket in try ActivationSocket.receive() { print(socket.address) }
public struct ActivationSocket: Hashable, Sendable {
    /// The address of a socket.
    public enum Address: Hashable, Sendable {
        /// The absolute path of a Unix socket.
        case unix(path: String)
        /// A numeric IPv4 or IPv6 address, and a port.
        case tcp(host: String, port: Int)
    }

    /// The file descriptor, with the close-on-exec flag.
    public let descriptor: Int32
    /// The name of the socket (`FileDescriptorName=` of systemd.socket(5)); empty for a socket without a name.
    public let name: String
    /// The address at which the socket listens.
    public let address: Address

    /// The first file descriptor that the service manager passes to a process (`SD_LISTEN_FDS_START`).
    static let firstDescriptor: Int32 = 3

    /// Returns the sockets that the service manager passed to this process.
    ///
    /// The function also deletes the environment variables that describe the sockets, so that child processes do not
    /// use the sockets.
    ///
    /// The result is empty if the service manager passed no sockets, or passed the sockets to another process. Call
    /// this function once, at the start, before other threads use the environment.
    ///
    /// - Throws: `SystemdError` for a descriptor that is not a listening Unix or TCP socket.
    public static func receive() throws(SystemdError) -> [ActivationSocket] {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        let passed = PassedDescriptors(
            count: variable("LISTEN_FDS"), pid: variable("LISTEN_PID"), names: variable("LISTEN_FDNAMES"),
            process: getpid())
        for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] { unsetenv(name) }
        guard let passed else { return [] }
        // All descriptors first: an error must not leave a descriptor to child processes.
        let descriptors = passed.names.indices.map { firstDescriptor + Int32($0) }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var sockets: [ActivationSocket] = []
        for (descriptor, name) in zip(descriptors, passed.names) {
            sockets.append(try ActivationSocket(descriptor: descriptor, name: name))
        }
        return sockets
    }

    /// Checks a file descriptor.
    ///
    /// - Throws: `SystemdError` if the descriptor is not a listening stream socket with a path or an IP address.
    init(descriptor: Int32, name: String) throws(SystemdError) {
        self.descriptor = descriptor
        self.name = name
        address = try Self.address(of: descriptor, name: name)
    }

    private static func address(of descriptor: Int32, name: String) throws(SystemdError) -> Address {
        let label = name.isEmpty ? "file descriptor \(descriptor)" : "file descriptor \(descriptor) ('\(name)')"
        func unusable(_ reason: String) -> SystemdError {
            SystemdError(
                code: .unusableSocket,
                message: "cannot use \(label) from the service manager: \(reason); correct the socket unit")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unusable(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw unusable("the descriptor is not a socket") }
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) else {
            throw unusable("the socket is not a stream socket (the unit must contain ListenStream=)")
        }
        guard option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw unusable("the socket is not a listening socket (the unit must contain Accept=no)")
        }
        guard let address = SocketName(of: descriptor)?.address else {
            throw unusable("the socket has neither a path nor an IP address")
        }
        return address
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

/// The file descriptors that the service manager passed to this process, as described in environment variables.
struct PassedDescriptors: Equatable {
    /// The names of the sockets, in the order of the descriptors; empty text for a descriptor without a name.
    let names: [String]

    /// Parses the values of `LISTEN_FDS`, `LISTEN_PID` and `LISTEN_FDNAMES`.
    ///
    /// Returns nil if the service manager passed no descriptors to the process with the ID `process`.
    init?(count: String?, pid: String?, names: String?, process: pid_t) {
        guard let pid, pid_t(pid) == process, let count = count.flatMap({ Int($0) }), (1...1024).contains(count)
        else { return nil }
        let given = names.map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) } ?? []
        self.names = (0..<count).map { index in
            // systemd's name for a descriptor without a name.
            given.indices.contains(index) && given[index] != "unknown" ? given[index] : ""
        }
    }
}

/// The local address of a socket, as returned by getsockname(2).
private struct SocketName {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    init?(of descriptor: Int32) {
        let result = withUnsafeMutablePointer(to: &storage) { [length] pointer in
            var size = length
            let code = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            return code == 0 ? size : nil
        }
        guard let result else { return nil }
        length = result
    }

    /// The address; nil for an abstract or unnamed Unix socket, and for other address families.
    var address: ActivationSocket.Address? {
        withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_UNIX:
                let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
                let path = bytes[start..<max(start, Int(length))].prefix { $0 != 0 }
                return path.isEmpty ? nil : .unix(path: String(decoding: path, as: UTF8.self))
            case AF_INET, AF_INET6: return numericHost.map { .tcp(host: $0, port: port(in: bytes)) }
            default: return nil
            }
        }
    }

    /// Returns the TCP port, which is at the same offset in sockaddr_in and sockaddr_in6.
    private func port(in bytes: UnsafeRawBufferPointer) -> Int { Int(bytes[2]) << 8 | Int(bytes[3]) }

    private var numericHost: String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard code == 0 else { return nil }
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
