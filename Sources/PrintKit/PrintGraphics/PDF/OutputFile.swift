// A file that appears whole or not at all.

import FoundationEssentials
import Glibc

/// A file under construction, under a temporary name in its folder until it is finished.
///
/// A file that already has the name is replaced. It is not fsynced. What is not finished is removed when the last
/// reference goes.
final class OutputFile {
    let path: String
    /// Where it is while it is made.
    let temporaryPath: String
    private var descriptor: Int32
    private var isFinished = false

    /// Begins a file; throws `writeFailed`.
    init(path: String) throws(GraphicsError) {
        let name = "\(path).\(UUID().uuidString.prefix(8)).part"
        // Readable by whom the process' umask says, as of any document.
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .writeFailed(path, cause: systemMessage(errno)) }
        (self.path, temporaryPath, self.descriptor) = (path, name, descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlink(temporaryPath) }
    }

    /// Writes bytes at the end; returns an errno value, or 0.
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

    /// Ends writing, under the temporary name still; throws `writeFailed`.
    func closeFile() throws(GraphicsError) {
        guard descriptor >= 0 else { return }
        let closed = close(descriptor)
        descriptor = -1
        if closed != 0 { throw .writeFailed(path, cause: systemMessage(errno)) }
    }

    /// Gives the file its name; throws `writeFailed`.
    func finish() throws(GraphicsError) {
        try closeFile()
        guard rename(temporaryPath, path) == 0 else { throw .writeFailed(path, cause: systemMessage(errno)) }
        isFinished = true
    }

    /// Writes a whole file; throws `writeFailed`.
    static func write(_ data: Data, to path: String) throws(GraphicsError) {
        let file = try OutputFile(path: path)
        let problem = data.withUnsafeBytes { file.append($0) }
        guard problem == 0 else { throw .writeFailed(path, cause: systemMessage(problem)) }
        try file.finish()
    }
}

func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
