// A temporary folder for the files of one job.

import FoundationEssentials
import Glibc

/// A private folder for the files of one job.
///
/// Only the current user can read the folder.
///
/// The folder is deleted when the last reference is released.
final class ScratchFolder: Sendable {
    let path: String

    init() throws(PrintError) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/printkit-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw PrintError(
                .jobFailed, "cannot create a temporary folder for the job: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Removes a file from the folder, and removes the folder when the folder is empty.
    ///
    /// Files in other folders, such as the files of the app, stay unchanged.
    func remove(_ file: String) {
        guard file.hasPrefix("\(path)/") else { return }
        unlink(file)
        rmdir(path)
    }

    func newPath(_ name: String) -> String { "\(path)/\(UUID().uuidString.prefix(8))-\(name)" }
}
