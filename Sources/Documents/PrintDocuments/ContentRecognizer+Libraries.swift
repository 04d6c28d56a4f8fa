// Recognizes content with libmagic, and decodes text with iconv.

import CMagic
import DocumentFiles
import Glibc
import PrintModel

extension ContentRecognizer {
    /// A recognizer for files of all types and text in all encodings.
    static let libraries = ContentRecognizer(
        mediaType: mediaType, isText: TextEncoding.isText,
        decode: { TextDecoder.decode($0.prefix(32_768), from: .detect($0)).utf8 })

    /// Returns the media type of an open file; nil if libmagic does not recognize the type or is not available.
    ///
    /// The function does not decompress archives.
    private static func mediaType(of descriptor: Int32) -> DocumentFormat? {
        guard let magic = magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS) else { return nil }
        defer { magic_close(magic) }
        lseek(descriptor, 0, SEEK_SET)
        guard magic_load(magic, nil) == 0, let text = magic_descriptor(magic, descriptor) else { return nil }
        let format = DocumentFormat(rawValue: String(cString: text))
        return format == .octetStream || !format.rawValue.contains("/") ? nil : format
    }
}
