// Checks one password of an account of this machine by PAM, for printd.

import CPAM
import Glibc

/// The program, which reads one request, asks PAM, and writes one answer.
///
/// printd must not run as root, but pam_unix reads `/etc/shadow` only as root. Therefore this small program is the only
/// one that does: it has one task, no configuration and no network protocol, and serves printd only.
///
/// The request is the name, the password and the address of the client, each followed by a zero byte. The answer is
/// `yes`, `no` or `error`, with a line feed; the exit codes are 0, 1 and 75. An invalid request has the code 65, a client
/// who is not printd the code 77, and both have no answer.
@main
enum PrintAuthenticator {
    /// The maximum time for everything, in seconds; PAM can ask servers.
    private static let seconds: UInt32 = 30

    static func main() {
        restrict()
        guard isForPrintd() else { exit(77) }
        guard let request = Request.read(from: STDIN_FILENO) else { exit(65) }
        let answer = MachineAccount.answer(to: request)
        // On a socket, the answer goes back to printd; otherwise to standard output.
        let output = isSocket ? STDIN_FILENO : STDOUT_FILENO
        let line = Array("\(answer.rawValue)\n".utf8)
        guard write(output, line, line.count) == line.count else { exit(74) }
        exit(answer.exitCode)
    }

    /// Gives up everything that a check of a password does not need.
    private static func restrict() {
        alarm(seconds)
        signal(SIGPIPE, SIG_IGN)
        // No other process can read the password in the memory. As root, pam_unix needs no setuid program.
        guard pam_process_restrict() == 0 else { exit(71) }
        for (resource, value) in [(RLIMIT_CORE, 0), (RLIMIT_NOFILE, 64), (RLIMIT_CPU, 10), (RLIMIT_FSIZE, 1 << 20)] {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
        umask(0o077)
        chdir("/")
        clearenv()
        setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1)
        setenv("LANG", "C", 1)
    }

    private static var isSocket: Bool {
        var status = stat()
        return fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Returns whether the client is allowed to ask: a process of the same user, or of the user in the argument.
    ///
    /// The socket of systemd has mode 0600. This is the second check.
    private static func isForPrintd() -> Bool {
        guard isSocket else { return true }
        // The `struct ucred` of unix(7), which glibc defines only for C with `_GNU_SOURCE`.
        var peer: (pid: Int32, uid: UInt32, gid: UInt32) = (0, .max, .max)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return false }
        if peer.uid == geteuid() { return true }
        guard CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--client",
            let entry = getpwnam(CommandLine.arguments[2])
        else { return false }
        return peer.uid == entry.pointee.pw_uid
    }
}

/// A request of printd.
struct Request {
    var name: String
    var password: String
    /// The address of the client on the network, for the log of PAM.
    var address: String

    private static let mostBytes = 1024

    /// Reads a request until its third zero byte; nil for a request that is too long, incomplete or invalid.
    static func read(from descriptor: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: mostBytes)
        while bytes.count(where: { $0 == 0 }) < 3 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0, bytes.count + count <= mostBytes else { return nil }
            bytes += buffer[..<count]
        }
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(validating: $0, as: UTF8.self) }
        guard parts.count == 4, parts[3] == "", let name = parts[0], let password = parts[1], let address = parts[2],
            !name.isEmpty, !password.isEmpty, !name.utf8.contains(where: { $0 <= 32 || $0 == 127 })
        else { return nil }
        return Request(name: name, password: password, address: address)
    }
}
