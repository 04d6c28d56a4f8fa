// Reads files in ZIP packages with libzip.

import CZip
import PrintModel

/// A ZIP file that is open for reading.
final class ZipPackage {
    /// A file in the ZIP archive.
    struct Entry {
        /// The index of the file in the archive's central directory.
        let index: UInt64
        /// The uncompressed size in bytes, as declared in the central directory.
        let size: Int
    }

    private let package: OpaquePointer

    /// Opens a ZIP file.
    ///
    /// - Throws: `WorkError`: `damaged` or `documentMissing`.
    init(_ document: InputDocument) throws(WorkError) {
        var code: CInt = 0
        guard let package = zip_open(document.path, CInt(ZIP_RDONLY), &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            let cause = zip_error_strerror(&error).map { String(cString: $0) }
            throw WorkError(
                code == CInt(ZIP_ER_NOENT) || code == CInt(ZIP_ER_OPEN) ? .documentMissing : .damaged,
                "'\(document.nameInMessages)' cannot be opened; open the document in its application and save a new copy",
                detail: cause)
        }
        self.package = package
    }

    deinit { zip_discard(package) }

    /// Returns the file with the given name, regardless of case; nil if the archive does not contain the file.
    func entry(_ name: String) -> Entry? {
        let index = zip_name_locate(package, name, zip_flags_t(ZIP_FL_NOCASE))
        guard index >= 0 else { return nil }
        var status = zip_stat_t()
        guard zip_stat_index(package, zip_uint64_t(index), 0, &status) == 0 else { return nil }
        return Entry(index: UInt64(index), size: Int(clamping: status.size))
    }

    /// Decompresses a file in blocks, and passes each block to a function, until the called function returns false.
    ///
    /// - Returns: Whether the whole file was read and its checksum matches.
    func read(_ entry: Entry, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard let file = zip_fopen_index(package, entry.index, 0) else { return false }
        defer { zip_fclose(file) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { block.deallocate() }
        while true {
            let count = Int(zip_fread(file, block.baseAddress, zip_uint64_t(block.count)))
            guard count > 0 else { return count == 0 }
            guard take(UnsafeRawBufferPointer(rebasing: block[..<count])) else { return false }
        }
    }
}
