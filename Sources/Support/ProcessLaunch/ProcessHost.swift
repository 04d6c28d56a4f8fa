// Starts processes as another user, through a process of that user.

import FoundationEssentials
import Glibc
import Synchronization

/// A connection to a process of another user, which starts, kills and reaps processes of that user on request.
///
/// A service manager starts the process (`print-launcher --host`) when this object connects to its socket. If the
/// process ends, its processes end, and the next start connects again.
public final class ProcessHost: Sendable {
    /// The path of the socket.
    public let socket: String

    /// The user and group of the process at the other end of a connection.
    public struct Identity: Hashable, Sendable {
        /// The user ID.
        public let user: UInt32
        /// The primary group ID.
        public let group: UInt32
    }

    private struct Connection {
        var descriptor: Int32
        var identity: Identity
    }

    private let connection = Mutex<Connection?>(nil)

    /// The maximum time for the start of the process and for each of its answers.
    private static let timeout = Duration.seconds(20)

    /// Creates an object that is not connected.
    public init(socket: String) { self.socket = socket }

    deinit {
        if let connection = connection.withLock({ $0 }) { close(connection.descriptor) }
    }

    /// Returns the user and group of the processes.
    ///
    /// - Throws: `LaunchError` if the connection fails, or if the user is the user of this process.
    public func identity() throws(LaunchError) -> Identity {
        try connection.withLock { connection throws(LaunchError) in try connect(&connection).identity }
    }

    /// Starts a program in a separate session.
    ///
    /// - Parameters:
    ///   - arguments: The name of the program, and its arguments.
    ///   - environment: The complete environment, as `NAME=value` strings.
    ///   - streams: The descriptors for standard input and standard output.
    ///   - errors: The file to which standard error is appended.
    func start(
        _ arguments: [String], environment: [String], streams: [Int32], errors: String
    ) throws(LaunchError) -> HostedProcess {
        let log = open(errors, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw LaunchError(arguments[0], errno) }
        defer { close(log) }
        let (own, other) = try ends()
        defer { close(other) }
        let strings = ["S\(arguments.count)"] + arguments + environment
        let process: HostedProcess
        do throws(LaunchError) {
            try send(strings.flatMap { Array($0.utf8) + [0] }, streams + [log, other])
            guard let number: Int32 = HostedProcess.receive(from: own, until: .now + Self.timeout), number > 0 else {
                throw LaunchError(arguments[0], ECHILD)
            }
            process = HostedProcess(pid: number, channel: own)
        } catch {
            close(own)
            throw error
        }
        return process
    }

    /// Takes over a process that a started program has forked as its sibling.
    func watch(_ pid: Int32) throws(LaunchError) -> HostedProcess {
        let (own, other) = try ends()
        defer { close(other) }
        do throws(LaunchError) { try send(Array("W\(pid)".utf8), [other]) } catch {
            close(own)
            throw error
        }
        return HostedProcess(pid: pid, channel: own)
    }

    private func ends() throws(LaunchError) -> (own: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Self.type, 0, &ends) == 0 else { throw LaunchError(socket, errno) }
        return (ends[0], ends[1])
    }

    private static let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)

    /// Sends a message, and connects again once if the process has ended.
    private func send(_ message: [UInt8], _ descriptors: [Int32]) throws(LaunchError) {
        try connection.withLock { connection throws(LaunchError) in
            for _ in 0..<2 {
                let current = try connect(&connection)
                let count = message.withUnsafeBytes {
                    DescriptorMessage.send($0, descriptors, to: current.descriptor)
                }
                if count == message.count { return }
                close(current.descriptor)
                connection = nil
            }
            throw LaunchError(socket, EPIPE)
        }
    }

    private func connect(_ connection: inout Connection?) throws(LaunchError) -> Connection {
        if let connection { return connection }
        let descriptor = Glibc.socket(AF_UNIX, Self.type, 0)
        guard descriptor >= 0 else { throw LaunchError(socket, errno) }
        do throws(LaunchError) {
            let new = Connection(descriptor: descriptor, identity: try greeting(of: descriptor))
            connection = new
            return new
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Connects a socket, and receives the first message of the process.
    private func greeting(of descriptor: Int32) throws(LaunchError) -> Identity {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socket.utf8CString.map { UInt8(bitPattern: $0) })
        guard path.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw LaunchError(socket, ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw LaunchError(socket, errno) }
        guard let numbers: UInt64 = HostedProcess.receive(from: descriptor, until: .now + Self.timeout) else {
            throw LaunchError(socket, ECONNRESET)
        }
        let identity = Identity(user: UInt32(truncatingIfNeeded: numbers), group: UInt32(numbers >> 32))
        // The processes must not be able to change the files of this process.
        guard identity.user != geteuid(), identity.user != 0, identity.group != 0 else {
            throw LaunchError(socket, EPERM)
        }
        return identity
    }
}

/// A process that a `ProcessHost` has started.
///
/// The process is killed with the last reference.
public final class HostedProcess: Sendable {
    let pid: Int32
    /// The socket that receives the exit status.
    ///
    /// The host kills the process when the socket is closed.
    private let channel: Int32
    private let ending = Mutex<(InteractiveProcess.Ending, processorSeconds: Double)?>(nil)

    /// The maximum time until the end of a killed process is reported.
    private static let longestEnd = Duration.seconds(30)

    fileprivate init(pid: Int32, channel: Int32) { (self.pid, self.channel) = (pid, channel) }

    deinit { close(channel) }

    /// Kills the process and its process group.
    public func kill() { _ = shutdown(channel, Int32(SHUT_WR)) }

    /// The processor time of a process that has ended, in seconds; 0 before.
    public var processorSeconds: Double { ending.withLock { $0?.processorSeconds ?? 0 } }

    /// Kills the process, and returns how the process ended.
    func end() -> InteractiveProcess.Ending {
        kill()
        return awaitEnd(atMost: Self.longestEnd) ?? .signaled(SIGKILL)
    }

    /// Waits until the process has ended; returns nil after a time limit.
    ///
    /// A process whose host has ended counts as killed.
    func awaitEnd(atMost limit: Duration) -> InteractiveProcess.Ending? {
        if let known = ending.withLock({ $0?.0 }) { return known }
        var descriptor = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
        let components = limit.components
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        guard poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 else { return nil }
        let report: Report? = Self.receive(from: channel, until: .now + Self.longestEnd)
        let status = report?.status ?? SIGKILL
        let signal = status & 0x7F
        let result = signal == 0 ? InteractiveProcess.Ending.exited((status >> 8) & 0xFF) : .signaled(signal)
        ending.withLock { $0 = (result, Double(report?.microseconds ?? 0) / 1e6) }
        return result
    }

    /// The last message about a process (`struct ending` of CSandbox).
    private struct Report: BitwiseCopyable {
        var status: Int32 = 0
        var unused: Int32 = 0
        var microseconds: Int64 = 0
    }

    /// Receives a message that consists of one value; nil if there is no such message at a deadline.
    fileprivate static func receive<Value: BitwiseCopyable>(
        from socket: Int32, until end: ContinuousClock.Instant
    ) -> Value? {
        while true {
            let left = (end - .now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, Int32(clamping: max(milliseconds, 0)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let size = MemoryLayout<Value>.size
            return withUnsafeTemporaryAllocation(
                byteCount: size, alignment: MemoryLayout<Value>.alignment
            ) { bytes in
                recv(socket, bytes.baseAddress, size, 0) == size ? bytes.loadUnaligned(as: Value.self) : nil
            }
        }
    }
}

/// Messages that pass open files to another process.
enum DescriptorMessage {
    /// The maximum number of files in a message.
    static let mostFiles = 250

    /// Sends bytes and open files, like `send`.
    static func send(_ bytes: UnsafeRawBufferPointer, _ descriptors: [Int32], to socket: Int32) -> Int {
        precondition(descriptors.count <= mostFiles)
        // The layout of `CMSG_DATA`: the header has the size of two words, and the data are padded to whole words.
        let word = MemoryLayout<Int>.size
        let data = descriptors.count * MemoryLayout<Int32>.size
        let header = MemoryLayout<cmsghdr>.size
        let room = header + (data + word - 1) / word * word
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: word) { control in
            control.initializeMemory(as: UInt8.self, repeating: 0)
            var head = cmsghdr()
            head.cmsg_len = header + data
            head.cmsg_level = SOL_SOCKET
            head.cmsg_type = CInt(SCM_RIGHTS)
            control.storeBytes(of: head, as: cmsghdr.self)
            for (index, descriptor) in descriptors.enumerated() {
                control.storeBytes(
                    of: descriptor, toByteOffset: header + index * MemoryLayout<Int32>.size, as: Int32.self)
            }
            var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                (message.msg_iov, message.msg_iovlen) = (part, 1)
                (message.msg_control, message.msg_controllen) = (control.baseAddress, room)
                while true {
                    let count = sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
                    if count >= 0 || errno != EINTR { return count }
                }
            }
        }
    }
}
