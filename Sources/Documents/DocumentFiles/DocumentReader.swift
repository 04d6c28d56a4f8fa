// Opens the file of a document and reads parts of it.

import Glibc
package import PrintModel
import SafeFiles

/// An open document file.
///
/// The file is a regular file and is not empty.
///
/// The file is closed when the last reference to this object is released.
package final class DocumentReader: Sendable {
    /// The file descriptor of the open document.
    package let descriptor: Int32
    /// The size of the document in bytes.
    package let size: Int
    /// The path of the document, for messages.
    private let path: String

    /// Opens the file of a document.
    ///
    /// - Throws: `WorkError` if the file does not exist, is not a regular file, or is empty.
    package init(_ document: InputDocument) throws(WorkError) {
        path = document.path
        // Non-blocking, so that a named pipe is refused without waiting.
        descriptor = open(document.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(document.path, errno: errno) }
        var information = stat()
        let status = fstat(descriptor, &information)
        size = Int(information.st_size)
        guard status == 0 else { throw .unreadable(document.path, errno: errno) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw WorkError(.documentMissing, "'\(path)' is a folder; choose a document in the folder")
        default: throw WorkError(.documentMissing, "'\(path)' is not a regular file; choose a regular file")
        }
        guard size > 0 else {
            throw WorkError(
                .damaged, "\(document.nameInMessages) is empty; save the document again and submit the new file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the `count` bytes at an offset; fewer bytes at the end of the file.
    ///
    /// - Throws: `WorkError` if the file cannot be read.
    package func bytes(at offset: Int = 0, count: Int) throws(WorkError) -> [UInt8] {
        guard offset >= 0, count > 0, offset < size else { return [] }
        do throws(SystemFailure) {
            return try FileBytes.read(descriptor, at: offset, count: min(count, size - offset))
        } catch {
            throw .unreadable(path, errno: error.number)
        }
    }
}

extension InputDocument {
    /// Returns the format that the first bytes of the file indicate; nil if the format is unknown.
    ///
    /// The function ignores the format that the client declared, so the same bytes always have the same format.
    ///
    /// - Throws: `WorkError` if the file does not exist, is not a regular file, or is empty.
    package func sniffedFormat() throws(WorkError) -> DocumentFormat? {
        DocumentFormat.sniff(try DocumentReader(self).bytes(count: 1024))
    }
}

extension WorkError {
    /// Returns the error for a file that cannot be read.
    package static func unreadable(_ path: String, errno error: Int32) -> WorkError {
        WorkError(
            .documentMissing,
            error == ENOENT || error == ENOTDIR
                ? "there is no file '\(path)'; check the name"
                : "cannot read '\(path)': \(String(cString: strerror(error))); check its permissions",
            detail: "errno \(error)")
    }
}
