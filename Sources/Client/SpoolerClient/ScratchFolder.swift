// A temporary folder of this process.

import FoundationEssentials
import Glibc

/// A temporary folder that only the user can enter.
///
/// The folder is removed when the last reference to this object is released.
package final class ScratchFolder: Sendable {
    package let path: String

    /// Creates a folder in `TMPDIR`.
    ///
    /// - Parameter name: The beginning of the folder's name.
    /// - Throws: `SpoolerClientError` with `output` if the folder cannot be created.
    package init(_ name: String = "printq") throws(SpoolerClientError) {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SpoolerClientError(
                .output, "cannot create a folder in '\(parent.printable)': \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
