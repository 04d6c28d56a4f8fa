// Defines the print options and their IPP keywords.

/// The sides that are printed on each sheet (IPP `sides`, RFC 8011 §5.2.8; UIKit's `UIPrintInfo.Duplex`).
public enum Duplex: String, Hashable, Sendable, Codable, CaseIterable {
    /// Printing only on the front of each sheet.
    case none = "one-sided"
    /// Printing on both sides, with sheets that are turned over the long edge like the pages of a book.
    case longEdge = "two-sided-long-edge"
    /// Printing on both sides, with sheets that are turned over the short edge like the sheets of a calendar.
    case shortEdge = "two-sided-short-edge"
}

/// The orientation of the content on the paper (IPP `orientation-requested`, RFC 8011 §5.2.10).
public enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
    case portrait = 3
    /// A rotation of the content by 90° counterclockwise.
    case landscape = 4
    /// A rotation of the content by 90° clockwise.
    case reverseLandscape = 5
    /// A rotation of the content by 180°.
    case reversePortrait = 6

    /// The IPP keyword of the orientation, such as `reverse-landscape`.
    public var keyword: String {
        switch self {
        case .portrait: "portrait"
        case .landscape: "landscape"
        case .reverseLandscape: "reverse-landscape"
        case .reversePortrait: "reverse-portrait"
        }
    }
}

/// The scaling of a page to the paper (IPP `print-scaling`, PWG 5100.13 §5.2).
///
/// `settled(isLarger:isBorderless:)` resolves `auto` and `auto-fit` for a page. With `auto`, pages that share a side
/// (`number-up`) are scaled to fit their cells.
public enum PrintScaling: String, Hashable, Sendable, Codable, CaseIterable {
    /// Automatic scaling. A page that is larger than the paper is scaled with `fill` on borderless paper, and with
    /// `fit` on other paper. Any other page keeps its size.
    case auto
    /// Automatic scaling. A page that is larger than the paper is scaled with `fit`. Any other page keeps its size.
    case autoFit = "auto-fit"
    /// The largest size within the printable area, without cropping.
    case fit
    /// A size that covers the whole paper; content beyond the paper is cropped.
    case fill
    /// The original size, centered on the paper.
    case none
}

extension PrintScaling {
    /// Returns the scaling that is applied to a page: `fit`, `fill` or `none` (PWG 5100.13 §5.2).
    ///
    ///     PrintScaling.auto.settled(isLarger: true, isBorderless: true)        // fill
    ///
    /// - Parameters:
    ///   - isLarger: Whether the page is larger than the paper. The value is also true for every page of a job that
    ///     requires fidelity (`ipp-attribute-fidelity`).
    ///   - isBorderless: Whether the paper has no margins.
    public func settled(isLarger: Bool, isBorderless: Bool) -> PrintScaling {
        switch self {
        case .auto: isLarger ? (isBorderless ? .fill : .fit) : .none
        case .autoFit: isLarger ? .fit : .none
        case .fit, .fill, .none: self
        }
    }
}

/// The color mode (IPP `print-color-mode`, PWG 5100.13 §5.2.4).
public enum ColorMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Printing in color if the document has color and the printer supports color.
    case auto
    case color
    /// Printing in shades of one color, usually gray.
    case monochrome
}

/// The points at which a printer cuts its paper roll (IPP `finishings`, PWG 5100.1 §5.1); the raw values are IPP's.
public enum Trimming: Int, Hashable, Sendable, Codable, CaseIterable {
    /// No cut; the paper is torn off by hand (`none`).
    case never = 3
    /// A cut after each page, so that each piece of paper has the length of its page (`trim-after-pages`).
    case afterPages = 60
    /// A cut after each document of each copy (`trim-after-documents`).
    case afterDocuments = 61
    /// A cut after each copy (`trim-after-copies`).
    case afterCopies = 62
    /// One cut at the end of the job (`trim-after-job`).
    case afterJob = 63

    /// The IPP keyword of the cut, such as `trim-after-pages`.
    public var keyword: String {
        switch self {
        case .never: "none"
        case .afterPages: "trim-after-pages"
        case .afterDocuments: "trim-after-documents"
        case .afterCopies: "trim-after-copies"
        case .afterJob: "trim-after-job"
        }
    }

    /// The value of `CutMedia` in PPD files.
    package var cutMedia: String {
        switch self {
        case .never: "None"
        case .afterPages: "EndOfPage"
        case .afterDocuments: "EndOfDoc"
        case .afterCopies: "EndOfSet"
        case .afterJob: "EndOfJob"
        }
    }
}

/// The print quality (IPP `print-quality`, RFC 8011 §5.2.13).
public enum PrintQuality: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Fast printing with less ink or toner.
    case draft = 3
    case normal = 4
    case high = 5
}

/// The type of the content that is printed (UIKit's `UIPrintInfo.OutputType`).
public enum OutputType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Mixed text and graphics.
    case general
    /// Photos in the best quality, borderless if possible.
    case photo
    /// Text and graphics in black and gray.
    case grayscale
    /// Photos in gray, in the best quality, borderless if possible.
    case photoGrayscale = "photo-grayscale"

    /// Whether the content is a photo, either in color or in gray.
    public var isPhoto: Bool { self == .photo || self == .photoGrayscale }

    /// The color mode for this type of content.
    public var colorMode: ColorMode { self == .grayscale || self == .photoGrayscale ? .monochrome : .auto }
}

/// The layout of several pages on one side of a sheet (IPP `number-up`, RFC 8011 §5.2.9).
public struct NumberUp: Hashable, Sendable, Codable {
    /// The number of pages on a side.
    public let count: Int
    /// The order in which the cells of a side are filled.
    public var layout: Layout
    /// The lines around each page (CUPS `page-border`).
    public var border: PageBorder

    /// The supported numbers of pages on a side.
    public static let supportedCounts = [1, 2, 4, 6, 9, 16]

    /// A layout with one page on each side.
    public static let one = NumberUp(count: 1)

    /// The order in which cells are filled (IPP `presentation-direction-number-up`, PWG 5100.3 §3.17).
    public enum Layout: String, Hashable, Sendable, Codable, CaseIterable {
        /// Columns from left to right, each filled downwards.
        case toBottomToRight = "tobottom-toright"
        /// Columns from right to left, each filled downwards.
        case toBottomToLeft = "tobottom-toleft"
        /// Columns from left to right, each filled upwards.
        case toTopToRight = "totop-toright"
        /// Columns from right to left, each filled upwards.
        case toTopToLeft = "totop-toleft"
        /// Rows from top to bottom, each filled to the right, which is the reading order of English.
        case toRightToBottom = "toright-tobottom"
        /// Rows from bottom to top, each filled to the right.
        case toRightToTop = "toright-totop"
        /// Rows from top to bottom, each filled to the left.
        case toLeftToBottom = "toleft-tobottom"
        /// Rows from bottom to top, each filled to the left.
        case toLeftToTop = "toleft-totop"
    }

    /// Creates a layout of `count` pages on each side.
    ///
    /// A count that is not in `supportedCounts` is a programming error.
    public init(count: Int, layout: Layout = .toRightToBottom, border: PageBorder = .none) {
        precondition(Self.supportedCounts.contains(count), "number-up of \(count) is not supported")
        (self.count, self.layout, self.border) = (count, layout, border)
    }

    /// Decodes a layout.
    ///
    /// A count that is not in `supportedCounts` is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.decode(Int.self, forKey: .count)
        guard Self.supportedCounts.contains(count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .count, in: container,
                debugDescription: "number-up of \(count) is not supported; choose one of \(Self.supportedCounts)")
        }
        // Older versions of printq stored whether there is a thin line.
        let isBordered = try? container.decode(Bool.self, forKey: .border)
        self.init(
            count: count, layout: try container.decode(Layout.self, forKey: .layout),
            border: try isBordered.map { $0 ? .single : .none }
                ?? container.decode(PageBorder.self, forKey: .border))
    }
}

/// The order in which pages are printed (the first part of IPP `page-delivery`, PWG 5100.3 §3.15; CUPS `outputorder`).
public enum PageOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// The order that starts with the first page.
    case normal = "same-order"
    /// The order that starts with the last page.
    case reverse = "reverse-order"
}
