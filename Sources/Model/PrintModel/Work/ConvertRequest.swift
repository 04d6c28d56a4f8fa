// Defines the request to convert a document into a PDF.

/// A request to convert a document of any type into a PDF.
///
/// After the conversion, the pages of the PDF are laid out like the pages of any other PDF.
public struct ConvertRequest: Hashable, Sendable, Codable {
    package var document: InputDocument
    package var type: DocumentType
    package var layout: ConversionLayout
    /// The path of the PDF.
    ///
    /// The file is created atomically.
    package var output: String
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    package var origin: WorkOrigin?

    package init(document: InputDocument, type: DocumentType, layout: ConversionLayout, output: String) {
        (self.document, self.type, self.layout, self.output) = (document, type, layout, output)
    }
}

extension ConvertRequest: WorkerTaskRequest {
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
    package var pageSize: Size
    /// The margins that the printer cannot print on, in reading orientation.
    ///
    /// If a converter's default margins are larger, the converter uses the default margins.
    package var margins: Margins
    /// If an option is nil, the converter chooses the value.
    package var text: TextOptions
    /// Whether photos fill the page and are cropped at the page edges.
    ///
    /// If false, each image is scaled so that the whole image fits on the page.
    package var fillsPage: Bool
    /// The title in page headers: the name of the document or of the job.
    package var title: String
    /// The date in page headers, in seconds since 1970; nil for no date.
    package var date: UnixTime?

    package init(
        pageSize: Size, margins: Margins = .zero, text: TextOptions = TextOptions(), fillsPage: Bool = false,
        title: String = "", date: UnixTime? = nil
    ) {
        (self.pageSize, self.margins, self.text) = (pageSize, margins, text)
        (self.fillsPage, self.title, self.date) = (fillsPage, title, date)
    }
}

extension ConversionLayout {
    /// Creates the layout for a paper in portrait orientation.
    package init(
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
    package func oriented(_ orientation: Orientation?) -> ConversionLayout {
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
    package var charactersPerInch: Double?
    /// The number of lines per inch (`lpi`); nil means 6.
    package var linesPerInch: Double?
    /// Whether long lines are wrapped (`wrap`).
    ///
    /// If false, the ends of long lines are cut off.
    ///
    /// The value nil means true.
    package var wraps: Bool?
    /// Whether lines are numbered (`line-numbers`); nil means false.
    package var numbersLines: Bool?
    /// Whether each page has a header with the title, the date and the page number (`prettyprint`); nil means false.
    package var hasHeader: Bool?
    /// The number of columns on each page (`columns`); nil means 1.
    package var columns: Int?
    /// The number of characters between tab stops (`tab-width`); nil means 8.
    package var tabWidth: Int?
    /// The character encoding, as an IANA name (`document-charset`); nil to detect the encoding.
    package var encoding: String?
    /// The content of Office documents that is printed (`printq-office`); nil for the usual pages.
    package var office: OfficePages?
    /// The visible sheets of spreadsheets that are printed, such as `1,3-4` (`printq-sheets`); nil for all sheets.
    package var sheets: String?

    /// Creates options that are all nil, so that the converter chooses the values.
    package init() {}
}

/// The content of an Office document that is printed in place of the usual pages.
package enum OfficePages: String, Hashable, Sendable, Codable, CaseIterable {
    /// The pages with the speaker's notes of a presentation, instead of its slides.
    case notes
    /// All slides of a presentation, including the hidden slides.
    case hiddenSlides = "hidden-slides"
    /// The sheet of a spreadsheet that was visible when the spreadsheet was saved.
    case activeSheet = "active-sheet"
    /// The pages, and the comments after a text or after each sheet of a spreadsheet.
    case comments

    /// The programs whose documents have such content.
    private var modules: [OfficeModule] {
        switch self {
        case .notes, .hiddenSlides: [.impress]
        case .activeSheet: [.calc]
        case .comments: [.writer, .calc]
        }
    }

    fileprivate func applies(to type: DocumentType?) -> Bool {
        type.flatMap { OfficeModule($0) }.map(modules.contains) ?? false
    }
}

extension TextOptions {
    /// Returns one sentence for each option for Office documents that a document of another type ignores.
    ///
    /// - Parameters:
    ///   - type: The type of the document; nil for a document that consists of pages.
    ///   - name: The name of the document in messages.
    package func unappliedOfficeOptions(to type: DocumentType?, name: String) -> [String] {
        let kind = type.map { " (\($0.name))" } ?? ""
        func sentence(_ option: String) -> String { "\(option) has no effect on \(name)\(kind)" }
        let pages = office.flatMap { $0.applies(to: type) ? nil : sentence("the option 'office=\($0.rawValue)'") }
        let isSpreadsheet = type.flatMap { OfficeModule($0) } == .calc
        return [pages, sheets == nil || isSpreadsheet ? nil : sentence("the choice of sheets")].compactMap(\.self)
    }
}

/// The result of a document conversion.
public struct ConvertedDocument: Hashable, Sendable, Codable {
    /// The number of pages of the PDF; 0 if the converter does not report the number.
    package var pageCount: Int
    /// Whether the document defines the size of its pages.
    ///
    /// The value is false for an image without a resolution. Such an image is fitted to the paper.
    package var hasSize: Bool
    /// Warnings about replaced or omitted content, one sentence each, for users.
    ///
    /// Examples are substituted fonts and resources that were not loaded.
    package var notices: [String]
    /// Remarks about replacements that do not change the layout of the pages, one sentence each.
    ///
    /// An example is a font with the same widths.
    ///
    /// The remarks are shown with the history of a job. The remarks are not warnings.
    package var notes: [String]
    /// Whether all content is within the margins of the layout.
    ///
    /// The value is false if the converter cannot determine the positions of the content.
    package var keepsMargins: Bool
    /// Whether the pages are images or drawings, whose size on paper is seldom meant.
    package var isImage: Bool

    package init(
        pageCount: Int, hasSize: Bool = true, notices: [String] = [], notes: [String] = [], keepsMargins: Bool = false,
        isImage: Bool = false
    ) {
        (self.isImage, self.keepsMargins, self.pageCount, self.hasSize) = (isImage, keepsMargins, pageCount, hasSize)
        (self.notices, self.notes) = (notices, notes)
    }

    private enum CodingKeys: String, CodingKey { case pageCount, hasSize, notices, notes, keepsMargins, isImage }

    /// Decodes a result.
    ///
    /// If `notes` is missing, the list is empty. If `keepsMargins` or `isImage` is missing, the value is false.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pageCount: try values.decode(Int.self, forKey: .pageCount),
            hasSize: try values.decode(Bool.self, forKey: .hasSize),
            notices: try values.decode([String].self, forKey: .notices),
            notes: try values.decodeIfPresent([String].self, forKey: .notes) ?? [],
            keepsMargins: try values.decodeIfPresent(Bool.self, forKey: .keepsMargins) ?? false,
            isImage: try values.decodeIfPresent(Bool.self, forKey: .isImage) ?? false)
    }
}
