// Writes printed sides as a PDF of images.

import FoundationEssentials
import PrintModel
import SafeFiles

/// A writer for a PDF of page images.
///
/// The writer adds one image at a time, and requires the memory of one image.
///
/// The PDF stores each image only once in compressed form, even for several copies.
///
///     let sheets = try SheetsPDF(path: path, resolution: 100)
///     try sheets.add(first, paperSize: paper.paperSize)
///     try sheets.add(second, paperSize: paper.paperSize)
///     try sheets.finish(order)
final class SheetsPDF {
    // Objects 3 and higher are the images; the objects that refer to the images follow.
    private static let catalog = 1
    private static let tree = 2

    /// The size of a sheet in points, and the size of the sheet's image in pixels.
    private struct Face: Hashable {
        var paper: Size
        var image: Size
    }

    private let output: AtomicFile<RasterError>
    private let resolution: Int
    private var faces: [Face] = []
    private var file = PDFWriter()

    /// Creates the temporary file of the PDF.
    ///
    /// - Throws: `writeFailed`.
    init(path: String, resolution: Int) throws(RasterError) {
        output = try AtomicFile<RasterError>(path: path)
        self.resolution = resolution
        file.reserve(Self.tree)
    }

    /// Adds the image of the next page, on a sheet of the given size in points.
    ///
    /// - Throws: `writeFailed`.
    func add(_ image: CompressedPixels, paperSize: Size) throws(RasterError) {
        faces.append(
            Face(paper: paperSize, image: Size(width: Double(image.width), height: Double(image.height))))
        file.add(
            "<< /Type /XObject /Subtype /Image /Width \(image.width) /Height \(image.height)"
                + " /ColorSpace \(image.colorSpace) /BitsPerComponent \(image.bitDepth) /Filter /FlateDecode"
                + " /DecodeParms << /Predictor 15 /Colors \(image.components) /BitsPerComponent \(image.bitDepth)"
                + " /Columns \(image.width) >> /Length \(image.bytes.count) >>",
            stream: image.bytes)
        try output.append(file.takeBytes())
    }

    /// Adds a PDF page for each printed side, and renames the file to its final name.
    ///
    /// - Throws: `writeFailed`.
    func finish(_ order: SideOrder) throws(RasterError) {
        var contents: [Face: Int] = [:]
        for face in faces where contents[face] == nil {
            let draw = Array(content(of: face).utf8)
            file.add("<< /Length \(draw.count) >>", stream: draw)
            contents[face] = file.objectCount
        }
        let usual = faces.first?.paper ?? .zero
        let firstPage = file.objectCount + 1
        for side in 0..<order.sides {
            let page = order.page(onSide: side)
            let drawing = page.map { page in
                "/Resources << /XObject << /Side \(Self.tree + 1 + page) 0 R >> >>"
                    + " /Contents \(contents[faces[page]] ?? 0) 0 R"
            }
            // A blank back has the size of its front.
            let paper = (page ?? order.page(onSide: side - 1)).map { faces[$0].paper } ?? usual
            let box = paper == usual ? "" : "/MediaBox \(Self.box(paper)) "
            file.add("<< /Type /Page /Parent \(Self.tree) 0 R \(box)\(drawing ?? "/Resources << >>") >>")
            if file.bytes.count > 1 << 18 { try output.append(file.takeBytes()) }
        }
        let pages = (firstPage..<firstPage + order.sides).map { "\($0) 0 R" }.joined(separator: "\n")
        file.write(
            object: Self.tree,
            "<< /Type /Pages /MediaBox \(Self.box(usual)) /Count \(order.sides) /Kids [\n\(pages)\n] >>")
        file.write(object: Self.catalog, "<< /Type /Catalog /Pages \(Self.tree) 0 R >>")
        file.finish(root: Self.catalog)
        try output.append(file.takeBytes())
        try output.finish()
    }

    private static func box(_ size: Size) -> String {
        "[0 0 \(PDFWriter.decimal(size.width)) \(PDFWriter.decimal(size.height))]"
    }

    /// Returns the PDF operators that draw a printed side.
    ///
    /// The operators are equal for all sides of the same size, because the name of the image is `Side` on each page.
    ///
    /// The pixel grid starts at the upper left corner of the paper. The size of the paper is not always a whole number
    /// of pixels. Therefore the right and lower edges of the image can differ from the paper's edges by up to one
    /// pixel.
    private func content(of face: Face) -> String {
        // Renderers draw every pixel that an image touches, so the image ends slightly before the next pixels.
        let hair = 0.001
        let point = 72 / Double(resolution)
        let width = PDFWriter.decimal((face.image.width - 2 * hair) * point)
        let height = PDFWriter.decimal((face.image.height - 2 * hair) * point)
        let left = PDFWriter.decimal(hair * point)
        let bottom = PDFWriter.decimal(face.paper.height - (face.image.height - hair) * point)
        return "q \(width) 0 0 \(height) \(left) \(bottom) cm /Side Do Q"
    }
}

extension CompressedPixels {
    /// The number of color components per pixel.
    fileprivate var components: Int { colorType == .rgb ? 3 : 1 }

    fileprivate var colorSpace: String {
        switch colorType {
        case .gray: return "/DeviceGray"
        case .rgb: return "/DeviceRGB"
        case .indexed:
            let palette = palette ?? []
            let hex = palette.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return "[/Indexed /DeviceRGB \(palette.count / 3 - 1) <\(hex)>]"
        }
    }
}
