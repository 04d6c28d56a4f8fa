// Compresses pixels for PNG and PDF.

import CPNG
import FoundationEssentials

/// A page as one zlib stream of filtered rows.
///
/// PNG files (`IDAT` chunks) and PDF images use this format.
///
/// The PDF filter is `/FlateDecode` with `/Predictor 15` (ISO 32000-1 §7.4.4.4).
struct CompressedPixels {
    let width: Int
    let height: Int
    /// The number of bits per component, or per palette index.
    let bitDepth: Int
    let colorType: PNGFile.ColorType
    /// The red, green and blue components of each palette color; nil if the rows have no palette indexes.
    let palette: [UInt8]?
    /// The zlib stream of the page.
    let bytes: [UInt8]

    // libdeflate's level 1 is three to five times as fast as zlib's. Text pages are hardly larger than with zlib's
    // level 6.
    private static let level: Int32 = 1

    /// Compresses a page.
    ///
    /// - Throws: `tooLarge` when there is not enough memory.
    init(of bitmap: Bitmap) throws(RasterError) {
        let scanlines = PNGScanlines(of: bitmap)
        guard let bytes = Self.compressed(scanlines.bytes) else {
            throw RasterError(
                code: .tooLarge,
                message: "not enough memory to compress a page of \(bitmap.width) × \(bitmap.height) pixels",
                cause: nil)
        }
        width = bitmap.width
        height = bitmap.height
        bitDepth = scanlines.bitDepth
        colorType = scanlines.colorType
        palette = scanlines.palette
        self.bytes = bytes
    }

    /// Reads the compressed pixels of a PNG file that another worker has written.
    ///
    /// - Throws: `unreadable`.
    init(pngFile path: String) throws(RasterError) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), let image = PNGChunks(data) else {
            throw RasterError(code: .unreadable, message: "the page image '\(path)' cannot be read", cause: nil)
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
