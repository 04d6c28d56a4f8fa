// Defines the request to convert a document into a PDF.

/// A request to convert a document of any type into a PDF, whose pages are laid out afterwards as those of any PDF.
public struct ConvertRequest: Hashable, Sendable, Codable {
    /// The document.
    public var document: InputDocument
    /// The type of the document, which determines the converter.
    public var type: DocumentType
    /// The layout of a document that defines no pages.
    public var layout: ConversionLayout
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    public var output: String
    /// The printer and owner for which the request is made; a worker pool schedules the requests of all printers and
    /// owners fairly.
    public var origin: WorkOrigin?

    /// Creates a request.
    public init(document: InputDocument, type: DocumentType, layout: ConversionLayout, output: String) {
        self.document = document
        self.type = type
        self.layout = layout
        self.output = output
    }
}

/// The pages for a document that defines no pages: text, tables, images, HTML.
///
/// A document with its own page size (an Office document, PostScript) keeps it.
public struct ConversionLayout: Hashable, Sendable, Codable {
    /// The size of the pages in points, as the pages are read; a landscape page is wider than high.
    public var pageSize: Size
    /// The margins that the printer cannot print, as the pages are read.
    ///
    /// A converter adds its own margins if these are smaller.
    public var margins: Margins
    /// The options for text; nil values have the converter's defaults.
    public var text: TextOptions
    /// Whether photos fill the page, so that their edges are cropped; otherwise images are fitted to the page.
    public var fillsPage: Bool
    /// The title for headers: the name of the document or of the job.
    public var title: String
    /// The date for headers, in seconds since 1970; nil for no date.
    public var date: UnixTime?

    /// Creates a layout.
    public init(
        pageSize: Size, margins: Margins = .zero, text: TextOptions = TextOptions(), fillsPage: Bool = false,
        title: String = "", date: UnixTime? = nil
    ) {
        self.pageSize = pageSize
        self.margins = margins
        self.text = text
        self.fillsPage = fillsPage
        self.title = title
        self.date = date
    }
}

extension ConversionLayout {
    /// Creates the layout for a paper, upright.
    public init(
        paper: PrintPaper, text: TextOptions = TextOptions(), fillsPage: Bool = false, title: String = "",
        date: UnixTime? = nil
    ) {
        self.init(
            pageSize: paper.paperSize, margins: paper.margins, text: text, fillsPage: fillsPage, title: title,
            date: date)
    }

    /// Returns the layout for content with an orientation on the same upright paper; nil leaves the paper upright.
    ///
    /// RFC 8011 §5.2.10: landscape pages lie along the long edge of the paper.
    public func oriented(_ orientation: Orientation?) -> ConversionLayout {
        guard let orientation else { return self }
        let isLandscape = orientation == .landscape || orientation == .reverseLandscape
        guard isLandscape != pageSize.isLandscape else { return self }
        var layout = self
        layout.pageSize = pageSize.turned
        // The content is turned counterclockwise, so that its top is at the left edge of the paper.
        layout.margins = Margins(top: margins.left, left: margins.bottom, bottom: margins.right, right: margins.top)
        return layout
    }
}

/// The layout of text and source code, with the option names of CUPS' text filter where it has them.
public struct TextOptions: Hashable, Sendable, Codable {
    /// The number of characters per inch (`cpi`); nil for 10.
    public var charactersPerInch: Double?
    /// The number of lines per inch (`lpi`); nil for 6.
    public var linesPerInch: Double?
    /// Whether long lines are wrapped (`wrap`); otherwise their ends are cut off.
    ///
    /// Nil for true.
    public var wraps: Bool?
    /// Whether lines are numbered (`line-numbers`); nil for false.
    public var numbersLines: Bool?
    /// Whether each page has a header with the title, the date and the page number (`prettyprint`); nil for false.
    public var hasHeader: Bool?
    /// The number of columns on each page (`columns`); nil for 1.
    public var columns: Int?
    /// The number of columns between tab stops (`tab-width`); nil for 8.
    public var tabWidth: Int?
    /// The character encoding, as an IANA name (`document-charset`); nil to detect it.
    public var encoding: String?

    /// Creates options that leave all choices to the converter.
    public init() {}
}

/// The result of a conversion.
public struct ConvertedDocument: Hashable, Sendable, Codable {
    /// The number of pages of the PDF; 0 if the converter does not report it.
    public var pageCount: Int
    /// Whether the document defines the size of its pages; false for an image without a resolution, which is fitted to
    /// the paper.
    public var hasSize: Bool
    /// The replaced or omitted content, one sentence each, for users: substituted fonts, resources that were not
    /// loaded.
    public var notices: [String]

    /// Creates a result.
    public init(pageCount: Int, hasSize: Bool = true, notices: [String] = []) {
        self.pageCount = pageCount
        self.hasSize = hasSize
        self.notices = notices
    }
}
