// Writes a file atomically.

import FoundationEssentials
import Glibc

/// A file that has a temporary name until all data has been written.
///
/// The finished file is renamed to its final name, in the same folder.
///
/// An existing file with the final name is replaced. The file is not synced to disk. Deinitialization removes an
/// unfinished file.
package final class OutputFile {
    let path: String
    private let temporaryPath: String
    private var descriptor: Int32
    private var isFinished = false

    /// The path by which this process can open the temporary file, which is never a link of another user.
    var openPath: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameter isPrivate: Whether only the owner can read the file; otherwise the umask of the process determines
    ///   who can read the file.
    /// - Throws: `GraphicsError`: `writeFailed`.
    init(path: String, isPrivate: Bool = false) throws(GraphicsError) {
        let name = "\(path).\(UUID().uuidString.prefix(8)).part"
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw .writeFailed(path, cause: systemMessage(errno)) }
        (self.path, temporaryPath, self.descriptor) = (path, name, descriptor)
    }

    deinit { discard() }

    func discard() {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlink(temporaryPath) }
        (descriptor, isFinished) = (-1, true)
    }

    /// Returns 0 or an errno value.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int32 { Self.append(bytes, to: descriptor) }

    /// Returns 0 or an errno value.
    package static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            written += count
        }
        return 0
    }

    /// - Throws: `GraphicsError`: `writeFailed`.
    func finish() throws(GraphicsError) {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, rename(temporaryPath, path) == 0 else {
            throw .writeFailed(path, cause: systemMessage(errno))
        }
        isFinished = true
    }

    /// The file appears only after all data has been written.
    ///
    /// - Throws: `GraphicsError`: `writeFailed`.
    static func write(_ data: Data, to path: String) throws(GraphicsError) {
        let file = try OutputFile(path: path)
        let problem = data.withUnsafeBytes { file.append($0) }
        guard problem == 0 else { throw .writeFailed(path, cause: systemMessage(problem)) }
        try file.finish()
    }
}

func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
