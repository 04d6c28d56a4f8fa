// Builds the corpus: documents with features that printers and spoolers often render wrongly.

/// A document of the corpus, whose pages all have a displayed size of 160 × 120 points.
///
/// Each page shows one feature of PDF in shapes of about ten points. At this size, differences between renderers cannot
/// be mistaken for errors. A mark in the lower left corner shows the orientation of the page.
public struct CorpusDocument: Sendable {
    /// The subject of the pages, such as `patterns`.
    public let name: String
    /// The feature that each page shows.
    public let pages: [String]
    /// The bytes of the file.
    public let bytes: [UInt8]

    /// The displayed size of each page, in points.
    public static let width = 160.0, height = 120.0

    /// All documents; each document is made once.
    public static let all = [patterns, shadings, transparency, fonts, boxes, annotations, forms]

    /// Creates a document.
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

    /// Adds a page of 160 × 120 points with the mark, and returns its object number.
    ///
    /// The content is drawn in a separate graphics state.
    @discardableResult
    mutating func page(
        _ name: String, box: String = "[0 0 160 120]", entries: String = "", resources: String = "", content: String
    ) -> Int {
        names.append(name)
        return pdf.page(
            box: box, entries: entries, resources: resources, content: "q \(content) Q\n0 g 3 3 14 4 re 3 3 4 10 re f")
    }

    /// Adds a form XObject and returns its object number.
    mutating func form(
        _ content: String, resources: String = "", box: String = "[0 0 160 120]", entries: String = ""
    ) -> Int {
        pdf.stream("/Type /XObject /Subtype /Form /BBox \(box) /Resources << \(resources) >> \(entries)", content)
    }

    var document: CorpusDocument { CorpusDocument(name: name, pages: names, bytes: pdf.bytes) }
}
