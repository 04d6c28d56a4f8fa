// A temporary file that the system removes with the process.

import FoundationEssentials
import Glibc
import SafeFiles

/// A temporary file without a name, which no other user can open.
package final class UnnamedFile {
    private let descriptor: Int32
    /// The path by which this process can open the file.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Throws: `GraphicsError`: `writeFailed`.
    package init(_ content: some Collection<UInt8> = [UInt8](), for use: String = "printgraphics") throws(GraphicsError)
    {
        let folder = FileManager.default.temporaryDirectory.path
        var name = Array("\(folder)/\(use)-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .writeFailed(folder, cause: SystemFailure(errno).description) }
        unlink(name)
        // Prevents child processes from inheriting the descriptor.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(SystemFailure) { try FileBytes.write(content, to: descriptor) } catch {
            throw .writeFailed(folder, cause: error.description)
        }
    }

    deinit { close(descriptor) }

    func data() throws(GraphicsError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path, cause: SystemFailure(errno).description)
        }
        return data
    }
}
