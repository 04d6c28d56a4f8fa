// How few files a process may have open.

import Glibc

/// The limit on open files, in words.
package enum OpenFileLimit {
    /// The fewest that a spooler works with: its database, its sockets, a worker and some printers.
    package static let least = 128

    /// How many files this process may have open.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Why something needs more files than may be open, and what to do.
    package static var words: String {
        "too few open files are allowed (\(current)); raise the limit with 'ulimit -n', or LimitNOFILE in a service of systemd"
    }
}
