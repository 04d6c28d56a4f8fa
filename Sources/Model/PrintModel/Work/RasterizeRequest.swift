// Defines the request to convert documents into page images.

/// A request to convert documents into page images that show how a simulated printer prints the documents.
public struct RasterizeRequest: Hashable, Sendable, Codable {
    /// The first document, in a format that the simulated printer supports.
    public var document: InputDocument
    /// The documents that are printed after `document`.
    ///
    /// Each document starts on a new sheet.
    public var others: [InputDocument]
    /// The paper on which all pages are printed, except pages after a sheet change (`sheetChanges`).
    public var paper: PrintPaper
    /// The resolution of the images, in dots per inch.
    public var resolution: Int
    /// Whether the images are gray.
    public var monochrome: Bool
    /// The pages to print from each document.
    ///
    /// A printer that receives a whole document prints all pages.
    public var pageRanges: PageRanges
    /// The existing folder for `page-0001.png`, `page-0002.png` and so on.
    public var outputFolder: String
    /// The path of the PDF that shows all printed sides in the order of the output bin; nil if the request creates no
    /// PDF.
    ///
    /// The file name is `sheets.pdf`.
    public var sheets: String?
    /// The number of copies in the PDF `sheets`.
    public var copies: Int
    /// Whether the copies are collated.
    public var collated: Bool
    /// The sides of the sheets to print on.
    ///
    /// For two-sided printing, each copy starts on a new sheet.
    public var duplex: Duplex
    /// The orientation of an image on the paper; nil to choose the orientation in which the image is printed larger.
    ///
    /// Documents that consist of pages already contain an orientation.
    public var orientation: Orientation?
    /// The orientation of the backs in a raster document.
    public var sheetBack: SheetBack
    /// The scaling of pages to the paper.
    ///
    /// Raster documents are printed unscaled.
    public var scaling: PrintScaling
    /// The changes of the sheet size during the job, each with the number of the first page image that has the new
    /// size.
    public var sheetChanges: [SheetChange]
    /// Whether the last sheet is on top of the stack in the output bin.
    ///
    /// If true, the PDF `sheets` starts with the last sheet.
    public var isStackReversed: Bool
    /// Whether the edge of the printable area is drawn on the images.
    public var overlay: Bool
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`).
    ///
    /// If false, the page's image shows a notice.
    public var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    ///
    /// A worker pool schedules the requests of all printers and owners fairly.
    public var origin: WorkOrigin?
    /// The part of the work that one worker performs.
    ///
    /// Several workers can share the work.
    package var part = Part.everything
    /// The fallbacks for pages that the first renderer cannot draw.
    ///
    /// The keys are the numbers of the page images.
    package var fallbacks: [Int: RenderingFallback] = [:]

    /// A part of the work on a document.
    package enum Part: Hashable, Sendable, Codable {
        /// The whole work: all page images and the PDF `sheets`.
        case everything
        /// The page images whose numbers are in the range.
        ///
        /// The numbers start at 1 and continue across all documents. The PDF `sheets` is included only if the range
        /// contains all page images.
        case images(ClosedRange<Int>)
        /// Only the PDF `sheets`, which is made from the page images in the output folder. The associated value is the
        /// number of page images of each document.
        case sheets(documentPages: [Int])
    }

    /// The number of the last requested page image; nil means the last image of the documents.
    package var lastImage: Int? {
        if case .images(let images) = part { images.upperBound } else { nil }
    }

    /// A change to another sheet size during a job.
    ///
    /// The printer does not detect the change.
    public struct SheetChange: Hashable, Sendable, Codable {
        /// The number of the first page image on the sheets with the new size, counted from 1 over all documents.
        public var page: Int
        /// The new size of the sheets.
        public var media: Media

        /// Creates a change of the sheet size.
        public init(page: Int, media: Media) {
            self.page = page
            self.media = media
        }
    }

    /// Creates a request to rasterize documents.
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

extension RasterizeRequest: WorkerTaskRequest {
    /// The files and the origin of the request.
    package var workerFiles: WorkerFiles {
        get {
            let output = WorkerFiles.Output(folder: outputFolder, file: sheets)
            return WorkerFiles(documents: [document] + others, output: output, origin: origin)
        }
        set {
            (document, others) = (newValue.document, Array(newValue.documents.dropFirst()))
            (outputFolder, sheets) = (newValue.output?.folder ?? "", newValue.output?.file)
            origin = newValue.origin
        }
    }
}

/// The result of a request to rasterize documents.
public struct RasterizedDocument: Hashable, Sendable, Codable {
    /// The page images, in page order.
    public var pages: [PageImage]
    /// The number of page images of each document.
    public var documentPages: [Int]
    /// The number of printed sides over all copies, including blank padding.
    public var impressions: Int
    /// The number of printed sheets over all copies.
    public var sheets: Int
    /// Notices about repaired, replaced or omitted content, one sentence each, for users.
    public var notices: [String]

    /// Creates a result.
    ///
    /// Without `documentPages`, all page images belong to one document.
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
    /// The number of the printed side, from 1.
    public var page: Int
    /// The file name in the output folder.
    public var file: String
    /// The width of the image in pixels.
    public var width: Int
    /// The height of the image in pixels.
    public var height: Int
    /// The edges at which content outside the printable area was cropped.
    public var clipped: [Edge]
    /// Whether the side is blank.
    public var isBlank: Bool

    /// An edge of a page.
    public enum Edge: String, Hashable, Sendable, Codable, CaseIterable {
        /// An edge of the page in reading orientation.
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
