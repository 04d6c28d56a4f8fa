// Writes a file atomically.

import FoundationEssentials
import Glibc

/// A file that has a temporary name until all data has been written.
///
/// The finished file is renamed to its final name, in the same folder.
///
/// An existing file with the final name is replaced. The file is not synced to disk. Deinitialization removes an
/// unfinished file.
final class OutputFile {
    let path: String
    /// The path of the temporary file.
    let temporaryPath: String
    private var descriptor: Int32
    private var isFinished = false

    /// Creates the temporary file.
    ///
    /// - Throws: `GraphicsError`: `writeFailed`.
    init(path: String) throws(GraphicsError) {
        let name = "\(path).\(UUID().uuidString.prefix(8)).part"
        // The umask of the process determines who may read the file.
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .writeFailed(path, cause: systemMessage(errno)) }
        (self.path, temporaryPath, self.descriptor) = (path, name, descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlink(temporaryPath) }
    }

    /// Appends bytes to the temporary file.
    ///
    /// Returns 0 or an errno value.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            written += count
        }
        return 0
    }

    /// Closes the temporary file.
    ///
    /// - Throws: `GraphicsError`: `writeFailed`.
    func closeFile() throws(GraphicsError) {
        guard descriptor >= 0 else { return }
        let closed = close(descriptor)
        descriptor = -1
        if closed != 0 { throw .writeFailed(path, cause: systemMessage(errno)) }
    }

    /// Closes the file, and gives the file its final name.
    ///
    /// - Throws: `GraphicsError`: `writeFailed`.
    func finish() throws(GraphicsError) {
        try closeFile()
        guard rename(temporaryPath, path) == 0 else { throw .writeFailed(path, cause: systemMessage(errno)) }
        isFinished = true
    }

    /// Writes data to a file.
    ///
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
