// A file that appears whole or not at all.

import Glibc

/// A file under construction, under a temporary name in its folder until it is finished.
///
/// A file that already has the name is replaced; only the owner may read the new one. It is not fsynced. What is not
/// finished is removed when the last reference goes.
final class FileReplacement {
    // `WorkerPool` removes files with this suffix, which killed workers leave behind.
    private static let suffix = ".partial"

    private let path: String
    private var temporary: [CChar]
    private var descriptor: Int32

    /// Begins a file; throws `writeFailed`.
    init(path: String) throws(RasterError) {
        var temporary = Array("\(path).XXXXXX\(Self.suffix)".utf8CString)
        let descriptor = temporary.withUnsafeMutableBufferPointer {
            mkstemps($0.baseAddress!, CInt(Self.suffix.utf8.count))
        }
        guard descriptor >= 0 else { throw .writeFailed(path, cause: systemMessage()) }
        self.path = path
        self.temporary = temporary
        self.descriptor = descriptor
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    /// Writes bytes at the end; throws `writeFailed`.
    func append(_ bytes: [UInt8]) throws(RasterError) {
        let problem: String? = bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return systemMessage() }
                written += count
            }
            return nil
        }
        if let problem { throw .writeFailed(path, cause: problem) }
    }

    /// Gives the file its name; throws `writeFailed`.
    func finish() throws(RasterError) {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, rename(temporary, path) == 0 else {
            let problem = systemMessage()
            unlink(temporary)
            throw .writeFailed(path, cause: problem)
        }
    }
}

private func systemMessage() -> String { String(cString: strerror(errno)) }
