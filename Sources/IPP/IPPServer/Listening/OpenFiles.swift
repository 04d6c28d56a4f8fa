// The limit of open files. Each connection is an open file.

import Glibc

/// The limit of open files of this process.
///
/// Each connection is an open file.
public enum OpenFiles {
    /// The current maximum number of open files of this process.
    package static var most: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The maximum number of connections of one listener.
    ///
    /// If two listeners have this number of connections, the process can still open enough files for all other uses.
    ///
    /// A process that has reached its limit of open files soon fails: libdispatch occasionally opens a file, and ends
    /// the process if the file cannot be opened.
    static var connections: Int { max(4, (most - min(256, most / 2)) / 2) }

    /// Prepares this process to run a server.
    ///
    /// Raises the limit of open files to 16,384 or the highest allowed number. Prevents child processes from inheriting
    /// the files that this process inherited. Call this method at the start, before the process listens on an address.
    package static func prepare() {
        raise(to: 16384)
        closeOnExec { _ in true }
    }

    /// Sets the close-on-exec flag of the open event queues.
    ///
    /// SwiftNIO creates its `epoll` descriptors without `EPOLL_CLOEXEC`.
    static func closeEventQueuesOnExec() {
        closeOnExec { descriptor in
            var name = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
            return count > 0 && name.prefix(count).elementsEqual("anon_inode:[eventpoll]".utf8.map(CChar.init))
        }
    }

    /// Sets the close-on-exec flag of each open file for which `isMeant` returns true, except for the three standard
    /// streams.
    private static func closeOnExec(where isMeant: (Int32) -> Bool) {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            // Without a copy: an entry is shorter than its type, and can end at the end of readable memory.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name), descriptor > 2, isMeant(descriptor),
                case let flags = fcntl(descriptor, F_GETFD), flags >= 0
            else { continue }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
        }
    }

    /// Raises the limit of open files to the given number, or to the highest number that the system allows.
    ///
    /// On most systems, the initial limit is 1,024 because of programs that use select(2), but the highest allowed
    /// number is far larger.
    package static func raise(to wanted: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
