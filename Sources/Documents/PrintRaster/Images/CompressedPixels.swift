// Compresses pixels for PNG and PDF.

import CPNG
import CPagePixels
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

    /// Returns the zlib stream (RFC 1950) of the rows; nil if there is not enough memory.
    private static func compressed(_ scanlines: [UInt8]) -> [UInt8]? {
        let header: [UInt8] = [0x78, 0x01]
        let checksum = libdeflate_adler32(1, scanlines, scanlines.count)
        var length = 0
        let stream = [UInt8](unsafeUninitializedCapacity: page_deflate_bound(scanlines.count) + 6) { target, count in
            length = page_deflate(scanlines, scanlines.count, target.baseAddress! + header.count)
            _ = target.update(fromContentsOf: header)
            count = length + header.count
            for shift: UInt32 in [24, 16, 8, 0] {
                target[count] = UInt8(truncatingIfNeeded: checksum >> shift)
                count += 1
            }
        }
        return length == 0 ? nil : stream
    }
}
