// Converts PWG raster and Apple raster to PDF.

import PrintModel
import SafeFiles

/// A writer that stores raster pages as lossless images in a PDF.
///
/// The writer requires the memory of one line.
struct RasterPagesPDF {
    private static let catalog = 1
    private static let tree = 2

    private let output: AtomicFile<RasterError>
    private var file = PDFWriter(version: "1.5")
    private var pages: [Int] = []

    /// Writes all pages of a document to a PDF file.
    ///
    /// - Parameter isWanted: A function that returns whether the image of the page with the given number, from 1, is
    ///   needed. All other pages remain empty, but keep their size and position.
    /// - Throws: `writeFailed` or `tooLarge`.
    static func write(
        _ document: RasterDocument, to path: String, isWanted: (Int) -> Bool
    ) throws(RasterError) {
        var pdf = try RasterPagesPDF(path: path)
        for index in document.pages.indices { try pdf.add(document, index, withImage: isWanted(index + 1)) }
        try pdf.finish()
    }

    private init(path: String) throws(RasterError) {
        output = try AtomicFile<RasterError>(path: path)
        file.reserve(Self.tree)
    }

    private mutating func add(_ document: RasterDocument, _ index: Int, withImage: Bool) throws(RasterError) {
        let header = document.pages[index].header
        let size = header.size
        let box = "[0 0 \(PDFWriter.decimal(size.width)) \(PDFWriter.decimal(size.height))]"
        guard withImage else {
            file.add("<< /Type /Page /Parent \(Self.tree) 0 R /MediaBox \(box) /Resources << >> >>")
            pages.append(file.objectCount)
            return
        }
        try addImage(document, index)
        let image = file.objectCount - 1
        let drawing = Array(Self.drawing(of: header).utf8)
        file.add("<< /Length \(drawing.count) >>", stream: drawing)
        file.add(
            "<< /Type /Page /Parent \(Self.tree) 0 R /MediaBox \(box)"
                + " /Resources << /XObject << /Page \(image) 0 R >> >> /Contents \(file.objectCount) 0 R >>")
        pages.append(file.objectCount)
        try output.append(file.takeBytes())
    }

    /// Writes the image of a page, followed by the object with the length of the image's stream.
    private mutating func addImage(_ document: RasterDocument, _ index: Int) throws(RasterError) {
        let header = document.pages[index].header
        let image = file.objectCount + 1
        file.reserve(2)
        file.beginStream(object: image, Self.dictionary(of: header, lengthObject: image + 1))
        try output.append(file.takeBytes())
        let pieces = Pieces(output)
        guard let rows = RowCompressor(bytesPerRow: header.bytesPerLine, take: { pieces.take($0) }) else {
            throw RasterError(
                code: .tooLarge, message: "not enough memory to compress page \(index + 1)", cause: nil)
        }
        try document.readLines(ofPage: index) { line, times in
            // After a write error, skip the rest of the page.
            if pieces.failure == nil { rows.add(line, times: times) }
        }
        rows.finish()
        if let failure = pieces.failure { throw failure }
        file.endStream(lengthObject: image + 1, length: pieces.length)
    }

    private mutating func finish() throws(RasterError) {
        let kids = pages.map { "\($0) 0 R" }.joined(separator: "\n")
        file.write(object: Self.tree, "<< /Type /Pages /Count \(pages.count) /Kids [\n\(kids)\n] >>")
        file.write(object: Self.catalog, "<< /Type /Catalog /Pages \(Self.tree) 0 R >>")
        file.finish(root: Self.catalog)
        try output.append(file.takeBytes())
        try output.finish()
    }

    /// Returns the PDF operators that draw the whole page and undo the sender's mirroring.
    private static func drawing(of header: RasterPageHeader) -> String {
        let (width, height) = (PDFWriter.decimal(header.size.width), PDFWriter.decimal(header.size.height))
        let across = header.mirroring.acrossWidth ? ("-\(width)", width) : (width, "0")
        let along = header.mirroring.acrossHeight ? ("-\(height)", height) : (height, "0")
        return "\(across.0) 0 0 \(along.0) \(across.1) \(along.1) cm /Page Do"
    }

    private static func dictionary(of header: RasterPageHeader, lengthObject: Int) -> String {
        // In this color format 0 is white.
        let isInverted = header.colors == .black
        return "<< /Type /XObject /Subtype /Image /Width \(header.width) /Height \(header.height)"
            + " /ColorSpace \(colorSpace(of: header)) /BitsPerComponent \(header.bitsPerColor)"
            + (isInverted ? " /Decode [1 0]" : "") + " /Filter /FlateDecode /DecodeParms << /Predictor 15"
            + " /Colors \(header.colors.count) /BitsPerComponent \(header.bitsPerColor) /Columns \(header.width) >>"
            + " /Length \(lengthObject) 0 R >>"
    }

    /// Returns the PDF color space of a page.
    ///
    /// The color space for Adobe RGB (1998) contains the white point, gamma and primaries (ISO 32000-1 §8.6.5.3).
    private static func colorSpace(of header: RasterPageHeader) -> String {
        switch header.colors {
        case .black, .gray: "/DeviceGray"
        case .cmyk: "/DeviceCMYK"
        case .rgb where header.isAdobeRGB:
            "[/CalRGB << /WhitePoint [0.9505 1 1.0891] /Gamma [2.19921875 2.19921875 2.19921875]"
                + " /Matrix [0.57667 0.29734 0.02703 0.18556 0.62736 0.07069 0.18823 0.07529 0.99134] >>]"
        case .rgb: "/DeviceRGB"
        }
    }
}

/// A file that receives the output of a compressor.
///
/// The object stores the first error that occurs while the file is written.
private final class Pieces {
    private let output: AtomicFile<RasterError>
    private(set) var length = 0
    private(set) var failure: RasterError?

    init(_ output: AtomicFile<RasterError>) { self.output = output }

    func take(_ piece: UnsafeBufferPointer<UInt8>) {
        guard failure == nil, !piece.isEmpty else { return }
        length += piece.count
        do throws(RasterError) { try output.append(piece) } catch { failure = error }
    }
}
