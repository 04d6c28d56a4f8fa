// A job's files while it is made and sent.

import FoundationEssentials
import Glibc

/// A folder of a job's own, which only its user can read; it goes with the last reference.
final class ScratchFolder: Sendable {
    let path: String

    /// Makes the folder, or throws `jobFailed`.
    init() throws(PrintError) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/printkit-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw PrintError(
                .jobFailed, "no temporary folder can be made for the job: \(String(cString: strerror(errno)))")
        }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Removes a file that lies in the folder, and with its last file the folder; others, such as an app's own, stay.
    func remove(_ file: String) {
        guard file.hasPrefix("\(path)/") else { return }
        unlink(file)
        rmdir(path)
    }

    /// A path in the folder that no file has yet.
    func newPath(_ name: String) -> String { "\(path)/\(UUID().uuidString.prefix(8))-\(name)" }
}
