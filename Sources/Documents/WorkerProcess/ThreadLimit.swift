// Limits the number of threads of a converter program.

import FoundationEssentials
import Glibc

/// The limit on the number of threads that a program can start.
///
/// The system call filter allows threads. Without the limit, a program could use up the process IDs of the machine.
enum ThreadLimit {
    /// The maximum number of threads that a program can start.
    private static let mostThreads: rlim_t = 256

    /// Limits the number of threads of this process and of the program that this process executes.
    ///
    /// The kernel counts all threads of a user (`RLIMIT_NPROC`), so the limit includes the existing threads.
    static func apply(arguments: [String]) {
        let user = geteuid() == 0 ? WorkerIdentity(arguments: arguments)?.user ?? 0 : geteuid()
        let most = threads(of: user) + mostThreads
        var limit = rlimit()
        let resource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_cur, most)
        limit.rlim_max = min(limit.rlim_max, most)
        setrlimit(resource, &limit)
    }

    /// Returns the number of threads of a user's processes.
    private static func threads(of user: uid_t) -> rlim_t {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.reduce(into: 0) { count, name in
            var status = stat()
            guard name.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
                stat("/proc/\(name)/task", &status) == 0, status.st_uid == user
            else { return }
            // A folder has two links, and one more link for each subfolder.
            count += rlim_t(max(Int(status.st_nlink) - 2, 1))
        }
    }
}
