// A document that is to become page images, as a simulated printer puts it on paper.

/// A document to be printed onto page images.
public struct RasterizeRequest: Hashable, Sendable, Codable {
    /// The document, of one of the formats a printer takes.
    public var document: InputDocument
    /// The documents after it, each of which begins on a sheet of its own.
    public var others: [InputDocument]
    /// The paper that each page is put on.
    public var paper: PrintPaper
    /// The resolution of the images, in dots per inch.
    public var resolution: Int
    /// Whether the images are in grey.
    public var monochrome: Bool
    /// The pages to print of each document; a printer that is handed a whole document prints them all.
    public var pageRanges: PageRanges
    /// The folder for `page-0001.png`, `page-0002.png` …; it exists.
    public var outputFolder: String
    /// The path of a PDF of all sides as the sheets lie in the output bin, `sheets.pdf`; nil for none.
    public var sheets: String?
    /// How often each page comes out in `sheets`, and in which order.
    public var copies: Int
    /// Copies in sets rather than page by page.
    public var collated: Bool
    /// On which sides of the sheets: with two, each copy starts on a sheet of its own.
    public var duplex: Duplex
    /// How an image lies on the paper; nil for the direction that makes it larger.
    ///
    /// Documents that have pages say it themselves.
    public var orientation: Orientation?
    /// How the backs of a document of pixels were sent.
    public var sheetBack: SheetBack
    /// How pages are fitted onto the paper, as a printer does it; documents of pixels are printed as they are.
    public var scaling: PrintScaling
    /// Sheets of another size than the paper that the pages are made for, by the first page that comes out on them.
    public var sheetChanges: [SheetChange]
    /// Whether the sheets lie in the output bin with the last one on top, which is where `sheets` begins.
    public var isStackReversed: Bool
    /// Whether the edge of the printable area is drawn onto the images.
    public var overlay: Bool
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`); if not, the page's image shows
    /// a notice instead.
    public var requiresFidelity: Bool
    /// Whom the work is done for; a pool of workers takes turns by it.
    public var origin: WorkOrigin?
    /// The part of the work that is asked for, if several workers share it.
    package var part = Part.everything
    /// The pages that cannot be made in the usual way, by the numbers of their images.
    package var detours: [Int: RenderingFallback] = [:]

    /// A part of the work on a document.
    package enum Part: Hashable, Sendable, Codable {
        /// All page images, and `sheets`.
        case everything
        /// The page images of these numbers, counted from 1 over all documents; `sheets` only if there are no others.
        case images(ClosedRange<Int>)
        /// Only `sheets`, from the page images in the output folder: so many of each document.
        case sheets(documentPages: [Int])
    }

    /// The number of the last page image that is asked for; nil for the last one of the documents.
    package var lastImage: Int? {
        if case .images(let images) = part { images.upperBound } else { nil }
    }

    /// From some page on, sheets of a size that the printer does not know of.
    public struct SheetChange: Hashable, Sendable, Codable {
        /// The first page image on such a sheet, counted from 1 over all documents.
        public var page: Int
        /// The size of the sheets.
        public var media: Media

        /// A change.
        public init(page: Int, media: Media) {
            self.page = page
            self.media = media
        }
    }

    /// A request.
    public init(
        document: InputDocument, others: [InputDocument] = [], paper: PrintPaper, resolution: Int = 100,
        monochrome: Bool = false,
        pageRanges: PageRanges = .all, outputFolder: String, sheets: String? = nil, copies: Int = 1,
        collated: Bool = true, duplex: Duplex = .none, orientation: Orientation? = nil, sheetBack: SheetBack = .normal,
        scaling: PrintScaling = .auto, sheetChanges: [SheetChange] = [], isStackReversed: Bool = false,
        overlay: Bool = false, requiresFidelity: Bool = false
    ) {
        self.document = document
        self.others = others
        self.paper = paper
        self.resolution = resolution
        self.monochrome = monochrome
        self.pageRanges = pageRanges
        self.outputFolder = outputFolder
        self.sheets = sheets
        self.copies = copies
        self.collated = collated
        self.duplex = duplex
        self.orientation = orientation
        self.sheetBack = sheetBack
        self.scaling = scaling
        self.sheetChanges = sheetChanges
        self.isStackReversed = isStackReversed
        self.overlay = overlay
        self.requiresFidelity = requiresFidelity
    }
}

/// What `rasterize` made.
public struct RasterizedDocument: Hashable, Sendable, Codable {
    /// The page images, in page order.
    public var pages: [PageImage]
    /// How many of them each document has.
    public var documentPages: [Int]
    /// The sides that come out over all copies, blank padding included.
    public var impressions: Int
    /// The sheets that come out over all copies.
    public var sheets: Int
    /// What was repaired, replaced or left out, a sentence each, for people.
    public var notices: [String]

    /// What was made; of one document, unless it is said how the pages belong to several.
    public init(
        pages: [PageImage], documentPages: [Int]? = nil, impressions: Int, sheets: Int, notices: [String] = []
    ) {
        self.pages = pages
        self.documentPages = documentPages ?? [pages.count]
        self.impressions = impressions
        self.sheets = sheets
        self.notices = notices
    }
}

/// One printed side as an image.
public struct PageImage: Hashable, Sendable, Codable {
    /// The page's number, from 1.
    public var page: Int
    /// The file's name within the output folder.
    public var file: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The edges at which content lay outside the printable area and was cut off.
    public var clipped: [Edge]
    /// Whether nothing is on it.
    public var isBlank: Bool

    /// An edge of a page.
    public enum Edge: String, Hashable, Sendable, Codable, CaseIterable {
        /// The edge of that name, as the page is read.
        case top, left, bottom, right
    }

    /// A page image.
    public init(page: Int, file: String, width: Int, height: Int, clipped: [Edge] = [], isBlank: Bool = false) {
        self.page = page
        self.file = file
        self.width = width
        self.height = height
        self.clipped = clipped
        self.isBlank = isBlank
    }
}
