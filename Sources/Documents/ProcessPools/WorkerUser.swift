// Finds the user of the workers when the spooler runs as root.

package import Glibc
package import PrintModel

/// The user of the workers if root starts the workers.
package struct WorkerUser: Hashable, Sendable {
    package let user: uid_t
    package let group: gid_t

    /// The default user names, in order of preference.
    private static let usual = ["printq", "nobody"]

    /// Returns the user of the worker processes.
    ///
    /// Returns nil if this process does not run as root. In this case, workers run as the user of this process.
    ///
    /// - Parameter name: A user name or number. Nil means `printq` if that user exists, otherwise `nobody`.
    /// - Throws: `workerUnavailable` if the user does not exist or is root.
    package static func find(_ name: String?) throws(WorkError) -> WorkerUser? {
        guard geteuid() == 0 else { return nil }
        let names = name.map { [$0] } ?? usual
        guard let found = names.lazy.compactMap(lookUp).first else {
            throw WorkError(
                .workerUnavailable,
                name.map { "user '\($0)' does not exist; correct worker.user in printd.json5" }
                    ?? "a worker must not run as root, and user 'nobody' does not exist; "
                    + "set worker.user in printd.json5 to an unprivileged user")
        }
        guard found.user != 0, found.group != 0 else {
            throw WorkError(
                .workerUnavailable,
                "a worker must not run as root; set worker.user in printd.json5 to an unprivileged user "
                    + "with an unprivileged primary group")
        }
        return found
    }

    private static func lookUp(_ name: String) -> WorkerUser? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: 16_384)
        let error =
            if let number = uid_t(name) {
                getpwuid_r(number, &entry, &room, room.count, &found)
            } else {
                getpwnam_r(name, &entry, &room, room.count, &found)
            }
        return error == 0 && found != nil ? WorkerUser(user: entry.pw_uid, group: entry.pw_gid) : nil
    }
}
