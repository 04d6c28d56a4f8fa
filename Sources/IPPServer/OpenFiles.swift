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
