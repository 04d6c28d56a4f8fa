// Defines the request to convert documents into page images.

/// A request to convert documents into page images, as printed by a simulated printer.
public struct RasterizeRequest: Hashable, Sendable, Codable {
    /// The document, in a format that a printer supports.
    public var document: InputDocument
    /// Further documents; each starts on a new sheet.
    public var others: [InputDocument]
    /// The paper of each page.
    public var paper: PrintPaper
    /// The resolution of the images, in dots per inch.
    public var resolution: Int
    /// Whether the images are gray.
    public var monochrome: Bool
    /// The pages of each document to print; a printer that receives a whole document prints all pages.
    public var pageRanges: PageRanges
    /// The existing folder for `page-0001.png`, `page-0002.png` and so on.
    public var outputFolder: String
    /// The path of a PDF with all sides in the order of the output bin, `sheets.pdf`; nil for no PDF.
    public var sheets: String?
    /// The number of copies in `sheets`.
    public var copies: Int
    /// Whether the copies are collated.
    public var collated: Bool
    /// The sides to print on; with two sides, each copy starts on a new sheet.
    public var duplex: Duplex
    /// The orientation of an image on the paper; nil for the orientation in which the image is larger.
    ///
    /// Documents with pages have their own orientation.
    public var orientation: Orientation?
    /// The orientation in which the backs of a raster document were sent.
    public var sheetBack: SheetBack
    /// The scaling of pages to the paper; raster documents are printed unscaled.
    public var scaling: PrintScaling
    /// Changes of the sheet size during the job, each with the first affected page image.
    public var sheetChanges: [SheetChange]
    /// Whether the last sheet is on top of the output bin; `sheets` then starts with the last sheet.
    public var isStackReversed: Bool
    /// Whether the edge of the printable area is drawn on the images.
    public var overlay: Bool
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`); otherwise the page's image
    /// shows a notice.
    public var requiresFidelity: Bool
    /// The printer and owner for which the request is made; a worker pool schedules the requests of all printers and
    /// owners fairly.
    public var origin: WorkOrigin?
    /// The part of the work for this worker, if several workers share it.
    package var part = Part.everything
    /// The pages that need a fallback, by the numbers of their images.
    package var detours: [Int: RenderingFallback] = [:]

    /// A part of the work on a document.
    package enum Part: Hashable, Sendable, Codable {
        /// All page images, and `sheets`.
        case everything
        /// The page images with these numbers, counted from 1 over all documents; includes `sheets` only if the range
        /// contains all page images.
        case images(ClosedRange<Int>)
        /// Only `sheets`, made from the page images in the output folder; the value is the number of images of each
        /// document.
        case sheets(documentPages: [Int])
    }

    /// The number of the last requested page image; nil for the last image of the documents.
    package var lastImage: Int? {
        if case .images(let images) = part { images.upperBound } else { nil }
    }

    /// A change to sheets of another size that the printer does not detect.
    public struct SheetChange: Hashable, Sendable, Codable {
        /// The first page image on these sheets, counted from 1 over all documents.
        public var page: Int
        /// The size of the sheets.
        public var media: Media

        /// Creates a change.
        public init(page: Int, media: Media) {
            self.page = page
            self.media = media
        }
    }

    /// Creates a request.
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

/// The result of `rasterize`.
public struct RasterizedDocument: Hashable, Sendable, Codable {
    /// The page images, in page order.
    public var pages: [PageImage]
    /// The number of page images of each document.
    public var documentPages: [Int]
    /// The number of printed sides over all copies, including blank padding.
    public var impressions: Int
    /// The number of printed sheets over all copies.
    public var sheets: Int
    /// The repaired, replaced or omitted content, one sentence each, for users.
    public var notices: [String]

    /// Creates a result; without `documentPages`, the result of one document.
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
    /// The file name in the output folder.
    public var file: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The edges at which content outside the printable area was cropped.
    public var clipped: [Edge]
    /// Whether the side is blank.
    public var isBlank: Bool

    /// An edge of a page.
    public enum Edge: String, Hashable, Sendable, Codable, CaseIterable {
        /// The edge with this name, in reading orientation.
        case top, left, bottom, right
    }

    /// Creates a page image.
    public init(page: Int, file: String, width: Int, height: Int, clipped: [Edge] = [], isBlank: Bool = false) {
        self.page = page
        self.file = file
        self.width = width
        self.height = height
        self.clipped = clipped
        self.isBlank = isBlank
    }
}
