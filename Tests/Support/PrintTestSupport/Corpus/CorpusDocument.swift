// Documents that show what printers and spoolers get wrong, a thing a page.

/// A document of the corpus: pages that all are 160 × 120 points large as they are seen.
///
/// Each page shows one feature of PDF in shapes of about ten points, which no renderer draws so differently that it could
/// be mistaken for an error, and has a mark in its lower left corner that tells which way it lies.
public struct CorpusDocument: Sendable {
    /// What the pages are about: `patterns`.
    public let name: String
    /// What each page shows.
    public let pages: [String]
    /// The file.
    public let bytes: [UInt8]

    /// The size of each page as it is seen, in points.
    public static let width = 160.0, height = 120.0

    /// All documents, each made once.
    public static let all = [patterns, shadings, transparency, fonts, boxes, annotations, forms]

    /// A document.
    public init(name: String, pages: [String], bytes: [UInt8]) {
        self.name = name
        self.pages = pages
        self.bytes = bytes
    }
}

/// A document of the corpus under construction.
struct CorpusBuilder {
    var pdf = RawPDF()
    private(set) var names: [String] = []
    let name: String

    init(_ name: String) { self.name = name }

    /// Adds a page of 160 × 120 points, with the mark on it, and returns its object number.
    ///
    /// The content is drawn in a state of its own.
    @discardableResult
    mutating func page(
        _ name: String, box: String = "[0 0 160 120]", entries: String = "", resources: String = "", content: String
    ) -> Int {
        names.append(name)
        return pdf.page(
            box: box, entries: entries, resources: resources, content: "q \(content) Q\n0 g 3 3 14 4 re 3 3 4 10 re f")
    }

    /// Adds a form XObject and returns its number.
    mutating func form(
        _ content: String, resources: String = "", box: String = "[0 0 160 120]", entries: String = ""
    ) -> Int {
        pdf.stream("/Type /XObject /Subtype /Form /BBox \(box) /Resources << \(resources) >> \(entries)", content)
    }

    var document: CorpusDocument { CorpusDocument(name: name, pages: names, bytes: pdf.bytes) }
}
