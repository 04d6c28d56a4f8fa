// Detects the format of a file from its first bytes.

import Glibc
import PrintModel

extension InputDocument {
    /// Returns the format that the first bytes of the file indicate.
    ///
    /// Returns nil if the format is unknown.
    ///
    /// The format that the client has declared is ignored, so that the same bytes always give the same result.
    ///
    /// - Throws: `WorkError` when the file does not exist, is not a regular file, or is empty.
    func sniffedFormat() throws(WorkError) -> DocumentFormat? {
        // Non-blocking, so that a named pipe is refused without waiting.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path, errno: errno) }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw .unreadable(path, errno: errno) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw WorkError(.documentMissing, "'\(path)' is a folder; choose a document in it")
        default: throw WorkError(.documentMissing, "'\(path)' is not a file; choose a document")
        }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &head, head.count)
        guard count >= 0 else { throw .unreadable(path, errno: errno) }
        guard count > 0 else {
            throw WorkError(.damaged, "\(WorkError.name(of: self)) is empty; save it again and submit the new file")
        }
        return DocumentFormat.sniff(head.prefix(count))
    }
}
