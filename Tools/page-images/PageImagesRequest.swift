// Defines the input of page-images.

import PrintModel

/// A document and the sheets for its pages, read as JSON from standard input.
struct PageImagesRequest: Decodable {
    /// The path of the document.
    var document: String
    /// The name that messages use for the document.
    var name: String
    /// The password that opens the document; nil for none.
    var password: String?
    /// The existing folder for prepared PDFs and page images.
    var output: String
    /// The path of `print-worker`.
    var worker: String
    /// The pages to draw, in one group for each kind of sheet.
    var groups: [Group]

    /// Pages for sheets of the same size.
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
        /// The scaling of pages to the paper or to their cell.
        var scaling: PrintScaling
        /// The orientation of the content on the paper; nil selects it for each page.
        var orientation: Orientation?
        /// The number of pages on a side.
        var numberUp: Int
        /// Whether the images are gray.
        var monochrome: Bool
    }
}

extension PageImagesRequest.Group {
    /// The paper for the pages.
    var paper: PrintPaper {
        PrintPaper(media: .custom(width: .points(width), height: .points(height)), margins: .all(.points(margin)))
    }

    /// Returns the imposition of the pages.
    func imposition() throws(PageRangesError) -> Imposition {
        Imposition(
            paper: paper, pageRanges: try PageRanges(pages), numberUp: NumberUp(count: numberUp), scaling: scaling,
            orientation: orientation)
    }
}
