// The sides that come out of a printer, as a PDF of images.

import FoundationEssentials
import PrintModel

/// A PDF written as its images come, so that it needs the memory of one (ISO 32000-1 §7.5).
///
/// Each image is stored once, as it is compressed, however often it comes out; the file holds no dates and no
/// identifiers, so that the same sides make the same bytes.
///
///     let pdf = try SheetsPDF(path: path, paperSize: paper.paperSize, resolution: 100)
///     try pdf.add(first)
///     try pdf.add(second)
///     try pdf.finish(order)
final class SheetsPDF {
    // Images come first in the file and have the numbers from 4 on; what refers to them follows.
    private static let catalog = 1
    private static let tree = 2
    private static let content = 3
    private static let firstImage = 4

    private let file: FileReplacement
    private let paperSize: Size
    private let resolution: Int
    private var imageSize = Size.zero
    /// What is not yet in the file.
    private var buffer: [UInt8] = []
    private var position = 0
    /// Where each object begins; the object of number n is at n - 1.
    private var offsets = [Int](repeating: 0, count: firstImage - 1)

    /// Begins a file whose pages have the given size in points; throws `writeFailed`.
    init(path: String, paperSize: Size, resolution: Int) throws(RasterError) {
        file = try FileReplacement(path: path)
        self.paperSize = paperSize
        self.resolution = resolution
        // The comment's bytes above 127 tell transfer programs that the file is binary (§7.5.2).
        try write(Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
    }

    /// Adds the image of the next page, of the same size as the others; throws `writeFailed`.
    func add(_ image: CompressedPixels) throws(RasterError) {
        imageSize = Size(width: Double(image.width), height: Double(image.height))
        offsets.append(0)
        try write(
            object: offsets.count,
            "<< /Type /XObject /Subtype /Image /Width \(image.width) /Height \(image.height)"
                + " /ColorSpace \(image.colorSpace) /BitsPerComponent \(image.bitDepth) /Filter /FlateDecode"
                + " /DecodeParms << /Predictor 15 /Colors \(image.components) /BitsPerComponent \(image.bitDepth)"
                + " /Columns \(image.width) >> /Length \(image.bytes.count) >>\nstream\n",
            stream: image.bytes)
    }

    /// Adds a page for each side and gives the file its name; throws `writeFailed`.
    func finish(_ order: SideOrder) throws(RasterError) {
        try writeContent()
        let firstPage = offsets.count + 1
        for side in 0..<order.sides {
            let face = order.page(onSide: side).map { page in
                " /Resources << /XObject << /Side \(Self.firstImage + page) 0 R >> >> /Contents \(Self.content) 0 R"
            }
            offsets.append(0)
            try write(
                object: offsets.count,
                "<< /Type /Page /Parent \(Self.tree) 0 R\(face ?? " /Resources << >>") >>")
        }
        try writeTree(pages: firstPage..<firstPage + order.sides)
        try write(object: Self.catalog, "<< /Type /Catalog /Pages \(Self.tree) 0 R >>")
        try writeEnd()
        try flush()
        try file.finish()
    }

    /// Writes what draws a side; the same for all, as each page calls its own image `Side`.
    ///
    /// The image's pixels lie on whole pixels of the resolution from the upper left. The paper need not be a whole
    /// number of them: the image may end within a pixel of its edges.
    private func writeContent() throws(RasterError) {
        // Renderers count a pixel that is only touched, so the image ends a hair before the next ones.
        let hair = 0.001
        let point = 72 / Double(resolution)
        let width = decimal((imageSize.width - 2 * hair) * point)
        let height = decimal((imageSize.height - 2 * hair) * point)
        let left = decimal(hair * point)
        let bottom = decimal(paperSize.height - (imageSize.height - hair) * point)
        let content = "q \(width) 0 0 \(height) \(left) \(bottom) cm /Side Do Q"
        try write(
            object: Self.content, "<< /Length \(content.utf8.count) >>\nstream\n", stream: Array(content.utf8))
    }

    private func writeTree(pages: Range<Int>) throws(RasterError) {
        let box = "[0 0 \(decimal(paperSize.width)) \(decimal(paperSize.height))]"
        offsets[Self.tree - 1] = position
        try write("\(Self.tree) 0 obj\n<< /Type /Pages /MediaBox \(box) /Count \(pages.count) /Kids [\n")
        for page in pages {
            try write("\(page) 0 R\n")
        }
        try write("] >>\nendobj\n")
    }

    private func writeEnd() throws(RasterError) {
        let start = position
        try write("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
        for offset in offsets {
            let digits = String(offset)
            try write(String(repeating: "0", count: max(10 - digits.count, 0)) + digits + " 00000 n \n")
        }
        try write(
            "trailer\n<< /Size \(offsets.count + 1) /Root \(Self.catalog) 0 R >>\nstartxref\n\(start)\n%%EOF\n")
    }

    private func write(object number: Int, _ dictionary: String, stream: [UInt8]? = nil) throws(RasterError) {
        offsets[number - 1] = position
        try write("\(number) 0 obj\n\(dictionary)")
        if let stream {
            try write(stream)
            try write("\nendstream")
        }
        try write("\nendobj\n")
    }

    private func write(_ text: String) throws(RasterError) {
        try write(Array(text.utf8))
    }

    private func write(_ bytes: [UInt8]) throws(RasterError) {
        buffer += bytes
        position += bytes.count
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws(RasterError) {
        try file.append(buffer)
        buffer.removeAll(keepingCapacity: true)
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

/// A number with six decimals: PDF knows no exponents.
private func decimal(_ value: Double) -> String {
    let millionths = Int((value * 1_000_000).rounded())
    let fraction = String(abs(millionths) % 1_000_000)
    return (millionths < 0 ? "-" : "") + "\(abs(millionths) / 1_000_000)."
        + String(repeating: "0", count: 6 - fraction.count) + fraction
}
