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

    /// Readies a server: raises the bound to 16,384 as far as that is allowed, and keeps from programs that it starts what it
    /// was started with.
    ///
    /// To be called at the start, before anything is listened on.
    public static func prepare() {
        raise(to: 16384)
        closeOnExec { _ in true }
    }

    /// Has the queues of events that are open now closed in programs that are started: SwiftNIO makes its `epoll` descriptors
    /// without `EPOLL_CLOEXEC`.
    static func closeEventQueuesOnExec() {
        closeOnExec { descriptor in
            var name = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
            return count > 0 && name.prefix(count).elementsEqual("anon_inode:[eventpoll]".utf8.map(CChar.init))
        }
    }

    /// Has those of the files that are open now, without the three of every program, closed in programs that are started.
    private static func closeOnExec(where isMeant: (Int32) -> Bool) {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > 2, isMeant(descriptor),
                case let flags = fcntl(descriptor, F_GETFD), flags >= 0
            else { continue }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
        }
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
