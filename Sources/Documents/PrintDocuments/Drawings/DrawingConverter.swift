// Converts SVG drawings to PDFs.

import CCairo
import CRsvg
import Glibc
import PrintModel

/// The converter of SVG drawings.
///
/// librsvg draws paths, text and images on a page of a PDF.
///
/// librsvg receives no base URI, so it loads no other files and connects to no servers. librsvg draws images in `data:`
/// URIs.
struct DrawingConverter {
    private static let kind = "SVG drawing"
    /// The maximum size of a drawing in bytes.
    ///
    /// The maximum applies to the file and to the decompressed drawing.
    private static let mostBytes = 64 << 20
    /// The maximum width and height of a page in points (ISO 32000-1 annex C).
    private static let longestSide = 14_400.0

    private let request: ConvertRequest
    private let name: String

    /// Converts the SVG drawing of a request into a PDF.
    ///
    /// - Throws: `WorkError`: `damaged`, `outputTooLarge`, `documentMissing` or `writeFailed`.
    static func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        let converter = DrawingConverter(request: request, name: request.document.nameInMessages)
        return try converter.convert()
    }

    private func convert() throws(WorkError) -> ConvertedDocument {
        let bytes = try text()
        let drawing = try Drawing(bytes, name: name)
        let notices =
            ExternalReferences.exist(in: bytes)
            ? ["the SVG drawing '\(name)' refers to other files or web addresses, which were not loaded"] : []
        let size = drawing.size ?? request.layout.pageSize
        let scale = min(Self.longestSide / max(size.width, size.height), 1)
        let placement = DrawingPlacement(
            Size(width: max(size.width * scale, 1), height: max(size.height * scale, 1)), layout: request.layout)
        try draw(drawing, placement)
        return ConvertedDocument(
            pageCount: 1, hasSize: (drawing.hasSize && scale == 1) || placement.isFilled, notices: notices,
            isImage: true)
    }

    /// Returns the XML text of the drawing.
    ///
    /// The function decompresses SVGZ files.
    private func text() throws(WorkError) -> [UInt8] {
        let file = try MappedFile(request.document, kind: Self.kind, limit: Self.mostBytes)
        guard file.bytes.starts(with: [0x1F, 0x8B]) else { return Array(file.bytes) }
        guard let bytes = Inflation.bytes(of: file.bytes, isGzip: true, limit: Self.mostBytes) else {
            throw .damagedImage(
                Self.kind, name,
                cause: "the file cannot be decompressed, or the decompressed data exceeds \(Self.mostBytes >> 20) MB")
        }
        return bytes
    }

    private func draw(_ drawing: Drawing, _ placement: DrawingPlacement) throws(WorkError) {
        let output = try CairoOutput(path: request.output)
        let surface = output.makeSurface(placement.pageSize)
        let cairo = cairo_create(surface)
        placement.apply(to: cairo)
        let problem = drawing.draw(on: cairo, size: placement.drawingSize)
        cairo_destroy(cairo)
        cairo_surface_finish(surface)
        let status = cairo_surface_status(surface)
        cairo_surface_destroy(surface)
        if let failure = output.failure { throw failure }
        if let problem { throw .damagedImage(Self.kind, name, cause: problem) }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw .damagedImage(Self.kind, name, cause: String(cString: cairo_status_to_string(status)))
        }
        try output.finish()
    }
}

/// A file that receives the output of a Cairo PDF surface.
///
/// The object stores the first error that occurs while the file is written.
private final class CairoOutput {
    private let file: ConvertedFile
    private(set) var failure: WorkError?

    init(path: String) throws(WorkError) { file = try ConvertedFile(path: path) }

    /// Creates a PDF surface of one page.
    ///
    /// The caller must finish the surface before this object is released.
    func makeSurface(_ size: Size) -> OpaquePointer {
        let surface = cairo_pdf_surface_create_for_stream(
            { closure, bytes, count in
                let output = Unmanaged<CairoOutput>.fromOpaque(closure!).takeUnretainedValue()
                return output.take(UnsafeBufferPointer(start: bytes, count: Int(count)))
                    ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
            }, Unmanaged.passUnretained(self).toOpaque(), size.width, size.height)
        return surface!  // never nil: on failure, the surface has an error status
    }

    func finish() throws(WorkError) { try file.finish() }

    private func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard failure == nil else { return false }
        do throws(WorkError) { try file.append(bytes) } catch { failure = error }
        return failure == nil
    }
}

/// The size of the page, and the position of the drawing on the page.
private struct DrawingPlacement {
    let pageSize: Size
    /// The size of the drawing in points, before rotation.
    let drawingSize: Size
    /// Whether the drawing is scaled to fill a page whose size the conversion layout sets.
    let isFilled: Bool
    private let isTurned: Bool

    init(_ size: Size, layout: ConversionLayout) {
        let page = layout.pageSize
        isFilled = layout.fillsPage && page.width >= 1 && page.height >= 1
        guard isFilled else {
            (pageSize, drawingSize, isTurned) = (size, size, false)
            return
        }
        let upright = max(page.width / size.width, page.height / size.height)
        let turned = max(page.width / size.height, page.height / size.width)
        isTurned = turned < upright * 0.999
        let scale = isTurned ? turned : upright
        pageSize = page
        drawingSize = Size(width: size.width * scale, height: size.height * scale)
    }

    /// Moves and rotates the coordinate system of the context to the position of the drawing; y grows downwards.
    func apply(to cairo: OpaquePointer?) {
        cairo_translate(cairo, pageSize.width / 2, pageSize.height / 2)
        if isTurned { cairo_rotate(cairo, -Double.pi / 2) }
        cairo_translate(cairo, -drawingSize.width / 2, -drawingSize.height / 2)
    }
}
