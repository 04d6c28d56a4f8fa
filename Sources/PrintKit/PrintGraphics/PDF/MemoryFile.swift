// A file in memory, for libraries that read and write files.

import CMemoryFile
import FoundationEssentials
import Glibc
import SafeFiles

/// A file that has no path and is stored only in memory, so that no other user can open the file and no disk keeps it.
package final class MemoryFile: Sendable {
    private let descriptor: Int32
    /// The path by which this process can open the file.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Throws: `GraphicsError`: `writeFailed`.
    package init(_ content: some Collection<UInt8> = [UInt8]()) throws(GraphicsError) {
        descriptor = cmemory_file_create("printgraphics")
        guard descriptor >= 0 else { throw Self.failed(SystemFailure(errno)) }
        try append(content)
    }

    deinit { close(descriptor) }

    package func append(_ bytes: some Collection<UInt8>) throws(GraphicsError) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch { throw Self.failed(error) }
    }

    func data() throws(GraphicsError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(path, cause: SystemFailure(errno).description)
        }
        return data
    }

    private static func failed(_ failure: SystemFailure) -> GraphicsError {
        GraphicsError(
            .writeFailed, "cannot keep the document in memory; draw fewer pages at once", cause: failure.description)
    }
}
