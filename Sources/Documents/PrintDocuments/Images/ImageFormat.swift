// Detects the format of an image from its first bytes.

/// A file format for images.
enum ImageFormat {
    case png, jpeg, tiff, gif, bmp, ico, cur, xbm, webp, heif, avif, jpeg2000

    /// Detects the image format from the first bytes; returns nil if the format is unknown.
    init?(_ bytes: UnsafeRawBufferPointer) {
        func has(_ text: String, at position: Int = 0) -> Bool {
            bytes.count >= position + text.utf8.count && bytes[position...].starts(with: text.utf8)
        }
        func begins(_ start: [UInt8]) -> Bool { bytes.starts(with: start) }
        if begins(PNGHeader.signature) {
            self = .png
        } else if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if [42, 43].contains(where: { begins([0x49, 0x49, $0, 0]) || begins([0x4D, 0x4D, 0, $0]) }) {
            self = .tiff
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if begins(JPEG2000File.signature) || begins(JPEG2000File.codestream) {
            self = .jpeg2000
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4) {
            // The brands of the file, the preferred one first (ISO 14496-12 §4.3).
            let length = bytes[2...3].reduce(0) { $0 << 8 | Int($1) }
            let brands = stride(from: 8, to: min(length, bytes.count, 128) - 3, by: 4).map { start in
                String(decoding: bytes[start..<start + 4], as: UTF8.self)
            }
            self = brands.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heif
        } else if has("BM") {
            self = .bmp
        } else if begins([0, 0, 1, 0]) {
            self = .ico
        } else if begins([0, 0, 2, 0]) {
            self = .cur
        } else if String(decoding: bytes.prefix(4096), as: UTF8.self).contains("#define") {
            self = .xbm
        } else {
            return nil
        }
    }

    /// Whether the file is a Windows icon or cursor.
    var isIcon: Bool { self == .ico || self == .cur }

    /// The English name of the format for messages.
    var name: String {
        switch self {
        case .png: "PNG image"
        case .jpeg: "JPEG image"
        case .tiff: "TIFF image"
        case .gif: "GIF image"
        case .bmp: "BMP image"
        case .ico: "Windows icon"
        case .cur: "Windows cursor"
        case .xbm: "X bitmap"
        case .webp: "WebP image"
        case .heif: "HEIF image"
        case .avif: "AVIF image"
        case .jpeg2000: "JPEG 2000 image"
        }
    }

    /// The names of the gdk-pixbuf loaders that read the format, in order of preference.
    var loaders: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpeg"]
        case .tiff: ["tiff"]
        case .gif: ["gif"]
        case .bmp: ["bmp"]
        case .ico, .cur: ["ico"]
        case .xbm: ["xbm"]
        case .webp: ["webp"]
        case .heif: ["heif/avif", "heif"]
        case .avif: ["avif", "heif/avif"]
        case .jpeg2000: []
        }
    }

    /// The Debian package that contains the loader.
    var package: String {
        switch self {
        case .webp: "webp-pixbuf-loader"
        case .heif: "heif-gdk-pixbuf"
        case .avif: "libavif-gdk-pixbuf"
        default: "libgdk-pixbuf-2.0-0"
        }
    }
}
