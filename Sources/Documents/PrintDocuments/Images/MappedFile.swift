// Maps a file into memory, so that a decoder can read it without a copy.

import Glibc
import PrintModel

/// A memory-mapped file.
///
/// The file must not change while this object exists.
final class MappedFile {
    let bytes: UnsafeRawBufferPointer

    /// Maps a file into memory.
    ///
    /// - Parameters:
    ///   - kind: The type of the document, for error messages.
    ///   - limit: The maximum number of bytes to map.
    ///   - prefix: The number of bytes to map from the start of the file, even if the whole file exceeds `limit`; nil
    ///     to map the whole file.
    /// - Throws: `WorkError`: `documentMissing` if the file cannot be read, `damaged` if the file is empty,
    ///   `documentTooLarge` or `memoryExceeded`.
    init(_ document: InputDocument, kind: String, limit: Int = 512 << 20, prefix: Int? = nil) throws(WorkError) {
        let name = document.nameInMessages
        let descriptor = open(document.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(name, cause: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw WorkError(.documentMissing, "'\(name)' is not a regular file; choose a regular file")
        }
        let size = min(Int(status.st_size), prefix ?? .max)
        guard size > 0 else { throw WorkError.damagedImage(kind, name, cause: "the file is empty") }
        guard size <= limit else { throw WorkError.imageFileTooLarge(kind, name, bytes: size, limit: limit) }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw WorkError.imageMemoryExceeded(kind, name)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    private static func unreadable(_ name: String, cause: CInt) -> WorkError {
        WorkError(
            .documentMissing, "cannot read '\(name)': \(String(cString: strerror(cause))); check its permissions",
            detail: "errno \(cause)")
    }
}
