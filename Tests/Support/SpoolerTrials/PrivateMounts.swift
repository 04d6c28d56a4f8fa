// Mounts file systems that are invisible to other processes.

import Glibc
import ProcessLaunch

/// A private mount namespace (unshare(1)).
package enum PrivateMounts {
    /// The command prefix that starts a program in such a namespace; nil if the system does not allow it.
    package static let command: [String]? = {
        // Other users than root become root in a user namespace.
        let options = (geteuid() == 0 ? [] : ["--map-root-user"]) + ["--mount", "--propagation", "private"]
        return Programs.run("unshare", options + ["true"]) == 0 ? ["/usr/bin/unshare"] + options : nil
    }()

    /// Mounts a file system in memory, in a private namespace.
    ///
    /// - Parameter mebibytes: The size of the file system in MiB.
    /// - Returns: Whether the file system was mounted.
    package static func mountMemory(at path: String, mebibytes: Int) -> Bool {
        Programs.run("mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=700", "tmpfs", path]) == 0
    }

    /// Unmounts a file system.
    package static func unmount(_ path: String) { _ = Programs.run("umount", ["--lazy", path]) }
}
