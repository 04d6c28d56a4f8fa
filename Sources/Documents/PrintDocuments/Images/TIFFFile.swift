// Opens TIFF files with libtiff.

import CTIFF
import Glibc
import PrintModel
import Synchronization

/// A TIFF file that is open for reading, page by page.
final class TIFFFile {
    /// The maximum number of pages of a TIFF file.
    static let mostPages = 5000
    /// The maximum size of a block of memory that libtiff allocates, in bytes.
    private static let largestBlock = 300 << 20

    private let file: OpaquePointer
    private let name: String
    private var directoryCount = 1

    /// Opens a TIFF file at its first page.
    ///
    /// - Throws: `WorkError.damaged`.
    init(path: String, name: String) throws(WorkError) {
        let options = TIFFOpenOptionsAlloc()
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(Self.largestBlock))
        TIFFSetWarningHandler(nil)
        TIFFSetErrorHandler(nil)
        TIFFSetErrorHandlerExt { _, _, format, arguments in
            guard let format, let arguments else { return }
            var text = [CChar](repeating: 0, count: 300)
            vsnprintf(&text, text.count, format, arguments)
            let message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            lastMessage.withLock { $0 = $0 ?? message }
        }
        lastMessage.withLock { $0 = nil }
        // Without memory mapping (m), because a mapping of a large file exceeds the memory limit.
        guard let file = TIFFOpenExt(path, "rm", options) else {
            throw .damagedImage(ImageFormat.tiff.name, name, cause: lastMessage.withLock { $0 })
        }
        (self.file, self.name) = (file, name)
    }

    deinit { TIFFClose(file) }

    /// The first problem that libtiff has reported since the start of the current page.
    var lastProblem: String? { lastMessage.withLock { $0 } }

    /// Moves to the next directory of the file; returns false after the last directory.
    func nextDirectory() -> Bool {
        directoryCount += 1
        return directoryCount <= 4 * Self.mostPages && TIFFReadDirectory(file) != 0
    }

    /// Whether the current directory is a page, and not a thumbnail or a mask of another page.
    var isPage: Bool {
        let type = number(TIFFTAG_SUBFILETYPE, UInt32(0))
        return type & UInt32(FILETYPE_REDUCEDIMAGE | FILETYPE_MASK) == 0
    }

    /// Returns the page of the current directory.
    ///
    /// - Throws: `WorkError`: `damaged`, `outputTooLarge` or `unsupportedFormat`.
    func page() throws(WorkError) -> TIFFPage {
        lastMessage.withLock { $0 = nil }
        let width = Int(number(TIFFTAG_IMAGEWIDTH, UInt32(0)))
        let height = Int(number(TIFFTAG_IMAGELENGTH, UInt32(0)))
        try ImageConverter.check(.tiff, name, width: width, height: height)
        let layout = TIFFSamples(self)
        guard let colors = layout.colors else {
            throw WorkError(
                .unsupportedFormat,
                "the TIFF image '\(name)' has an unsupported pixel format; save the image as PNG and print the file",
                detail: layout.problem)
        }
        var image = ImageProperties(width: width, height: height, colors: colors, bits: layout.resultBits)
        image.density = density
        image.orientation = ImageOrientation(rawValue: Int(number(TIFFTAG_ORIENTATION, UInt16(1)))) ?? .up
        image.profile = profile
        return TIFFPage(file, image, layout)
    }

    /// Returns the value of a TIFF tag that contains one number.
    ///
    /// If the file lacks the tag, the function returns the tag's default, or `absent` if the tag has no default.
    func number<Number: FixedWidthInteger>(_ tag: Int32, _ absent: Number) -> Number {
        var value = absent
        let isFound = withUnsafeMutablePointer(to: &value) { pointer in
            withVaList([pointer]) { TIFFVGetFieldDefaulted(file, UInt32(tag), $0) != 0 }
        }
        return isFound ? value : absent
    }

    /// Returns pointers to the red, green and blue tables of a palette; nil if the page has no palette.
    func palette() -> [UnsafeMutablePointer<UInt16>]? {
        var tables: [UnsafeMutablePointer<UInt16>?] = [nil, nil, nil]
        let isFound = tables.withUnsafeMutableBufferPointer { tables in
            guard let start = tables.baseAddress else { return false }
            return withVaList([start, start + 1, start + 2]) { TIFFVGetField(file, UInt32(TIFFTAG_COLORMAP), $0) != 0 }
        }
        let found = tables.compactMap { $0 }
        return isFound && found.count == 3 ? found : nil
    }

    /// The types of the samples that follow the color samples of a pixel, such as alpha (TIFF tag `ExtraSamples`).
    var extraSamples: [UInt16] {
        var count: UInt16 = 0
        var kinds: UnsafeMutablePointer<UInt16>?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &kinds) { kinds in
                withVaList([count, kinds]) { TIFFVGetFieldDefaulted(file, UInt32(TIFFTAG_EXTRASAMPLES), $0) != 0 }
            }
        }
        guard isFound, let kinds else { return [] }
        return (0..<Int(count)).map { kinds[$0] }
    }

    /// Makes the decoder of JPEG data return RGB instead of YCbCr.
    func requestRGB() {
        withVaList([JPEGCOLORMODE_RGB]) { _ = TIFFVSetField(file, UInt32(TIFFTAG_JPEGCOLORMODE), $0) }
    }

    /// Whether libtiff contains the decoder for the page's compression.
    var isCompressionKnown: Bool { TIFFIsCODECConfigured(number(TIFFTAG_COMPRESSION, UInt16(1))) != 0 }

    /// The reason why libtiff cannot convert the current page to RGB; nil if the conversion is possible.
    var conversionProblem: String? {
        var message = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageOK(file, &message) != 1 else { return nil }
        return String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private var density: ImageDensity? {
        var (across, along): (Float, Float) = (0, 0)
        withUnsafeMutablePointer(to: &across) { pointer in
            withVaList([pointer]) { _ = TIFFVGetField(file, UInt32(TIFFTAG_XRESOLUTION), $0) }
        }
        withUnsafeMutablePointer(to: &along) { pointer in
            withVaList([pointer]) { _ = TIFFVGetField(file, UInt32(TIFFTAG_YRESOLUTION), $0) }
        }
        let unitsPerInch: Double
        switch Int32(number(TIFFTAG_RESOLUTIONUNIT, UInt16(RESUNIT_INCH))) {
        case RESUNIT_INCH: unitsPerInch = 1
        case RESUNIT_CENTIMETER: unitsPerInch = 2.54
        default: return nil
        }
        return ImageDensity(across: Double(across), along: Double(along), unitsPerInch: unitsPerInch)
    }

    private var profile: ColorProfile? {
        var count: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &data) { data in
                withVaList([count, data]) { TIFFVGetField(file, UInt32(TIFFTAG_ICCPROFILE), $0) != 0 }
            }
        }
        guard isFound, let data, count <= ColorProfile.mostBytes else { return nil }
        return ColorProfile(Array(UnsafeRawBufferPointer(start: data, count: Int(count))))
    }
}

/// The first message of libtiff since the start of the current page.
///
/// libtiff has one message handler for the whole process.
private let lastMessage = Mutex<String?>(nil)
