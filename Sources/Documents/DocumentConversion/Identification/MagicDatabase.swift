// Asks libmagic for the media type of a file.

import CMagic
import Glibc
import PrintModel

/// The database with which libmagic recognizes file types.
enum MagicDatabase {
    /// Returns the media type of an open file; nil if libmagic does not recognize the type or is not available.
    ///
    /// The function does not decompress archives.
    static func mediaType(of descriptor: Int32) -> DocumentFormat? {
        guard let magic = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS) else { return nil }
        defer { magic_close(magic) }
        lseek(descriptor, 0, SEEK_SET)
        guard magic_load(magic, nil) == 0, let text = magic_descriptor(magic, descriptor) else { return nil }
        let format = DocumentFormat(rawValue: String(cString: text))
        return format == .octetStream || !format.rawValue.contains("/") ? nil : format
    }
}
