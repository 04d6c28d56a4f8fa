// Reads the limit of open files.

import Glibc

/// The limit on the number of open files, and the error message for a limit that is too low.
package enum OpenFileLimit {
    /// The minimum limit for a spooler: enough for the database, the sockets, a worker and some printers.
    package static let least = 128

    /// The number of files that this process may have open at the same time.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// The error message for a process that needs more open files than the limit allows.
    package static var message: String {
        "the limit of open files is too low (\(current)); set a higher limit with 'ulimit -n', or with LimitNOFILE "
            + "in a systemd service"
    }
}
