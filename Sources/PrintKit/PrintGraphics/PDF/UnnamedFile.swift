// A temporary file that the system removes with the process.

package import FoundationEssentials
import Glibc

/// A temporary file without a name, which no other user can open.
package final class UnnamedFile {
    private let descriptor: Int32
    /// The path by which this process can open the file.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Throws: `GraphicsError`: `writeFailed`.
    package init(_ content: some ContiguousBytes = Data(), for use: String = "printgraphics") throws(GraphicsError) {
        let folder = FileManager.default.temporaryDirectory.path
        var name = Array("\(folder)/\(use)-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .writeFailed(folder, cause: systemMessage(errno)) }
        unlink(name)
        // Prevents child processes from inheriting the descriptor.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let problem = content.withUnsafeBytes { OutputFile.append($0, to: descriptor) }
        guard problem == 0 else { throw .writeFailed(folder, cause: systemMessage(problem)) }
    }

    deinit { close(descriptor) }

    func data() throws(GraphicsError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path, cause: systemMessage(errno))
        }
        return data
    }
}
