// What a file is, by its first bytes.

import Glibc
import PrintModel

extension InputDocument {
    /// The format that the first bytes of the file show; nil when they are of no known format.
    ///
    /// The format that the client declared is ignored: equal bytes are treated equally.
    ///
    /// - Throws: `WorkError` when there is no such file, it is not a regular file, or it is empty.
    func sniffedFormat() throws(WorkError) -> DocumentFormat? {
        // Not blocking, so that a named pipe is refused rather than waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path, errno: errno) }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw .unreadable(path, errno: errno) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw WorkError(.documentMissing, "'\(path)' is a folder; name a document in it")
        default: throw WorkError(.documentMissing, "'\(path)' is not a file; name a document")
        }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &head, head.count)
        guard count >= 0 else { throw .unreadable(path, errno: errno) }
        guard count > 0 else {
            throw WorkError(.damaged, "\(WorkError.name(of: self)) is empty; save it again and submit that")
        }
        return DocumentFormat.sniff(head.prefix(count))
    }
}
