// Defines the options for documents that share sheets, borders, booklets, posters, and texts on pages.

/// The placement of a job's documents, if the documents are printed as a single document (IPP
/// `multiple-document-handling`, RFC 8011 §5.2.4).
///
/// All pages are one sequence, to which `page-ranges` applies. The copies are copies of the whole sequence.
public enum DocumentJoining: String, Hashable, Sendable, Codable, CaseIterable {
    /// The placement of each document directly after the previous document, in the next cell of the same side if
    /// possible.
    case sameSide = "single-document"
    case newSheet = "single-document-new-sheet"
}

/// The sides that are printed, counted from 1 in each document (CUPS `page-set`).
public enum PageSet: String, Hashable, Sendable, Codable, CaseIterable {
    case odd, even
}

/// The lines around each page (CUPS `page-border`).
public enum PageBorder: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    /// One thin line around each page.
    case single
    /// One thick line around each page.
    case singleThick = "single-thick"
    case double
    /// Two thick lines around each page.
    case doubleThick = "double-thick"

    /// The number of lines around each page.
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
    /// The printed sides of the booklet's sheets: fronts, backs or both.
    public var sides: Sides

    /// The edge at which a booklet is bound.
    public enum Binding: String, Hashable, Sendable, Codable, CaseIterable {
        /// The left edge, for text that is read from left to right.
        case leftEdge = "left-edge"
        /// The right edge, for text that is read from right to left.
        case rightEdge = "right-edge"
    }

    /// The printed sides of a booklet's sheets.
    ///
    /// For manual duplex printing, the user first prints a job with `front`. The user then puts the sheets back into
    /// the tray. Finally, the user prints a second job with `back`.
    public enum Sides: String, Hashable, Sendable, Codable, CaseIterable {
        /// The fronts and backs of all sheets.
        case both
        /// The fronts of all sheets, without the backs.
        case front
        /// The backs of all sheets, without the fronts.
        case back
    }

    /// The maximum number of sheets in a signature.
    public static let mostSignatureSheets = 1000

    /// Creates a booklet with its signature size, binding and sides.
    public init(signatureSheets: Int = 0, binding: Binding = .leftEdge, sides: Sides = .both) {
        self.signatureSheets = max(0, signatureSheets)
        self.binding = binding
        self.sides = sides
    }

    /// Returns the pages of each sheet in the order front left, front right, back left, back right.
    ///
    /// A nil element is a blank half of a side.
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
/// Neighboring sheets overlap: both sheets show the content of the overlap.
///
/// - Invariant: `columns` and `rows` are in `counts`, and `columns * rows` is greater than 1.
public struct Poster: Hashable, Sendable, Codable {
    /// The number of sheets in a row of the poster.
    public let columns: Int
    /// The number of sheets in a column of the poster.
    public let rows: Int
    /// The width of the strip of content that two neighboring sheets share.
    ///
    /// The strip is at most half as wide as the printable area.
    public var overlap: Length

    /// The supported numbers of columns and rows of a poster.
    public static let counts = 1...10
    /// The overlap for jobs that request no overlap.
    public static let defaultOverlap = Length.millimeters(10)

    /// Creates a poster; nil when the numbers of columns and rows are not supported, or there is only one sheet.
    public init?(columns: Int, rows: Int, overlap: Length = Self.defaultOverlap) {
        guard Self.counts.contains(columns), Self.counts.contains(rows), columns * rows > 1 else { return nil }
        (self.columns, self.rows, self.overlap) = (columns, rows, overlap)
    }

    /// Parses the columns and rows, such as `2x2` or `3x1`; nil for invalid or unsupported numbers.
    public init?(text: String) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1] else { return nil }
        self.init(columns: columns, rows: rows)
    }

    /// The columns and rows as text: `2x2`.
    public var grid: String { "\(columns)x\(rows)" }

    /// The number of sheets over which each page is enlarged.
    public var sheets: Int { columns * rows }
}

/// The position of page numbers (`printq-page-numbers`).
public enum PageNumberPosition: String, Hashable, Sendable, Codable, CaseIterable {
    case bottomLeft = "bottom-left"
    case bottomCenter = "bottom-center"
    case bottomRight = "bottom-right"
    case topLeft = "top-left"
    case topCenter = "top-center"
    case topRight = "top-right"
}

/// The format of page numbers (`printq-page-number-format`).
public enum PageNumberFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// The page number: `2`.
    case number = "n"
    /// The page number and the number of pages: `2 / 5`.
    case numberOfTotal = "n-of-m"
}

/// The position of a watermark relative to the content of the page (`printq-watermark-layer`).
public enum WatermarkLayer: String, Hashable, Sendable, Codable, CaseIterable {
    /// A position over the content, which stays visible through the watermark.
    case over
    /// A position under the content, which can hide the watermark.
    case under
}

/// The texts that are drawn on the pages in addition to the page content.
public struct PageTexts: Hashable, Sendable, Codable {
    /// The position of page numbers; nil for no page numbers.
    public var pageNumbers: PageNumberPosition?
    /// The format of page numbers.
    public var pageNumberFormat: PageNumberFormat
    /// The text of the diagonal watermark; nil for no watermark.
    public var watermark: String?
    /// The position of the watermark relative to the content.
    public var watermarkLayer: WatermarkLayer
    /// The text at the upper edge of each page; nil for no header.
    ///
    /// printq replaces the placeholders `{title}`, `{page}`, `{pages}` and `{date}`.
    public var header: String?

    /// The maximum length of a text, in bytes of UTF-8 (the maximum of an IPP `name`).
    public static let longestText = 255

    /// Creates the texts for the pages.
    public init(
        pageNumbers: PageNumberPosition? = nil, pageNumberFormat: PageNumberFormat = .number, watermark: String? = nil,
        watermarkLayer: WatermarkLayer = .over, header: String? = nil
    ) {
        (self.pageNumbers, self.pageNumberFormat, self.watermark) = (pageNumbers, pageNumberFormat, watermark)
        (self.watermarkLayer, self.header) = (watermarkLayer, header)
    }
}
