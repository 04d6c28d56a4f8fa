// What page-images is told to draw.

import PrintModel

/// A document and the sheets that its pages go onto, read as JSON from standard input.
struct Order: Decodable {
    /// The path of the document.
    var document: String
    /// The name that messages use for the document.
    var name: String
    /// The password that opens the document; nil for none.
    var password: String?
    /// The folder for prepared PDFs and page images; it exists.
    var output: String
    /// The path of `print-worker`.
    var worker: String
    /// The pages to draw, a group for each kind of sheet.
    var groups: [Group]

    /// Pages that go onto sheets of the same size.
    struct Group: Decodable {
        /// The pages, such as `1-3,7`.
        var pages: String
        /// The width of the paper, in points.
        var width: Double
        /// The height of the paper, in points.
        var height: Double
        /// The margin on every edge, in points.
        var margin: Double
        /// The resolution of the images, in dots per inch.
        var resolution: Int
        /// How pages are fitted onto the paper or their cell.
        var scaling: PrintScaling
        /// How the content lies on the paper; nil lets each page decide.
        var orientation: Orientation?
        /// How many pages share a side.
        var numberUp: Int
        /// Whether the images are gray.
        var monochrome: Bool
    }
}

extension Order.Group {
    /// The paper that the pages go onto.
    var paper: PrintPaper {
        PrintPaper(media: .custom(width: .points(width), height: .points(height)), margins: .all(.points(margin)))
    }

    /// How the pages become sides.
    func imposition() throws(PageRangesError) -> Imposition {
        Imposition(
            paper: paper, pageRanges: try PageRanges(pages), numberUp: NumberUp(count: numberUp), scaling: scaling,
            orientation: orientation)
    }
}
