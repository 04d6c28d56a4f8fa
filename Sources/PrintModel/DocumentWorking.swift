// The port through which documents are read, prepared and turned into pixels.

/// Works on documents from anywhere, which is why its work is done in a process that can do no harm.
///
/// `PrintDocuments` does the work itself; `PrintWork` has it done by sandboxed `print-worker` processes.
public protocol DocumentWorking: Sendable {
    /// Says what a document is.
    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary

    /// Converts and imposes documents into one PDF for a printer.
    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument

    /// Makes pages of a prepared PDF into what a printer takes that takes no PDF.
    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument

    /// Turns a document into page images, as a simulated printer would put them on paper.
    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument
}

/// A document to be worked on.
public struct InputDocument: Hashable, Sendable, Codable {
    /// The path of the file.
    public var path: String
    /// What the sender says it is; nil or `application/octet-stream` when it must be found out.
    public var format: DocumentFormat?
    /// The password that opens it, if it needs one.
    public var password: String?
    /// What people call it, where that is not the file's name.
    public var name: String?

    /// A document in a file.
    public init(path: String, format: DocumentFormat? = nil, password: String? = nil, name: String? = nil) {
        self.path = path
        self.format = format
        self.password = password
        self.name = name
    }
}

/// What a document turned out to be.
public struct DocumentSummary: Hashable, Sendable, Codable {
    /// Its format, by content.
    public var format: DocumentFormat
    /// The number of its pages.
    public var pageCount: Int
    /// The size of the first page as it is seen (crop box, rotation and user unit respected), in points.
    public var firstPageSize: Size?
    /// Whether it is encrypted (it was opened all the same).
    public var isEncrypted: Bool
    /// Its title, if it says one.
    public var title: String?
    /// What was wrong with it and mended, in words.
    public var notices: [String]

    /// A summary.
    public init(
        format: DocumentFormat, pageCount: Int, firstPageSize: Size? = nil, isEncrypted: Bool = false,
        title: String? = nil, notices: [String] = []
    ) {
        self.format = format
        self.pageCount = pageCount
        self.firstPageSize = firstPageSize
        self.isEncrypted = isEncrypted
        self.title = title
        self.notices = notices
    }
}

/// Documents to be made into one PDF for a printer.
public struct PrepareRequest: Hashable, Sendable, Codable {
    /// The documents, in order; each starts on a sheet of its own.
    public var documents: [InputDocument]
    /// What is to be done to their pages.
    public var imposition: Imposition
    /// The path of the PDF to make; it appears there whole or not at all.
    public var output: String

    /// A request.
    public init(documents: [InputDocument], imposition: Imposition, output: String) {
        self.documents = documents
        self.imposition = imposition
        self.output = output
    }
}

/// What `prepare` made.
public struct PreparedDocument: Hashable, Sendable, Codable {
    /// The sides in the PDF, blank padding included.
    public var impressions: Int
    /// The sheets the sides make, of the copies laid out in the PDF.
    public var sheets: Int
    /// The chosen pages of the documents, of one copy.
    public var pages: Int
    /// The sheets of one copy whose back stays blank, counted from 0 in the order of the pages.
    public var blankBacks: [Int]
    /// What was mended or left out, in words.
    public var notices: [String]

    /// What was made.
    public init(impressions: Int, sheets: Int, pages: Int, blankBacks: [Int] = [], notices: [String] = []) {
        self.impressions = impressions
        self.sheets = sheets
        self.pages = pages
        self.blankBacks = blankBacks
        self.notices = notices
    }
}

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
        overlay: Bool = false
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

    /// What was made; of one document, unless it is said how the pages belong to several.
    public init(pages: [PageImage], documentPages: [Int]? = nil, impressions: Int, sheets: Int) {
        self.pages = pages
        self.documentPages = documentPages ?? [pages.count]
        self.impressions = impressions
        self.sheets = sheets
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

/// How far a worker has come.
public struct WorkProgress: Hashable, Sendable, Codable {
    /// Pages done.
    public var page: Int
    /// Pages in all.
    public var total: Int

    /// A progress.
    public init(page: Int, total: Int) {
        self.page = page
        self.total = total
    }
}

/// Why a document could not be worked on.
public struct WorkError: Error, Sendable, Codable, Hashable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Code: String, Sendable, Codable, Hashable {
        /// The document does not exist or cannot be read.
        case documentMissing
        /// Its format is not one that can be printed (IPP `document-format-error`).
        case unsupportedFormat
        /// It is damaged beyond repair (IPP `document-format-error`).
        case damaged
        /// It needs a password, or another one (IPP `document-password-error`).
        case passwordRequired
        /// It has no pages, or none of those asked for.
        case noPages
        /// It took more processor time than a worker may use.
        case processorTimeExceeded
        /// It took longer than a worker may take.
        case timeExceeded
        /// It needed more memory than a worker may use.
        case memoryExceeded
        /// What came out of it was larger than a worker may write.
        case outputTooLarge
        /// The worker ended without an answer.
        case workerCrashed
        /// The worker could not be started, or could not shut itself in.
        case workerUnavailable
        /// The disk is full, or writing failed.
        case writeFailed
        /// The work was cancelled.
        case canceled
    }

    /// What went wrong, for programs.
    public var code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    public var message: String
    /// For whoever debugs: a signal, a library's own words.
    public var detail: String?

    /// An error.
    public init(_ code: Code, _ message: String, detail: String? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
    }

    /// The message.
    public var description: String { message }
}
