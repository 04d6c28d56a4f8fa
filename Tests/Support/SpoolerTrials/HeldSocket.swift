// Keeps the socket of printd open while printd restarts.

import Glibc
import PrintTestSupport

/// A listening Unix socket that this process holds and hands over to printd, as systemd does (sd_listen_fds(3)).
///
/// While no printd runs, connections wait in the kernel's queue and are not refused.
package final class HeldSocket: Sendable {
    /// The listening socket.
    package let descriptor: Int32

    /// The error for a socket that cannot be opened.
    package struct OpenError: Error, CustomStringConvertible {
        /// The error message.
        package var description: String
    }

    /// Listens at a path.
    ///
    /// - Throws: `OpenError` if the path exists, is too long, or cannot be written.
    package init(path: String) throws(OpenError) {
        // The copy stays open when the test socket closes its descriptor.
        guard let socket = TestSocket(path: path), listen(socket.descriptor, 4096) == 0,
            case let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 3), copy >= 0
        else { throw OpenError(description: "cannot listen on '\(path)': \(String(cString: strerror(errno)))") }
        descriptor = copy
    }

    deinit { close(descriptor) }

    /// Returns the arguments of `/bin/sh` that execute a program with the socket, which is the standard input of the
    /// shell.
    ///
    /// `LISTEN_PID` is the number of the process that executes the program, so the shell sets it.
    func shellArguments(_ program: String, _ arguments: [String]) -> [String] {
        let script = """
            export LISTEN_FDS=1 LISTEN_FDNAMES=printd LISTEN_PID=$$
            exec "$0" "$@" 3<&0 </dev/null
            """
        return ["-c", script, program] + arguments
    }
}
