// Defines the requests to show pages of documents that stay open in a worker.

/// A request to open documents for viewing.
///
/// The worker opens the documents and sends the response `opened`. The worker then responds to each `ViewCommand` line
/// with one line, until the standard input of the worker ends.
///
/// Pages are counted from 1 over all documents.
package struct ViewRequest: Hashable, Sendable, Codable {
    /// The documents: PDF, JPEG, PWG raster, Apple raster, and PNG page images of simulated printers.
    package var documents: [ViewedDocument]
    /// The folder that contains page images; nil if the documents are single files.
    package var folder: String?

    package init(documents: [ViewedDocument], folder: String? = nil) {
        self.documents = documents
        self.folder = folder
    }
}

extension ViewRequest: WorkerTaskRequest {
    package var workerFiles: WorkerFiles {
        get { WorkerFiles(documents: documents.map(\.document), inputFolder: folder) }
        set {
            for index in documents.indices {
                documents[index].document =
                    newValue.documents.indices.contains(index) ? newValue.documents[index] : InputDocument(path: "")
            }
            folder = newValue.inputFolder
        }
    }
}

package struct ViewedDocument: Hashable, Sendable, Codable {
    package var document: InputDocument
    /// The resolution of a page image, in dots per inch; nil if the document is not a page image.
    package var imageResolution: Int?
    /// The size of a page image in pixels; nil if the size is unknown.
    ///
    /// If the size is known, the file is opened only when the page is drawn. The file of a page can be missing at
    /// first, because the page images of a job appear one after another during printing.
    package var imageSize: Size?
    /// The size at which a page image is shown, in points; nil to calculate the size from the resolution of the image.
    package var shownSize: Size?
    /// Whether the pages are shown in gray, like the output of a printer without color.
    package var isGray: Bool
    /// The part of each page that a printer prints, in points from the upper left corner.
    ///
    /// The other parts are shown in white.
    ///
    /// If the value is nil, whole pages are shown.
    package var printableArea: Rect?

    package init(
        _ document: InputDocument, imageResolution: Int? = nil, imageSize: Size? = nil, shownSize: Size? = nil,
        isGray: Bool = false, printableArea: Rect? = nil
    ) {
        (self.document, self.imageResolution, self.imageSize) = (document, imageResolution, imageSize)
        (self.shownSize, self.isGray, self.printableArea) = (shownSize, isGray, printableArea)
    }
}

package struct OpenedPages: Hashable, Sendable, Codable {
    /// The size of each page as shown, in points.
    package var sizes: [Size]
    package var documentPages: [Int]

    package init(sizes: [Size], documentPages: [Int]) {
        self.sizes = sizes
        self.documentPages = documentPages
    }
}

/// A command to a worker that has opened documents.
package enum ViewCommand: Hashable, Sendable, Codable {
    /// A request to draw a part of a page. The response is `drawn`.
    case draw(PageTile)
    /// A request to compare a page with a printed side. The response is `compared`.
    case compare(ComparisonCommand)
    /// A request for the words on the page with the given number, from 1. The response is `words`.
    case words(page: Int)
}

/// A word on a page, with its place in points from the upper left corner of the page as shown.
package struct PageWord: Hashable, Sendable, Codable {
    /// The maximum number of words of a page that a worker sends.
    package static let most = 20_000

    package var text: String
    package var area: Rect
    /// Whether the word is the last word of a line.
    package var endsLine: Bool

    package init(_ text: String, area: Rect, endsLine: Bool = false) {
        (self.text, self.area, self.endsLine) = (text, area, endsLine)
    }
}

extension [PageWord] {
    /// The text of the words, with a newline after each line.
    package var text: String { map { $0.text + ($0.endsLine ? "\n" : " ") }.joined() }
}

/// A rectangular part of a page, in whole pixels at a resolution.
///
/// The page has `round(points × dpi / 72)` pixels in each direction, at least 1.
package struct PageTile: Hashable, Sendable, Codable {
    /// The maximum width and height of a tile in pixels.
    package static let side = 512

    /// The page number, from 1.
    package var page: Int
    /// The resolution, in dots per inch.
    package var resolution: Int
    /// The index of the tile's leftmost pixel column on the page.
    package var x: Int
    /// The index of the tile's topmost pixel row on the page.
    package var y: Int
    /// The number of pixel columns in the tile.
    package var width: Int
    /// The number of pixel rows in the tile.
    package var height: Int
    /// The fallback for drawing the page; nil to draw the page without a fallback.
    package var fallback: RenderingFallback?

    package init(page: Int, resolution: Int, x: Int, y: Int, width: Int, height: Int) {
        (self.page, self.resolution, self.x, self.y, self.width, self.height) = (page, resolution, x, y, width, height)
    }

    package init(wholePage page: Int, ofSize size: Size, resolution: Int) {
        let (width, height) = Self.pixels(of: size, resolution: resolution)
        self.init(page: page, resolution: resolution, x: 0, y: 0, width: width, height: height)
    }

    /// Creates the tile at the given column and row of the tile grid; nil if the page has no tile at this position.
    package init?(page: Int, ofSize size: Size, resolution: Int, column: Int, row: Int) {
        let (width, height) = Self.pixels(of: size, resolution: resolution)
        guard (0...(width - 1) / Self.side).contains(column), (0...(height - 1) / Self.side).contains(row) else {
            return nil
        }
        let (x, y) = (column * Self.side, row * Self.side)
        self.init(
            page: page, resolution: resolution, x: x, y: y, width: min(Self.side, width - x),
            height: min(Self.side, height - y))
    }

    package static func pixels(of size: Size, resolution: Int) -> (width: Int, height: Int) {
        func count(_ points: Double) -> Int {
            max(Int(min((points * Double(resolution) / 72).rounded(), 1_000_000_000)), 1)
        }
        return (count(size.width), count(size.height))
    }
}

/// The image of a part of a page.
package struct DrawnTile: Hashable, Sendable, Codable {
    /// The bytes of a PNG file, as base64 text.
    package var png: String
    /// A sentence about replaced content; nil if no content was replaced.
    package var notice: String?

    package init(png: String, notice: String? = nil) {
        self.png = png
        self.notice = notice
    }
}

/// A command to compare a laid-out page with the printed side.
package struct ComparisonCommand: Hashable, Sendable, Codable {
    /// The number of the laid-out page, from 1.
    package var page: Int
    /// The number of the printed side, from 1.
    package var printed: Int
    /// The area that the printer prints, in points from the upper left corner.
    package var printableArea: Rect
    /// The resolution of the comparison, in dots per inch.
    package var resolution: Int

    package init(page: Int, printed: Int, printableArea: Rect, resolution: Int = 100) {
        (self.page, self.printed, self.printableArea, self.resolution) = (page, printed, printableArea, resolution)
    }
}

/// The differences between a page and its printed side, for one cause.
package struct SideDifference: Hashable, Sendable, Codable {
    package enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Content outside of the printable area.
        case printableArea = "printable-area"
        /// Color that was printed as gray.
        case color
        /// Content that is missing inside of the printable area.
        case missing
        case other
    }

    package var cause: Cause
    /// The differing areas in points, from the upper left corner of the printed side.
    package var areas: [Rect]
    /// The fraction of the page's pixels that differ, from 0 to 1.
    package var share: Double
    /// The edges at which content lies outside of the printable area.
    package var edges: [PageImage.Edge]

    package init(cause: Cause, areas: [Rect], share: Double, edges: [PageImage.Edge] = []) {
        (self.cause, self.areas, self.share, self.edges) = (cause, areas, share, edges)
    }
}
