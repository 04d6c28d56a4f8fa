// Mounting a file system that nobody else sees.

import Glibc
import ProcessLaunch

/// A mount namespace of a process's own (unshare(1)).
package enum PrivateMounts {
    /// The program and arguments that start another program in such a namespace; nil where the system does not allow it.
    package static let command: [String]? = {
        // Who is not root becomes root of a user namespace.
        let options = (geteuid() == 0 ? [] : ["--map-root-user"]) + ["--mount", "--propagation", "private"]
        return Programs.run("unshare", options + ["true"]) == 0 ? ["/usr/bin/unshare"] + options : nil
    }()

    /// Mounts a file system in memory, of so many MiB, in a namespace that is ours.
    ///
    /// - Returns: whether it worked.
    package static func mountMemory(at path: String, mebibytes: Int) -> Bool {
        Programs.run("mount", ["-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=700", "tmpfs", path]) == 0
    }

    /// Takes away what was mounted.
    package static func unmount(_ path: String) { _ = Programs.run("umount", ["--lazy", path]) }
}
