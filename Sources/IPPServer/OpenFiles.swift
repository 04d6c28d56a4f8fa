// How many files a process may have open; each connection is one.

import Glibc

/// How many files this process may have open; each connection is one.
public enum OpenFiles {
    /// How many there may be now.
    public static var most: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many connections a listener may have, so that two of them leave enough for all else.
    ///
    /// A process that reaches the bound does not get far: libdispatch itself needs files now and then, and ends the
    /// process when it gets none.
    static var connections: Int { max(4, (most - min(256, most / 2)) / 2) }

    /// Raises the bound to what the system allows this process, at most so many.
    ///
    /// Most systems begin with 1,024 because of programs that use select(2), and allow far more.
    public static func raise(to wanted: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
