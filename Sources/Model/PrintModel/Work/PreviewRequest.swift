// Defines the request to show documents before they are printed.

/// A request to draw a preview of the printed sides, separately for each document.
///
/// `print-preview` reads this request from its standard input as one line of JSON, and writes a line of JSON for each
/// `PreviewEvent`.
public struct PreviewRequest: Hashable, Sendable, Codable {
    /// The documents, with their names.
    ///
    /// Each document is shown separately.
    public var documents: [InputDocument]
    /// The print options of the preview.
    public var ticket: JobTicket
    /// The capabilities of the printer; nil means a typical printer (`PrinterCapabilities.usual`).
    public var printer: PrinterCapabilities?
    /// The existing folder for prepared documents and page images: `1/page-0001.png`, `2/page-0001.png` and so on.
    public var folder: String
    /// Whether `print-preview` removes the folder when its standard input ends.
    ///
    /// The input ends when the program that requested the preview exits.
    public var isTemporary: Bool
    /// The resolution of the page images, in dots per inch.
    public var resolution: Int
    /// The maximum number of page images for each document; 0 for no images.
    public var imageLimit: Int

    /// Creates a request for a preview.
    public init(
        documents: [InputDocument], ticket: JobTicket = JobTicket(), printer: PrinterCapabilities? = nil,
        folder: String, isTemporary: Bool = false, resolution: Int = 100, imageLimit: Int = 0
    ) {
        self.documents = documents
        self.ticket = ticket
        self.printer = printer
        self.folder = folder
        self.isTemporary = isTemporary
        self.resolution = resolution
        self.imageLimit = imageLimit
    }
}

/// An event of a preview: a document, a page image, an error or the end of the preview.
public enum PreviewEvent: Hashable, Sendable, Codable {
    /// A document that was laid out. Its page images follow.
    case document(PreviewedDocument)
    /// An image of a side.
    ///
    /// - Parameters:
    ///   - index: The index of the document in the request.
    ///   - side: The number of the side, from 1.
    ///   - path: The path of the image, a PNG file.
    case page(index: Int, side: Int, path: String)
    /// A document that cannot be shown.
    ///
    /// - Parameters:
    ///   - index: The index of the document in the request.
    ///   - error: The reason why the document cannot be shown.
    case failed(index: Int, error: WorkError)
    /// The end of the preview: all documents were shown or have failed.
    case finished
}

/// The properties of a document in a preview.
public struct PreviewedDocument: Hashable, Sendable, Codable {
    /// The index of the document in the request.
    public var index: Int
    /// The name of the document's type for users: `Word document`; nil if the type is unknown.
    public var type: String?
    /// The media type; nil if the type is unknown.
    public var format: DocumentFormat?
    /// The title that the document contains; nil if the document contains no title.
    public var title: String?
    /// The number of pages that would be printed.
    public var pages: Int
    /// The number of printed sides, including blank sides.
    public var sides: Int
    /// The number of printed sheets.
    public var sheets: Int
    /// The paper on which the document would be printed.
    public var paper: PrintPaper
    /// Notices about replaced or omitted content and about options that cannot be applied, one sentence each, for
    /// users.
    public var notices: [String]

    /// Creates the properties of a document in a preview.
    public init(
        index: Int, type: String? = nil, format: DocumentFormat? = nil, title: String? = nil, pages: Int, sides: Int,
        sheets: Int, paper: PrintPaper, notices: [String] = []
    ) {
        self.index = index
        self.type = type
        self.format = format
        self.title = title
        self.pages = pages
        self.sides = sides
        self.sheets = sheets
        self.paper = paper
        self.notices = notices
    }
}

extension PrinterCapabilities {
    /// Returns the capabilities of a typical printer: color, two-sided printing, and every common paper with and
    /// without margins.
    ///
    /// - Parameter region: An ISO 3166 code such as `US`, which decides between Letter and A4; nil means A4.
    public static func usual(region: String?) -> PrinterCapabilities {
        let papers = Media.standard.flatMap { media in
            [PrintPaper(media: media, margins: .all(.millimeters(4.2))), PrintPaper(media: media)]
        }
        return PrinterCapabilities(
            makeAndModel: "usual printer", papers: papers,
            defaultMedia: PrintPaper.defaultPaper(for: .general, region: region).media,
            customMedia: MediaRange(width: 2_000...100_000, height: 2_000...200_000, margins: .all(.millimeters(4.2))),
            duplexModes: [.none, .longEdge, .shortEdge], colorModes: [.auto, .color, .monochrome],
            qualities: [.draft, .normal, .high], resolutions: [300, 600], formats: [.pdf], maxCopies: 999,
            collates: true)
    }
}
