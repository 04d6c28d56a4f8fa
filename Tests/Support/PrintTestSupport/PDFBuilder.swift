// Builds small PDFs, so that each test shows the content of its pages.

import FoundationEssentials

/// A PDF of colored rectangles, Helvetica text and links; equal input produces equal bytes.
///
/// The file has a classic cross-reference table and no compression, so any reader opens it and a person can read it.
///
///     var pdf = PDFBuilder(title: "Two pages")
///     pdf.addPage(width: 200, height: 100) { page in
///         page.fill(.red, x: 0, y: 0, width: 100, height: 100)
///         page.text("one", x: 110, y: 40, size: 24)
///     }
///     pdf.addPage(.a4)
///     try pdf.write(to: folder.path("two.pdf"))
public struct PDFBuilder: Sendable {
    /// The document's title in its information dictionary, in ASCII; `nil` for no title.
    public var title: String?
    /// The pages so far.
    public private(set) var pages: [Page] = []

    /// Creates a document without pages.
    public init(title: String? = nil) {
        self.title = title
    }

    /// Returns a document with `count` pages, each with its number in large type.
    public static func numbered(pages count: Int, size: Size = .a4, title: String? = nil) -> PDFBuilder {
        var pdf = PDFBuilder(title: title)
        for number in 0..<count {
            pdf.addPage(size) { $0.text("\(number + 1)", x: size.width / 4, y: size.height / 4, size: size.height / 2) }
        }
        return pdf
    }

    /// A document of three A4 pages with a mark in each corner, so that shifted or scaled output is detected.
    public static var marked: PDFBuilder {
        var pdf = PDFBuilder()
        for (number, ink) in [Ink.red, .green, .blue].enumerated() {
            pdf.addPage(.a4) { page in
                for (x, y) in [(30.0, 30.0), (515, 30), (30, 761), (515, 761)] {
                    page.fill(ink, x: x, y: y, width: 50, height: 50)
                }
                page.text("page \(number + 1)", x: 150, y: 400, size: 60)
            }
        }
        return pdf
    }

    /// Adds a page with the media box `0 0 width height`, in points, and draws the page.
    public mutating func addPage(width: Double, height: Double, _ draw: (inout Page) -> Void = { _ in }) {
        var page = Page(mediaBox: Box(x: 0, y: 0, width: width, height: height))
        draw(&page)
        pages.append(page)
    }

    /// Adds a page of a named size and draws the page.
    public mutating func addPage(_ size: Size, _ draw: (inout Page) -> Void = { _ in }) {
        addPage(width: size.width, height: size.height, draw)
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        var file = PDFFile()
        // Object numbers are assigned before writing, because pages refer to their parent and links refer to pages.
        let catalog = 1
        let tree = 2
        let font = 3
        let firstPage = 4  // each page takes two numbers: itself and its content
        let information = title == nil ? nil : firstPage + pages.count * 2

        file.add("<< /Type /Catalog /Pages \(tree) 0 R >>")
        let kids = pages.indices.map { "\(firstPage + $0 * 2) 0 R" }.joined(separator: " ")
        file.add("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
        file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        for (index, page) in pages.enumerated() {
            let number = firstPage + index * 2
            let dictionary = page.dictionary(parent: tree, font: font, content: number + 1) { firstPage + $0 * 2 }
            file.add(dictionary)
            file.add("<< /Length \(page.content.utf8.count) >>\nstream\n\(page.content)\nendstream")
        }
        if let title {
            file.add("<< /Title (\(escaped(title))) >>")
        }
        return file.finished(root: catalog, information: information)
    }

    /// Writes the file.
    ///
    /// - Throws: The error of `Data.write`.
    public func write(to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

extension PDFBuilder {
    /// A page size in points.
    public struct Size: Hashable, Sendable {
        /// The width in points.
        public var width: Double
        /// The height in points.
        public var height: Double

        /// Creates a size from a width and a height in points.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }

        /// A4, 210 × 297 mm, rounded to whole points like in most programs.
        public static let a4 = Size(width: 595, height: 842)
        /// Letter, 8.5 × 11 inches.
        public static let letter = Size(width: 612, height: 792)
        /// The same size with width and height swapped.
        public var landscape: Size { Size(width: height, height: width) }
    }

    /// A rectangle in points; `y` counts upward from the bottom, as in PDF.
    public struct Box: Hashable, Sendable {
        var x, y, width, height: Double

        /// Creates a rectangle from its lower left corner and its size.
        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        /// The PDF rectangle with its four numbers: left, bottom, right, top.
        var array: String { "[\(number(x)) \(number(y)) \(number(x + width)) \(number(y + height))]" }
    }
}

/// A file body under construction: the objects in order, and their offsets for the cross-reference table.
private struct PDFFile {
    // The comment with bytes above 127 marks the file as binary for transfer programs (ISO 32000-1 §7.5.2).
    var bytes = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    var offsets: [Int] = []

    mutating func add(_ object: String) {
        offsets.append(bytes.count)
        bytes += Array("\(offsets.count) 0 obj\n\(object)\nendobj\n".utf8)
    }

    func finished(root: Int, information: Int?) -> [UInt8] {
        var end = "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            end += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        end += "trailer\n<< /Size \(offsets.count + 1) /Root \(root) 0 R"
        if let information {
            end += " /Info \(information) 0 R"
        }
        end += " >>\nstartxref\n\(bytes.count)\n%%EOF\n"
        return bytes + Array(end.utf8)
    }
}

/// Formats a number for PDF: without an exponent, and without a fraction if it is 0.
func number(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    guard thousandths % 1000 != 0 else { return "\(thousandths / 1000)" }
    let fraction = String(abs(thousandths % 1000))
    return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)."
        + String(repeating: "0", count: 3 - fraction.count) + fraction
}

/// Escapes a text for the parentheses of a PDF string.
func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
        if character == "(" || character == ")" || character == "\\" {
            result.append("\\")
        }
        result.append(character)
    }
    return result
}
