// Builds PDF files from single objects, for features that PDFBuilder does not support.

import FoundationEssentials

/// A PDF under construction, with objects as text or bytes.
///
/// The file has a cross-reference table and no compression.
///
///     var pdf = RawPDF()
///     let form = pdf.stream("/Type /XObject /Subtype /Form /BBox [0 0 10 10]", "0 0 10 10 re f")
///     pdf.page(resources: "/XObject << /F \(form) 0 R >>", content: "/F Do")
///     let bytes = pdf.bytes
public struct RawPDF: Sendable {
    /// The entries of the catalog besides `/Type` and `/Pages`.
    public var catalog = ""
    /// The entries of the trailer besides `/Size` and `/Root`.
    public var trailer = ""
    private var objects: [[UInt8]] = [[], []]  // the catalog and the page tree, which are written last
    private var pages: [Int] = []
    private static let treeNumber = 2

    /// Creates a document without pages.
    public init() {}

    /// The number of pages so far.
    public var pageCount: Int { pages.count }

    /// Adds an object and returns its object number.
    @discardableResult
    public mutating func add(_ body: String) -> Int {
        objects.append(Array(body.utf8))
        return objects.count
    }

    /// Adds a stream with entries besides `/Length`, and returns its object number.
    @discardableResult
    public mutating func stream(_ entries: String, _ data: String) -> Int {
        stream(entries, Array(data.utf8))
    }

    /// Adds a stream of bytes with entries besides `/Length`, and returns its object number.
    @discardableResult
    public mutating func stream(_ entries: String, _ data: [UInt8]) -> Int {
        let head = "<< \(entries) /Length \(data.count) >>\nstream\n"
        objects.append(Array(head.utf8) + data + Array("\nendstream".utf8))
        return objects.count
    }

    /// Adds an empty object for a later body, and returns its object number.
    public mutating func reserve() -> Int { add("null") }

    /// Sets the body of a reserved object.
    public mutating func set(_ number: Int, _ body: String) { objects[number - 1] = Array(body.utf8) }

    /// Adds a page and returns its object number.
    ///
    /// - Parameters:
    ///   - box: The media box.
    ///   - entries: The entries of the page besides the usual entries.
    ///   - resources: The entries of the resource dictionary.
    @discardableResult
    public mutating func page(
        box: String = "[0 0 160 120]", entries: String = "", resources: String = "", content: String
    ) -> Int {
        page(box: box, entries: entries, resources: resources, contents: stream("", content))
    }

    /// Adds a page whose content is an existing stream, and returns the page's object number.
    @discardableResult
    public mutating func page(
        box: String = "[0 0 160 120]", entries: String = "", resources: String = "", contents stream: Int
    ) -> Int {
        let number = add(
            "<< /Type /Page /Parent \(Self.treeNumber) 0 R /MediaBox \(box) /Resources << \(resources) >> "
                + "/Contents \(stream) 0 R \(entries) >>")
        pages.append(number)
        return number
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        var objects = objects
        let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
        objects[0] = Array("<< /Type /Catalog /Pages \(Self.treeNumber) 0 R \(catalog) >>".utf8)
        objects[1] = Array("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>".utf8)
        var file = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let digits = String(file.count)
            table += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
            file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
        }
        let end = "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(file.count)\n%%EOF\n"
        return file + Array(table.utf8) + Array(end.utf8)
    }
}
