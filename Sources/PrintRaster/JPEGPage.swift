// A photo as a page: a JPEG image in a PDF, because poppler decodes it there.

import FoundationEssentials
import PrintModel

/// A JPEG image as one page, as large as the file says (JFIF's density), else 72 pixels to the inch.
struct JPEGPage {
    /// A PDF of that page; the image's bytes stand in it unchanged (`/DCTDecode`, ISO 32000-1 §7.4.8).
    let pdfBytes: [UInt8]
    /// Whether the page lies turned on the paper.
    let isTurned: Bool
    /// Whether the page lies upside down on the paper.
    let isUpsideDown: Bool
    /// Whether the file says how large the image is.
    let hasSize: Bool

    /// Makes a page of an image; throws `unreadable` when it is no JPEG with 1, 3 or 4 components of 8 bits.
    ///
    /// - Parameter orientation: how it lies on the paper (RFC 8011 §5.2.10); nil takes the direction that makes it larger.
    init(path: String, paper: PrintPaper, orientation: Orientation? = nil) throws(RasterError) {
        guard let image = (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init),
            let header = JPEGHeader(of: image)
        else { throw .notJPEG(path) }
        let shown = header.isOnItsSide ? header.size.turned : header.size
        isTurned =
            switch orientation {
            case .portrait?, .reversePortrait?: false
            case .landscape?, .reverseLandscape?: true
            case nil: shown.isLandscape != paper.paperSize.isLandscape
            }
        isUpsideDown = orientation == .reversePortrait || orientation == .reverseLandscape
        hasSize = header.density != nil
        let density = header.density ?? (72, 72)
        let (width, height) = (header.size.width * 72 / density.across, header.size.height * 72 / density.along)
        // Nothing is drawn of a page that rounds to nothing.
        let factor = max(1 / min(width, height), 1)
        pdfBytes = Self.pdf(of: image, header, size: Size(width: width * factor, height: height * factor))
    }

    private static func pdf(of image: [UInt8], _ header: JPEGHeader, size: Size) -> [UInt8] {
        let colorSpace = [1: "/DeviceGray", 3: "/DeviceRGB"][header.components] ?? "/DeviceCMYK"
        // Adobe's programs store inks inverted.
        let decode = header.components == 4 && header.isAdobe ? " /Decode [1 0 1 0 1 0 1 0]" : ""
        let (width, height) = (PDFFile.decimal(size.width), PDFFile.decimal(size.height))
        let matrix = header.isMirrored ? "-\(width) 0 0 \(height) \(width) 0" : "\(width) 0 0 \(height) 0 0"
        let draw = Array("\(matrix) cm /Photo Do".utf8)
        var file = PDFFile()
        file.add("<< /Type /Catalog /Pages 2 0 R >>")
        file.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>")
        file.add(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Rotate \(header.turn)"
                + " /Resources << /XObject << /Photo 5 0 R >> >> /Contents 4 0 R >>")
        file.add("<< /Length \(draw.count) >>", stream: draw)
        file.add(
            "<< /Type /XObject /Subtype /Image /Width \(Int(header.size.width)) /Height \(Int(header.size.height))"
                + " /ColorSpace \(colorSpace) /BitsPerComponent 8\(decode) /Filter /DCTDecode /Length \(image.count) >>",
            stream: image)
        file.finish(root: 1)
        return file.bytes
    }
}

extension RasterError {
    fileprivate static func notJPEG(_ path: String) -> RasterError {
        RasterError(
            code: .unreadable,
            message: "'\(path)' cannot be read as a JPEG image; check that it opens in another viewer", cause: nil)
    }
}
