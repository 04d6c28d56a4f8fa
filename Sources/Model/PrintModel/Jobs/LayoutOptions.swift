// Defines the options for documents that share sheets, borders, booklets, posters, and texts on pages.

/// The placement of the documents of a job that are printed as a single document (IPP `multiple-document-handling`,
/// RFC 8011 §5.2.4).
///
/// All pages are one sequence, to which `page-ranges` applies. The copies are copies of the whole sequence.
public enum DocumentJoining: String, Hashable, Sendable, Codable, CaseIterable {
    /// A document continues on the side, and in the cell, after the last page of the document before it.
    case sameSide = "single-document"
    /// Each document starts on a new sheet.
    case newSheet = "single-document-new-sheet"
}

/// The lines around each page (CUPS `page-border`).
public enum PageBorder: String, Hashable, Sendable, Codable, CaseIterable {
    /// No line.
    case none
    /// A thin line.
    case single
    /// A thick line.
    case singleThick = "single-thick"
    /// Two thin lines.
    case double
    /// Two thick lines.
    case doubleThick = "double-thick"

    /// The number of lines.
    public var lines: Int {
        switch self {
        case .none: 0
        case .single, .singleThick: 1
        case .double, .doubleThick: 2
        }
    }

    /// The width of a line, in points.
    public var lineWidth: Double { self == .singleThick || self == .doubleThick ? 1.5 : 0.5 }
}

/// A booklet: two pages on each side, in an order for sheets that are folded in the middle (IPP
/// `imposition-template` = `signature`, PWG 5100.3 §3.8).
///
///     // Eight pages on two sheets: 8+1 2+7, 6+3 4+5.
///     Booklet().order(of: Array(1...8))
///
/// - Invariant: `signatureSheets >= 0`.
public struct Booklet: Hashable, Sendable, Codable {
    /// The maximum number of sheets that are folded together (a signature); 0 for one signature with all sheets.
    public var signatureSheets: Int
    /// The edge at which the booklet is bound.
    public var binding: Binding
    /// The sides of the sheets to print.
    public var sides: Sides

    /// The edge at which a booklet is bound.
    public enum Binding: String, Hashable, Sendable, Codable, CaseIterable {
        /// The left edge, for text that is read from left to right.
        case leftEdge = "left-edge"
        /// The right edge, for text that is read from right to left.
        case rightEdge = "right-edge"
    }

    /// The sides of the sheets to print.
    ///
    /// On a printer without a duplex unit, the fronts are printed first. Then the sheets are put back into the tray,
    /// and the backs are printed.
    public enum Sides: String, Hashable, Sendable, Codable, CaseIterable {
        /// The fronts and backs of all sheets.
        case both
        /// Only the fronts.
        case front
        /// Only the backs.
        case back
    }

    /// The maximum of `signatureSheets`.
    public static let mostSignatureSheets = 1000

    /// Creates a booklet.
    public init(signatureSheets: Int = 0, binding: Binding = .leftEdge, sides: Sides = .both) {
        self.signatureSheets = max(0, signatureSheets)
        self.binding = binding
        self.sides = sides
    }

    /// Returns the pages of each sheet: the left and the right page of the front, then of the back; nil for a blank
    /// half.
    ///
    /// The last signature has as few sheets as possible. Its pages are padded to a multiple of four.
    func order<Page>(of pages: [Page]) -> [[Page?]] {
        let most = signatureSheets == 0 ? Int.max / 4 : signatureSheets
        return stride(from: 0, to: pages.count, by: most * 4).flatMap { start in
            let signature = Array(pages[start..<min(start + most * 4, pages.count)])
            let sheets = (signature.count + 3) / 4
            return (0..<sheets).map { sheet in
                let outer = sheet * 2
                let inner = sheets * 4 - 1 - outer
                let halves = [(inner, outer), (outer + 1, inner - 1)]
                return halves.flatMap { binding == .leftEdge ? [$0.0, $0.1] : [$0.1, $0.0] }
                    .map { $0 < signature.count ? signature[$0] : nil }
            }
        }
    }
}

/// A poster: each page is enlarged over several sheets (`printq-poster`).
///
/// The printable areas of neighboring sheets have a strip of content in common.
///
/// - Invariant: `columns` and `rows` are in `counts`, and at least one of the two is greater than 1.
public struct Poster: Hashable, Sendable, Codable {
    /// The number of sheets in a row.
    public let columns: Int
    /// The number of sheets in a column.
    public let rows: Int
    /// The width of the strip of content that neighboring sheets have in common.
    ///
    /// The strip is at most half as wide as the printable area.
    public var overlap: Length

    /// The supported numbers of columns and rows.
    public static let counts = 1...10
    /// The overlap if no overlap is requested.
    public static let defaultOverlap = Length.millimeters(10)

    /// Creates a poster; nil when the numbers of columns and rows are not supported, or there is only one sheet.
    public init?(columns: Int, rows: Int, overlap: Length = Self.defaultOverlap) {
        guard Self.counts.contains(columns), Self.counts.contains(rows), columns * rows > 1 else { return nil }
        self.columns = columns
        self.rows = rows
        self.overlap = overlap
    }

    /// Parses the columns and rows: `2x2`, `3x1`.
    public init?(text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1] else { return nil }
        self.init(columns: columns, rows: rows)
    }

    /// The columns and rows as text: `2x2`.
    public var grid: String { "\(columns)x\(rows)" }

    /// The number of sheets for each page.
    public var sheets: Int { columns * rows }
}

/// The position of page numbers (`printq-page-numbers`).
public enum PageNumberPosition: String, Hashable, Sendable, Codable, CaseIterable {
    /// The lower left corner.
    case bottomLeft = "bottom-left"
    /// The center of the lower edge.
    case bottomCenter = "bottom-center"
    /// The lower right corner.
    case bottomRight = "bottom-right"
    /// The upper left corner.
    case topLeft = "top-left"
    /// The center of the upper edge.
    case topCenter = "top-center"
    /// The upper right corner.
    case topRight = "top-right"
}

/// The form of page numbers (`printq-page-number-format`).
public enum PageNumberFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// The number: `2`.
    case number = "n"
    /// The number and the total number: `2 / 5`.
    case numberOfTotal = "n-of-m"
}

/// The position of a watermark relative to the content of the page (`printq-watermark-layer`).
public enum WatermarkLayer: String, Hashable, Sendable, Codable, CaseIterable {
    /// Over the content, which stays visible through the watermark.
    case over
    /// Under the content, which may hide the watermark.
    case under
}

/// The texts that are drawn on the pages in addition to their content.
public struct PageTexts: Hashable, Sendable, Codable {
    /// The position of page numbers; nil for no page numbers.
    public var pageNumbers: PageNumberPosition?
    /// The form of page numbers.
    public var pageNumberFormat: PageNumberFormat
    /// The text of the diagonal watermark; nil for no watermark.
    public var watermark: String?
    /// The position of the watermark relative to the content.
    public var watermarkLayer: WatermarkLayer
    /// The text at the upper edge, in which `{title}`, `{page}`, `{pages}` and `{date}` are replaced; nil for no header.
    public var header: String?

    /// The maximum length of a text, in bytes of UTF-8 (the maximum of an IPP `name`).
    public static let longestText = 255

    /// Creates texts.
    public init(
        pageNumbers: PageNumberPosition? = nil, pageNumberFormat: PageNumberFormat = .number, watermark: String? = nil,
        watermarkLayer: WatermarkLayer = .over, header: String? = nil
    ) {
        self.pageNumbers = pageNumbers
        self.pageNumberFormat = pageNumberFormat
        self.watermark = watermark
        self.watermarkLayer = watermarkLayer
        self.header = header
    }
}
