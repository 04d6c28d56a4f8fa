// Embeds a JPEG image in a PDF page, because poppler then decodes it.

import FoundationEssentials
import PrintGraphics
import PrintModel

/// A JPEG image as one page.
///
/// The page has the size that the file declares (JFIF density). If the file declares no size, the size is calculated
/// with 72 pixels per inch.
struct JPEGPage {
    /// The page as a PDF, which contains the bytes of the image (`/DCTDecode`, ISO 32000-1 §7.4.8).
    let pdfBytes: [UInt8]
    /// The size of the displayed page in points.
    let shownSize: Size
    /// Whether the file declares the size of the image.
    let hasSize: Bool
    /// A sentence about the missing or damaged part of the image; nil if the image can be decoded completely.
    let notice: String?
    /// Whether the displayed image is wider than high.
    private let isWide: Bool

    /// The maximum size of a file in bytes.
    ///
    /// The limit exists because several copies of the file are in memory at the same time.
    private static let mostBytes = 100 << 20

    /// Creates a page from an image.
    ///
    /// - Parameters:
    ///   - document: The image's file, and its name for messages.
    ///   - requiresFidelity: Whether a damaged image is rejected. Otherwise the readable part of the image is printed.
    /// - Throws: `unreadable` if the file is not a JPEG with 1, 3 or 4 components of 8 bits, or its data cannot be
    ///   decoded; `tooLarge` if the file exceeds the maximum size.
    init(_ document: InputDocument, requiresFidelity: Bool = false) throws(RasterError) {
        let name = "the JPEG image" + (document.name.map { " '\($0)'" } ?? "")
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: document.path), options: .mappedIfSafe) else {
            throw .notJPEG(name, cause: "the image cannot be read")
        }
        guard data.count <= Self.mostBytes else {
            throw RasterError(
                code: .tooLarge,
                message: "\(name) is larger than \(Self.mostBytes >> 20) MiB; save a smaller image",
                cause: nil)
        }
        let image = Array(data)
        guard let header = image.withUnsafeBytes({ JPEGHeader($0) }) else {
            throw .notJPEG(name, cause: "the header is missing or incomplete")
        }
        notice = try Self.notice(on: image, header, named: name, requiresFidelity: requiresFidelity)
        hasSize = header.density != nil
        let (across, along) = (header.density?.across ?? 72, header.density?.along ?? 72)
        let (width, height) = (Double(header.width) * 72 / across, Double(header.height) * 72 / along)
        // Poppler draws nothing on a page whose size rounds to 0, so enlarge the page to at least 1 point.
        let factor = max(1 / min(width, height), 1)
        let size = Size(width: width * factor, height: height * factor)
        shownSize = header.isOnItsSide ? size.turned : size
        isWide = header.isOnItsSide ? header.height > header.width : header.width > header.height
        pdfBytes = Self.pdf(of: image, header, size: size)
    }

    /// Returns whether the page is turned by 90° on the paper.
    ///
    /// - Parameter orientation: The requested orientation (RFC 8011 §5.2.10); nil selects the orientation that makes
    ///   the image larger.
    func isTurned(on paper: PrintPaper, _ orientation: Orientation?) -> Bool {
        switch orientation {
        case .portrait?, .reversePortrait?: false
        case .landscape?, .reverseLandscape?: true
        case nil: isWide != paper.paperSize.isLandscape
        }
    }

    /// Decodes the image, and returns a sentence about its missing or damaged part; nil if the image is complete.
    private static func notice(
        on image: [UInt8], _ header: JPEGHeader, named name: String, requiresFidelity: Bool
    ) throws(RasterError) -> String? {
        switch JPEGCheck(image, header) {
        case .whole: return nil
        case .unreadable(let cause): throw .notJPEG(name, cause: cause)
        case .partial(let cause) where requiresFidelity: throw .partialJPEG(name, cause: cause)
        case .partial(let cause):
            return "\(name) ends too early or is damaged, so a part of the image is missing or wrong (\(cause))"
        }
    }

    private static func pdf(of image: [UInt8], _ header: JPEGHeader, size: Size) -> [UInt8] {
        let colorSpace = [1: "/DeviceGray", 3: "/DeviceRGB"][header.components] ?? "/DeviceCMYK"
        // Adobe's programs store inverted CMYK components.
        let decode = header.components == 4 && header.isAdobe ? " /Decode [1 0 1 0 1 0 1 0]" : ""
        let (width, height) = (PDFWriter.decimal(size.width), PDFWriter.decimal(size.height))
        let matrix = header.isMirrored ? "-\(width) 0 0 \(height) \(width) 0" : "\(width) 0 0 \(height) 0 0"
        let draw = Array("\(matrix) cm /Photo Do".utf8)
        // Poppler draws an image only with an end marker. With the marker it draws the valid part of a truncated image.
        let data = image.suffix(2) == [0xFF, 0xD9] ? image : image + [0xFF, 0xD9]
        var file = PDFWriter()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Rotate \(header.turn)"
                + " /Resources << /XObject << /Photo 5 0 R >> >> /Contents 4 0 R >>")
        file.add("<< /Length \(draw.count) >>", stream: draw)
        file.add(
            "<< /Type /XObject /Subtype /Image /Width \(header.width) /Height \(header.height)"
                + " /ColorSpace \(colorSpace) /BitsPerComponent 8\(decode) /Filter /DCTDecode /Length \(data.count) >>",
            stream: data)
        file.finish(root: 1)
        return file.bytes
    }
}

extension RasterError {
    fileprivate static func notJPEG(_ name: String, cause: String) -> RasterError {
        RasterError(
            code: .unreadable,
            message: "\(name) cannot be decoded; "
                + "check that the image opens in another viewer, and send the image again",
            cause: cause)
    }

    fileprivate static func partialJPEG(_ name: String, cause: String) -> RasterError {
        RasterError(
            code: .unreadable,
            message: "\(name) ends too early or is damaged, and the job requires fidelity; "
                + "send the image again, or send the job without 'ipp-attribute-fidelity'",
            cause: cause)
    }
}
