// Creates and removes the temporary folders of the processes of the HTML engine.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessPools

/// The temporary folder of a process, which is removed with the last reference to this object.
///
/// The folder is locked with `flock` until then, because the folder of an idle process is as empty as that of a killed
/// process. The lock ends with the process that started the engine.
final class HTMLWorkerFolder: Sendable {
    let path: String
    /// The path of the file for the error output of the process.
    ///
    /// The file is not in the folder of the process, because the process could replace the file by a link.
    var errors: String { path + Self.errorsSuffix }

    private let lock: CInt
    private static let errorsSuffix = "-errors"

    /// Creates the folder.
    ///
    /// - Parameter user: The user of the process, if this process runs as root.
    /// - Throws: `writeFailed`.
    init(for user: WorkerUser?) throws(WorkError) {
        let temporary = FileManager.default.temporaryDirectory.path
        Self.removeStaleFolders(in: temporary)
        var template = Array("\(temporary)/printq-html-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw WorkError(
                .writeFailed, "cannot create a folder in '\(temporary)' for the HTML engine",
                detail: String(cString: strerror(errno)))
        }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        lock = Self.lock(path) ?? -1
        if let user { chown(path, user.user, user.group) }
    }

    deinit {
        ConversionFolder.remove(path)
        unlink(errors)
        if lock >= 0 { close(lock) }
    }

    /// Returns a descriptor that locks a folder; nil if another descriptor locks the folder.
    private static func lock(_ path: String) -> CInt? {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            close(folder)
            return nil
        }
        return folder
    }

    /// Removes the empty folders and the error files of killed processes.
    ///
    /// The sandboxed process empties its folder, but cannot remove the folder itself.
    private static func removeStaleFolders(in temporary: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        where name.hasPrefix("printq-html-") {
            let path = "\(temporary)/\(name)"
            var status = stat()
            // A new folder may not be locked yet. Folders with files are kept.
            guard stat(path, &status) == 0, status.st_mtim.tv_sec < time(nil) - 60 else { continue }
            if name.hasSuffix(errorsSuffix) {
                if Glibc.access(String(path.dropLast(errorsSuffix.count)), F_OK) != 0 { unlink(path) }
            } else if let lock = lock(path) {
                rmdir(path)
                close(lock)
            }
        }
    }
}
