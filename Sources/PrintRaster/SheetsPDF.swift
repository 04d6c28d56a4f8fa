// The sides that come out of a printer, as a PDF of images.

import FoundationEssentials
import PrintModel

/// A PDF written as its images come, so that it needs the memory of one.
///
/// Each image is stored once, as it is compressed, however often it comes out.
///
///     let sheets = try SheetsPDF(path: path, paperSize: paper.paperSize, resolution: 100)
///     try sheets.add(first)
///     try sheets.add(second)
///     try sheets.finish(order)
final class SheetsPDF {
    // Images have the numbers from 4 on; what refers to them follows.
    private static let catalog = 1
    private static let tree = 2
    private static let content = 3

    private let output: FileReplacement
    private let paperSize: Size
    private let resolution: Int
    private var imageSize = Size.zero
    private var file = PDFFile()

    /// Begins a file whose pages have the given size in points; throws `writeFailed`.
    init(path: String, paperSize: Size, resolution: Int) throws(RasterError) {
        output = try FileReplacement(path: path)
        self.paperSize = paperSize
        self.resolution = resolution
        file.reserve(Self.content)
    }

    /// Adds the image of the next page, of the same size as the others; throws `writeFailed`.
    func add(_ image: CompressedPixels) throws(RasterError) {
        imageSize = Size(width: Double(image.width), height: Double(image.height))
        file.add(
            "<< /Type /XObject /Subtype /Image /Width \(image.width) /Height \(image.height)"
                + " /ColorSpace \(image.colorSpace) /BitsPerComponent \(image.bitDepth) /Filter /FlateDecode"
                + " /DecodeParms << /Predictor 15 /Colors \(image.components) /BitsPerComponent \(image.bitDepth)"
                + " /Columns \(image.width) >> /Length \(image.bytes.count) >>",
            stream: image.bytes)
        try output.append(file.takeBytes())
    }

    /// Adds a page for each side and gives the file its name; throws `writeFailed`.
    func finish(_ order: SideOrder) throws(RasterError) {
        let draw = Array(content.utf8)
        file.write(object: Self.content, "<< /Length \(draw.count) >>", stream: draw)
        let firstPage = file.objectCount + 1
        for side in 0..<order.sides {
            let face = order.page(onSide: side).map { page in
                "/Resources << /XObject << /Side \(Self.content + 1 + page) 0 R >> >> /Contents \(Self.content) 0 R"
            }
            file.add("<< /Type /Page /Parent \(Self.tree) 0 R \(face ?? "/Resources << >>") >>")
            if file.bytes.count > 1 << 18 { try output.append(file.takeBytes()) }
        }
        let box = "[0 0 \(PDFFile.decimal(paperSize.width)) \(PDFFile.decimal(paperSize.height))]"
        let pages = (firstPage..<firstPage + order.sides).map { "\($0) 0 R" }.joined(separator: "\n")
        file.write(
            object: Self.tree, "<< /Type /Pages /MediaBox \(box) /Count \(order.sides) /Kids [\n\(pages)\n] >>")
        file.write(object: Self.catalog, "<< /Type /Catalog /Pages \(Self.tree) 0 R >>")
        file.finish(root: Self.catalog)
        try output.append(file.takeBytes())
        try output.finish()
    }

    /// What draws a side; the same for all, as each page calls its own image `Side`.
    ///
    /// The image's pixels lie on whole pixels of the resolution from the upper left. The paper need not be a whole
    /// number of them: the image may end within a pixel of its edges.
    private var content: String {
        // Renderers count a pixel that is only touched, so the image ends a hair before the next ones.
        let hair = 0.001
        let point = 72 / Double(resolution)
        let width = PDFFile.decimal((imageSize.width - 2 * hair) * point)
        let height = PDFFile.decimal((imageSize.height - 2 * hair) * point)
        let left = PDFFile.decimal(hair * point)
        let bottom = PDFFile.decimal(paperSize.height - (imageSize.height - hair) * point)
        return "q \(width) 0 0 \(height) \(left) \(bottom) cm /Side Do Q"
    }
}

extension CompressedPixels {
    /// The values of one pixel.
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
