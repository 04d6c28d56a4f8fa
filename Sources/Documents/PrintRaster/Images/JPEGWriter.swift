// Writes pages as JPEG images.

import CTurboJPEG
import PrintModel

/// A writer that receives the rows of a page and compresses the rows as a JPEG image with a declared resolution.
struct JPEGWriter {
    /// The maximum width or height of a JPEG image in pixels.
    ///
    /// JPEG stores sizes as 16-bit numbers.
    static let longestSide = 65_535
    /// The maximum number of pixels of an image.
    ///
    /// The limit exists because the whole image is in memory.
    static let maximumPixelCount = 60_000_000.0
    private static let quality: Int32 = 92

    private let sheet: RenderedSheet
    private var encoder: PixelEncoder
    private var pixels: [UInt8] = []

    /// Creates a writer for the image of a printed side.
    init(_ sheet: RenderedSheet) {
        self.sheet = sheet
        encoder = PixelEncoder(sheet.form, width: sheet.width, isReversed: false)
        pixels.reserveCapacity(encoder.bytesPerLine * sheet.height)
    }

    mutating func add(_ row: PixelRow) { pixels += encoder.encode(row.words) }

    /// Returns the JPEG file.
    ///
    /// - Throws: `tooLarge` if there is not enough memory.
    func packed() throws(RasterError) -> [UInt8] {
        let isGray = sheet.form.type == .gray8
        guard let packer = tjInitCompress() else { throw .noImage(sheet, cause: "the JPEG encoder does not start") }
        defer { tjDestroy(packer) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { tjFree(buffer) }
        let result = tjCompress2(
            packer, pixels, Int32(sheet.width), 0, Int32(sheet.height),
            Int32(isGray ? TJPF_GRAY.rawValue : TJPF_RGB.rawValue), &buffer, &size,
            Int32(isGray ? TJSAMP_GRAY.rawValue : TJSAMP_444.rawValue), Self.quality, TJFLAG_ACCURATEDCT)
        guard result == 0, let buffer else { throw .noImage(sheet, cause: String(cString: tjGetErrorStr2(packer))) }
        var bytes = Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
        setResolution(of: &bytes)
        return bytes
    }

    /// Writes the resolution in dots per inch into the JFIF header of the JPEG file (ITU-T T.871 §10.1).
    private func setResolution(of bytes: inout [UInt8]) {
        guard bytes.count > 18, bytes[6..<11].elementsEqual("JFIF\0".utf8) else { return }
        let dots = UInt16(clamping: sheet.form.resolution.feed)
        bytes[13] = 1
        for offset in [14, 16] {
            bytes[offset] = UInt8(truncatingIfNeeded: dots >> 8)
            bytes[offset + 1] = UInt8(truncatingIfNeeded: dots)
        }
    }
}

extension RasterError {
    fileprivate static func noImage(_ sheet: RenderedSheet, cause: String) -> RasterError {
        RasterError(
            code: .tooLarge, message: "a page of \(sheet.width) × \(sheet.height) pixels cannot be compressed as JPEG",
            cause: cause)
    }
}
