// Asks print-authenticator about passwords of this machine's accounts.

import Glibc
import PrintServer
import ProcessLaunch

/// The connection to `print-authenticator`, which asks PAM.
///
/// In the service, systemd starts the program as root for each connection to a socket. A `printd` of root's starts the
/// program itself. Another user cannot check passwords: `pam_unix` would check the own password only.
struct MachineLogins: Sendable {
    /// The connection that the unit of the service sets, or that a `printd` of root's uses.
    static let current = MachineLogins(
        socket: getenv("PRINTQ_AUTHENTICATOR_SOCKET").map { String(cString: $0) })

    /// The path of the socket; nil if `printd` starts the program.
    var socket: String?
    var program = Programs.path(of: "print-authenticator")

    /// The maximum time for an answer, longer than that of the program.
    private static let seconds = 35

    /// The reason why no password can be checked, with the remedy; nil if there is no such reason.
    var problem: String? {
        if let socket { return access(socket, F_OK) == 0 ? nil : Self.silence(of: socket) }
        return geteuid() == 0
            ? nil : "only root can check passwords of accounts; use the system spooler, or set network.pam to false"
    }

    private static func silence(of socket: String) -> String {
        "'\(socket)' does not answer; run 'systemctl enable --now print-authenticator.socket'"
    }

    /// Returns the answer to a name and a password.
    ///
    /// The function blocks.
    func answer(_ name: String, _ password: String, from address: String) -> MachineAnswer {
        let request = [name, password, address].flatMap { Array(($0 + "\0").utf8) }
        let line: String?
        if let problem { return .unavailable(problem) }
        if let socket {
            guard let descriptor = connect(to: socket) else { return .unavailable(Self.silence(of: socket)) }
            defer { close(descriptor) }
            line = send(request, to: descriptor) ? self.line(of: descriptor) : nil
        } else {
            line = runProgram(request)
        }
        return switch line {
        case "yes": .right
        case "no": .wrong
        case "error": .unavailable("PAM cannot check passwords; see '/etc/pam.d/printq' and the log of PAM")
        default: .unavailable("print-authenticator gave no answer")
        }
    }

    /// Starts the program, and returns its answer; nil without an answer.
    private func runProgram(_ request: [UInt8]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let process = try? DetachedProcess(program: program, arguments: [], input: ends[1], log: "/dev/null")
        close(ends[1])
        guard let process else { return nil }
        let answer = send(request, to: ends[0]) ? line(of: ends[0]) : nil
        // Closes the pipe of the program's output, which stays empty.
        _ = process.readLine(deadline: 0)
        if answer == nil { kill(process.pid, SIGKILL) }
        waitpid(process.pid, nil, 0)
        return answer
    }

    private func send(_ request: [UInt8], to descriptor: Int32) -> Bool {
        Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    }

    private func connect(to path: String) -> Int32? {
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            guard path.utf8.count < bytes.count else { return false }
            bytes.copyBytes(from: path.utf8)
            return true
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isShort, result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns the first line, without the line feed; nil if the connection ends first, or at the end of the time.
    private func line(of descriptor: Int32) -> String? {
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var bytes: [UInt8] = []
        while bytes.count < 100 {
            let left = ContinuousClock.now.duration(to: end)
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > .zero, poll(&event, 1, Int32(left.components.seconds * 1000 + 1)) > 0 else { return nil }
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}
