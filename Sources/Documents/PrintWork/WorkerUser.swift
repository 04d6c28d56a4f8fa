// Who reads documents when the spooler is root's.

import Glibc
import PrintModel

/// The user that workers become when root starts them.
struct WorkerUser: Hashable, Sendable {
    let user: uid_t
    let group: gid_t

    /// The users to look for when the settings name none, in order.
    private static let usual = ["printq", "nobody"]

    /// Finds the user by name; nil where this process is not root's, and workers keep its user.
    ///
    /// - Parameter name: A name or number; nil for `printq` if there is such a user, else `nobody`.
    /// - Throws: `workerUnavailable` when there is no such user, or it is root.
    static func find(_ name: String?) throws(WorkError) -> WorkerUser? {
        guard geteuid() == 0 else { return nil }
        let names = name.map { [$0] } ?? usual
        guard let found = names.lazy.compactMap(lookUp).first else {
            throw WorkError(
                .workerUnavailable,
                name.map { "there is no user '\($0)' to read documents as; correct worker.user in printd.json5" }
                    ?? "documents are not read as root, and there is no user 'nobody'; "
                    + "name an ordinary user in worker.user of printd.json5")
        }
        guard found.user != 0, found.group != 0 else {
            throw WorkError(
                .workerUnavailable,
                "documents are not read as root; name an ordinary user, with a group other than root's, in worker.user "
                    + "of printd.json5")
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
