// A page's pixels as PNG and PDF store them alike.

import CPNG
import FoundationEssentials

/// A page as one zlib stream of filtered rows: the content of a PNG's IDAT chunks, and of a PDF image with
/// `/FlateDecode` and `/Predictor 15` (ISO 32000-1 §7.4.4.4).
struct CompressedPixels {
    let width: Int
    let height: Int
    /// The bits of one component, or of a colour's number in the palette.
    let bitDepth: Int
    let colorType: PNGFile.ColorType
    /// Red, green, blue of each colour, when the rows hold numbers of colours.
    let palette: [UInt8]?
    /// The zlib stream.
    let bytes: [UInt8]

    // Level 1 of libdeflate: three to five times the speed of zlib's, and on pages of text hardly larger than zlib's 6.
    private static let level: Int32 = 1

    /// Compresses a page; throws `tooLarge` when there is no memory for it.
    init(of bitmap: Bitmap) throws(RasterError) {
        let scanlines = PNGScanlines(of: bitmap)
        guard let bytes = Self.compressed(scanlines.bytes) else {
            throw RasterError(
                code: .tooLarge,
                message: "there is no memory to compress a page of \(bitmap.width) × \(bitmap.height) pixels",
                cause: nil)
        }
        width = bitmap.width
        height = bitmap.height
        bitDepth = scanlines.bitDepth
        colorType = scanlines.colorType
        palette = scanlines.palette
        self.bytes = bytes
    }

    /// Takes the pixels of a PNG file that another worker has written, without decompressing them; throws `unreadable`.
    init(pngFile path: String) throws(RasterError) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), let image = PNGChunks(data) else {
            throw RasterError(code: .unreadable, message: "the page image '\(path)' cannot be read again", cause: nil)
        }
        width = image.width
        height = image.height
        bitDepth = image.bitDepth
        colorType = image.colorType
        palette = image.palette
        bytes = image.pixels
    }

    private static func compressed(_ scanlines: [UInt8]) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, scanlines.count)
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            count = libdeflate_zlib_compress(compressor, scanlines, scanlines.count, target.baseAddress, bound)
        }
        return compressed.isEmpty ? nil : compressed
    }
}
