// The ports for page images, uploads and previews.

package import HTTPTypes
package import IPPServer
package import PrintModel

/// The kind of the requested pages: pages of the job's documents, or printed sides of the job.
package enum PageSide: String, Sendable, CaseIterable {
    /// The pages of the job's documents, one document after another.
    case document
    /// The printed sides of one copy.
    case printed
}

/// A page of a document, or a printed side of a sheet.
package struct PageItem: Sendable, Hashable {
    /// The state of a printed side.
    package enum State: String, Sendable {
        case printed
        case printing
        /// A side that is not printed yet.
        case waiting
    }

    /// The margins that a printer cannot print on, in points.
    package struct Margins: Sendable, Hashable {
        /// The width of each margin, in points.
        package var top, left, bottom, right: Double

        /// Creates margins with the given widths.
        package init(top: Double, left: Double, bottom: Double, right: Double) {
            (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
        }
    }

    /// The number of the page or side, from 1.
    package var number: Int
    /// The width of the page or side, in points.
    package var width: Double
    /// The height of the page or side, in points.
    package var height: Double
    /// The number of the sheet, from 1; nil for a page of a document.
    package var sheet: Int?
    /// Whether the side is the front of its sheet; nil for a page of a document.
    package var isFront: Bool?
    /// The state of the printed side; nil for a page of a document, for a side of a preview, and for a side that was
    /// not printed when the job ended.
    package var state: State?
    /// Whether the side is the blank back of a sheet.
    package var isBlank = false
    /// The number of the page or side as text; empty for a blank side.
    ///
    /// Blank sides are not counted.
    package var label: String
    /// The unprintable margins of the printer; nil for a page of a document.
    package var margins: Margins?
    /// The numbers of the document pages on the side; empty for a blank side, or if the pages are unknown.
    package var pages: [Int] = []
    /// The number of counterclockwise quarter turns of the content on the paper.
    package var turns = 0

    /// Creates a page of a document, or a printed side.
    package init(number: Int, width: Double, height: Double, label: String) {
        (self.number, self.width, self.height, self.label) = (number, width, height, label)
    }
}

package struct PageList: Sendable {
    /// The reason why the pages of the job are not available; nil if the pages are available.
    package var reason: String?
    package var pages: [PageItem]

    /// Creates a list of the pages of a job.
    package init(_ pages: [PageItem]) { (self.pages, reason) = (pages, nil) }

    /// Creates an empty list of pages with the reason why the pages are not available.
    package init(unavailable reason: String) { (pages, self.reason) = ([], reason) }
}

/// An area of a page at a resolution: the whole page or a tile.
package struct PageArea: Sendable, Hashable {
    /// The resolution, in dots per inch.
    package var resolution: Int
    /// The column and row of the tile; nil means the whole page.
    package var tile: (column: Int, row: Int)? { column.flatMap { column in row.map { (column, $0) } } }
    private var column: Int?
    private var row: Int?

    package init(resolution: Int, column: Int? = nil, row: Int? = nil) {
        (self.resolution, self.column, self.row) = (resolution, column, row)
    }
}

/// A page image as a PNG file.
package struct PageImageFile: Sendable {
    /// The bytes of the PNG file.
    package var png: [UInt8]
    /// The value for the header `ETag`, without quotes.
    package var tag: String
    /// Whether the image can still change.
    ///
    /// The image can change if the side is not printed yet.
    package var mayChange: Bool

    package init(png: [UInt8], tag: String, mayChange: Bool = false) {
        (self.png, self.tag, self.mayChange) = (png, tag, mayChange)
    }
}

/// The differences between a page and its printed side.
package struct PageComparisonResult: Sendable {
    /// A group of differences that have the same cause.
    package struct Difference: Sendable {
        /// An area of the printed side, in points.
        ///
        /// The origin is the upper left corner of the side.
        package struct Area: Sendable {
            /// The position and the size of the area, in points.
            package var x, y, width, height: Double

            /// Creates an area of a printed side.
            package init(x: Double, y: Double, width: Double, height: Double) {
                (self.x, self.y, self.width, self.height) = (x, y, width, height)
            }
        }

        /// The cause of the differences: `printable-area`, `color`, `missing` or `other`.
        package var cause: String
        /// The areas in which the page and its printed side differ.
        package var areas: [Area]
        /// A description of the differences, in one or two sentences.
        package var detail: String
        /// The text of the link that starts a reprint without the differences; nil if there is no link.
        package var remedy: String?
        /// The name of the printer for the reprint; nil means the printer of the job.
        package var printer: String?
        /// The print options for the reprint.
        package var options: [(name: String, value: String)]

        /// Creates a difference between a page and its printed side.
        package init(
            cause: String, areas: [Area], detail: String, remedy: String? = nil, printer: String? = nil,
            options: [(name: String, value: String)] = []
        ) {
            (self.cause, self.areas, self.detail, self.remedy) = (cause, areas, detail, remedy)
            (self.printer, self.options) = (printer, options)
        }
    }

    /// The number of the document page, from 1.
    package var page: Int
    /// The number of the printed side that contains the page; nil if the page is not printed.
    package var printed: Int?
    /// The differences between the page and its printed side.
    ///
    /// The list is empty if the page and the side are equal, or if the page is not printed.
    package var differences: [Difference]
    /// The resolution of the comparison, in dots per inch.
    package var resolution: Int
    /// The tolerance for each color component, from 0 to 255.
    ///
    /// Colors within the tolerance count as equal.
    package var tolerance: Int

    package init(page: Int, printed: Int?, differences: [Difference], resolution: Int, tolerance: Int) {
        (self.page, self.printed, self.differences) = (page, printed, differences)
        (self.resolution, self.tolerance) = (resolution, tolerance)
    }
}

/// A file that a browser downloads.
package struct FileDownload: Sendable {
    /// The suggested name of the downloaded file.
    package var name: String
    /// The media type of the file.
    package var type: String
    /// The size of the file in bytes.
    package var size: Int
    /// A function that sends the content of the file piece by piece.
    package var send: @Sendable (WebAnswer.Send) async throws -> Void

    package init(name: String, type: String, size: Int, send: @escaping @Sendable (WebAnswer.Send) async throws -> Void)
    {
        (self.name, self.type, self.size, self.send) = (name, type, size, send)
    }
}

/// A service that provides the page images and the files of jobs.
///
/// The caller must check that the user is allowed to see the documents of the job.
package protocol JobPages: Sendable {
    /// Returns the document pages or the printed sides of a job.
    func list(_ job: Int, _ side: PageSide, for user: CenterUser) async throws -> PageList
    /// Draws an area of a document page or of a printed side.
    ///
    /// - Throws: `Problem` with status 404 if the page or tile does not exist, and 503 if the server is busy.
    func image(
        of job: Int, _ side: PageSide, page: Int, _ area: PageArea, for user: CenterUser
    ) async throws -> PageImageFile
    /// Returns the words on a document page or on a printed side, in reading order; empty for a page without text.
    ///
    /// - Throws: `Problem` with status 404 if the page does not exist, and 503 if the server is busy.
    func words(
        on page: Int, of job: Int, _ side: PageSide, for user: CenterUser
    ) async throws -> [PageWord]
    /// Compares a document page with the printed side that contains the page.
    func compare(_ job: Int, page: Int, for user: CenterUser) async throws -> PageComparisonResult
    /// Returns an original document of a job, without a conversion.
    func document(_ number: Int, of job: Int) async throws -> FileDownload
    /// Returns the printed sides of a job as a PDF.
    func sheets(of job: Int, for user: CenterUser) async throws -> FileDownload
}

/// A document that a browser uploaded.
package struct UploadedFile: Sendable {
    /// The identifier of the upload.
    package var id: String
    /// The file name of the uploaded document.
    package var name: String
    /// The size of the uploaded document in bytes.
    package var size: Int
    /// The name and the media type of the document's format; nil if the format is unknown.
    package var type: (name: String, format: String)?
    /// The number of pages; nil if the number is only known after a conversion.
    package var pages: Int?
    /// The reason why the document cannot be printed; nil if the document can be printed.
    package var problem: String?
    /// Descriptions of the problems in the document that were repaired, one sentence each.
    package var notices: [String] = []
    /// Whether the document opens only with a password.
    package var needsPassword = false

    /// Creates the description of an uploaded document.
    package init(id: String, name: String, size: Int) { (self.id, self.name, self.size) = (id, name, size) }
}

/// The result of a preview: the layout of the documents with the given options.
package struct PreviewResult: Sendable {
    /// The identifier of the preview.
    package var id: String
    /// The number of pages of the documents.
    package var pages: Int
    /// The number of pages that the options select for printing.
    package var selectedPages: Int
    /// The printed sides of one copy; only the first sides if the copy has many sides.
    package var sides: [PageItem]
    /// The number of printed sides of one copy.
    package var sideCount: Int
    /// The number of sheets of one copy.
    package var sheets: Int
    /// The number of copies of the documents.
    package var copies: Int
    /// The name of the paper, and its width and height in points.
    package var paper: (label: String, width: Double, height: Double)
    /// The unprintable margins of the paper.
    package var margins: PageItem.Margins
    /// The notices about options that cannot be applied and about replaced content, one sentence each.
    package var notices: [String]

    package init(
        id: String, pages: Int, selectedPages: Int, sides: [PageItem], sideCount: Int, sheets: Int, copies: Int,
        paper: (label: String, width: Double, height: Double), margins: PageItem.Margins, notices: [String]
    ) {
        (self.id, self.pages, self.selectedPages, self.sides) = (id, pages, selectedPages, sides)
        (self.sideCount, self.sheets, self.copies, self.paper, self.margins, self.notices) = (
            sideCount, sheets, copies, paper, margins, notices
        )
    }
}

package enum PreviewSource: Hashable, Sendable {
    /// The uploaded documents with these identifiers.
    case uploads([String])
    /// The documents of a job. An option of the job applies unless the preview overrides the option.
    case job(Int)
}

/// A service that lays out documents with print options before the job is submitted.
package protocol Previews: Sendable {
    /// Lays out documents for a preview, and returns the layout.
    ///
    /// A new preview replaces the previous preview of the session. The caller must check that the user is allowed to
    /// see the documents of a job.
    ///
    /// - Parameters:
    ///   - source: The source of the documents.
    ///   - printer: The printer; nil means the printer of the job, or the default printer for uploads.
    ///   - options: The print options, with the names and values that `printq submit -o` accepts.
    ///   - password: The password of the encrypted documents; nil for no password.
    ///   - session: A text that identifies the session.
    /// - Throws: `Problem` with status 422 for invalid options, and 409 if a newer preview replaced this preview.
    func make(
        of source: PreviewSource, printer: String?, options: [(name: String, value: String)], password: String?,
        for user: CenterUser, session: String
    ) async throws -> PreviewResult
    /// Draws an area of a printed side of the preview.
    func image(of preview: String, side: Int, _ area: PageArea, for user: CenterUser) async throws -> PageImageFile
}

extension HTTPResponse.Status {
    /// The HTTP status for a request that requires more space than the disk or a quota allows (RFC 4918 §11.5).
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
