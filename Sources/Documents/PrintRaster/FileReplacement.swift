// Replaces a file atomically.

import Glibc

/// A new file, which gets its final name only after all bytes are written.
///
/// Until then, the file has a temporary name in the same folder.
///
/// `finish` replaces an existing file of the same name. Only the owner can read the new file (`OutputFileMode`). The file is not flushed
/// to disk. `deinit` removes an unfinished file.
package final class FileReplacement {
    // Killed workers leave temporary files behind. `WorkerPool` removes the files with this suffix.
    private static let suffix = ".partial"

    private let path: String
    private var temporary: [CChar]
    private var descriptor: Int32

    /// Creates the temporary file.
    ///
    /// - Throws: `writeFailed`.
    package init(path: String) throws(RasterError) {
        var temporary = Array("\(path).XXXXXX\(Self.suffix)".utf8CString)
        let descriptor: CInt
        if OutputFileMode.isShared {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            temporary = Array("\(path).\(number)\(Self.suffix)".utf8CString)
            descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL, OutputFileMode.mode)
        } else {
            descriptor = temporary.withUnsafeMutableBufferPointer {
                mkstemps($0.baseAddress!, CInt(Self.suffix.utf8.count))
            }
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

    /// Appends bytes to the file.
    ///
    /// - Throws: `writeFailed`.
    package func append(_ bytes: [UInt8]) throws(RasterError) {
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

    /// Renames the temporary file to its final name.
    ///
    /// - Throws: `writeFailed`.
    package func finish() throws(RasterError) {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, rename(temporary, path) == 0 else {
            let problem = systemMessage()
            unlink(temporary)
            throw .writeFailed(path, cause: problem)
        }
    }
}

/// The mode of the files that a process writes.
enum OutputFileMode {
    /// Whether this process is a worker of another user than its spooler, which reads the files as a member of the group.
    ///
    /// A worker cannot change the mode of a file, so it creates the file with its final mode.
    static let isShared = CommandLine.arguments.contains("--receives-files")
    static let mode: mode_t = isShared ? 0o660 : 0o600
}

private func systemMessage() -> String { String(cString: strerror(errno)) }
