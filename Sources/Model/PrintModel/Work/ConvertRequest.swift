// Defines the request to convert a document into a PDF.

/// A request to convert a document of any type into a PDF.
///
/// After the conversion, the pages of the PDF are laid out like the pages of any other PDF.
public struct ConvertRequest: Hashable, Sendable, Codable {
    /// The document that is converted.
    public var document: InputDocument
    /// The type of the document, which determines the converter.
    public var type: DocumentType
    /// The layout of a document that defines no pages.
    public var layout: ConversionLayout
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    public var output: String
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    ///
    /// A worker pool schedules the requests of all printers and owners fairly.
    public var origin: WorkOrigin?

    /// Creates a request to convert a document.
    public init(document: InputDocument, type: DocumentType, layout: ConversionLayout, output: String) {
        self.document = document
        self.type = type
        self.layout = layout
        self.output = output
    }
}

extension ConvertRequest: WorkerTaskRequest {
    /// The files and the origin of the request.
    package var workerFiles: WorkerFiles {
        get { WorkerFiles(documents: [document], output: WorkerFiles.Output(file: output), origin: origin) }
        set { (document, output, origin) = (newValue.document, newValue.output?.file ?? "", newValue.origin) }
    }
}

/// The page layout for a document that defines no pages, such as text, a table, an image or HTML.
///
/// A document that defines a page size (an Office document, PostScript) keeps this size.
public struct ConversionLayout: Hashable, Sendable, Codable {
    /// The size of the pages in reading orientation, in points.
    ///
    /// The width of a landscape page exceeds its height.
    public var pageSize: Size
    /// The margins that the printer cannot print on, in reading orientation.
    ///
    /// If a converter's default margins are larger, the converter uses the default margins.
    public var margins: Margins
    /// The options for text.
    ///
    /// If an option is nil, the converter chooses the value.
    public var text: TextOptions
    /// Whether photos fill the page and are cropped at the page edges.
    ///
    /// If false, each image is scaled so that the whole image fits on the page.
    public var fillsPage: Bool
    /// The title in page headers: the name of the document or of the job.
    public var title: String
    /// The date in page headers, in seconds since 1970; nil for no date.
    public var date: UnixTime?

    /// Creates a layout for documents that define no pages.
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
    /// Creates the layout for a paper in portrait orientation.
    public init(
        paper: PrintPaper, text: TextOptions = TextOptions(), fillsPage: Bool = false, title: String = "",
        date: UnixTime? = nil
    ) {
        self.init(
            pageSize: paper.paperSize, margins: paper.margins, text: text, fillsPage: fillsPage, title: title,
            date: date)
    }

    /// Returns a copy of the layout with the given orientation on the same paper; nil keeps the orientation.
    ///
    /// Landscape pages lie along the long edge of the paper (RFC 8011 §5.2.10).
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

/// The layout of text and source code.
///
/// Options that CUPS' text filter also supports have the same names in CUPS.
public struct TextOptions: Hashable, Sendable, Codable {
    /// The number of characters per inch (`cpi`); nil means 10.
    public var charactersPerInch: Double?
    /// The number of lines per inch (`lpi`); nil means 6.
    public var linesPerInch: Double?
    /// Whether long lines are wrapped (`wrap`).
    ///
    /// If false, the ends of long lines are cut off.
    ///
    /// The value nil means true.
    public var wraps: Bool?
    /// Whether lines are numbered (`line-numbers`); nil means false.
    public var numbersLines: Bool?
    /// Whether each page has a header with the title, the date and the page number (`prettyprint`); nil means false.
    public var hasHeader: Bool?
    /// The number of columns on each page (`columns`); nil means 1.
    public var columns: Int?
    /// The number of characters between tab stops (`tab-width`); nil means 8.
    public var tabWidth: Int?
    /// The character encoding, as an IANA name (`document-charset`); nil to detect the encoding.
    public var encoding: String?

    /// Creates options that are all nil, so that the converter chooses the values.
    public init() {}
}

/// The result of a document conversion.
public struct ConvertedDocument: Hashable, Sendable, Codable {
    /// The number of pages of the PDF; 0 if the converter does not report the number.
    public var pageCount: Int
    /// Whether the document defines the size of its pages.
    ///
    /// The value is false for an image without a resolution. Such an image is fitted to the paper.
    public var hasSize: Bool
    /// Warnings about replaced or omitted content, one sentence each, for users.
    ///
    /// Examples are substituted fonts and resources that were not loaded.
    public var notices: [String]
    /// Remarks about replacements that do not change the layout of the pages, one sentence each.
    ///
    /// An example is a font with the same widths.
    ///
    /// The remarks are shown with the history of a job. The remarks are not warnings.
    public var notes: [String]
    /// Whether all content is within the margins of the layout.
    ///
    /// The value is false if the converter cannot determine the positions of the content.
    public var keepsMargins: Bool

    /// Creates a result of a document conversion.
    public init(
        pageCount: Int, hasSize: Bool = true, notices: [String] = [], notes: [String] = [], keepsMargins: Bool = false
    ) {
        self.keepsMargins = keepsMargins
        self.pageCount = pageCount
        self.hasSize = hasSize
        self.notices = notices
        self.notes = notes
    }

    private enum CodingKeys: String, CodingKey { case pageCount, hasSize, notices, notes, keepsMargins }

    /// Decodes a result.
    ///
    /// If `notes` is missing, the list is empty. If `keepsMargins` is missing, the value is false.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pageCount: try values.decode(Int.self, forKey: .pageCount),
            hasSize: try values.decode(Bool.self, forKey: .hasSize),
            notices: try values.decode([String].self, forKey: .notices),
            notes: try values.decodeIfPresent([String].self, forKey: .notes) ?? [],
            keepsMargins: try values.decodeIfPresent(Bool.self, forKey: .keepsMargins) ?? false)
    }
}
