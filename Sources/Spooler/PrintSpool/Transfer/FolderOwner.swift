// Keeps the owner of a spool's files when root writes them.

import FoundationEssentials
import Glibc

/// The owner of a folder.
///
/// If root creates files in another user's spool, the files must belong to that user. Otherwise that user's `printd`
/// cannot read the files.
struct FolderOwner {
    private let user: uid_t
    private let group: gid_t

    /// Reads the owner of a folder.
    ///
    /// - Throws: `unwritable`.
    init(of folder: String) throws(SpoolError) {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw .file(folder, SystemCallError(call: "stat", number: errno))
        }
        (user, group) = (status.st_uid, status.st_gid)
    }

    /// Changes the owner of a file, or of a folder and its contents, to this owner.
    ///
    /// - Throws: `unwritable` if this process does not have the permission.
    func give(_ path: String) throws(SpoolError) {
        guard user != geteuid() || group != getegid() else { return }
        let contents = FileManager.default.enumerator(atPath: path)?.map { "\(path)/\($0)" } ?? []
        for path in [path] + contents {
            guard lchown(path, user, group) == 0 else {
                throw .file(path, SystemCallError(call: "chown", number: errno))
            }
        }
    }
}
