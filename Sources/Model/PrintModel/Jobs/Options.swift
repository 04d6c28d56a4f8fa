// The print options a person chooses, each with IPP's own words.

/// On which sides of the sheets to print (IPP `sides`, RFC 8011 §5.2.8; UIKit's `UIPrintInfo.Duplex`).
public enum Duplex: String, Hashable, Sendable, Codable, CaseIterable {
    /// On the front of each sheet only.
    case none = "one-sided"
    /// On both sides, turned over the long edge like a book.
    case longEdge = "two-sided-long-edge"
    /// On both sides, turned over the short edge like a calendar.
    case shortEdge = "two-sided-short-edge"
}

/// How the content lies on the paper (IPP `orientation-requested`, RFC 8011 §5.2.10).
public enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Upright.
    case portrait = 3
    /// Turned 90° counter-clockwise.
    case landscape = 4
    /// Turned 90° clockwise.
    case reverseLandscape = 5
    /// Turned 180°.
    case reversePortrait = 6

    /// IPP's word for it: `reverse-landscape`.
    public var keyword: String {
        switch self {
        case .portrait: "portrait"
        case .landscape: "landscape"
        case .reverseLandscape: "reverse-landscape"
        case .reversePortrait: "reverse-portrait"
        }
    }
}

/// How a page is fitted onto the paper (IPP `print-scaling`, PWG 5100.13 §5.2).
///
/// `settled(isLarger:isBorderless:)` resolves `auto` and `auto-fit` for a page. Pages that share a side (`number-up`) are
/// fitted into their cells under `auto`.
public enum PrintScaling: String, Hashable, Sendable, Codable, CaseIterable {
    /// A page that is larger than the paper as `fit`, on borderless paper as `fill`; any other page as `none`.
    case auto
    /// A page that is larger than the paper as `fit`; any other page as `none`.
    case autoFit = "auto-fit"
    /// As large as the printable area allows, nothing cut.
    case fit
    /// So large that no part of the paper stays empty; what is too much is cut.
    case fill
    /// As it is, centred on the paper.
    case none
}

extension PrintScaling {
    /// Returns what is done to a page: `fit`, `fill` or `none` (PWG 5100.13 §5.2).
    ///
    ///     PrintScaling.auto.settled(isLarger: true, isBorderless: true)        // fill
    ///
    /// - Parameters:
    ///   - isLarger: whether the page is larger than the paper; also true for every page of a client that insists on what
    ///     it asked for (`ipp-attribute-fidelity`).
    ///   - isBorderless: whether the paper has no margins.
    public func settled(isLarger: Bool, isBorderless: Bool) -> PrintScaling {
        switch self {
        case .auto: isLarger ? (isBorderless ? .fill : .fit) : .none
        case .autoFit: isLarger ? .fit : .none
        case .fit, .fill, .none: self
        }
    }
}

/// Colour or not (IPP `print-color-mode`, PWG 5100.13 §5.2.4).
public enum ColorMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// As the document has it and the printer can.
    case auto
    /// In colour.
    case color
    /// In shades of one colour, usually grey.
    case monochrome
}

/// When a printer cuts the paper of its roll (IPP `finishings`, PWG 5100.1 §5.1); the raw values are IPP's.
public enum Trimming: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Never: whoever takes it tears it off (`none`).
    case never = 3
    /// After each page, so that a piece is as long as its page (`trim-after-pages`).
    case afterPages = 60
    /// After each document of each copy (`trim-after-documents`).
    case afterDocuments = 61
    /// After each copy (`trim-after-copies`).
    case afterCopies = 62
    /// Once, at the end (`trim-after-job`).
    case afterJob = 63

    /// IPP's word for it: `trim-after-pages`.
    public var keyword: String {
        switch self {
        case .never: "none"
        case .afterPages: "trim-after-pages"
        case .afterDocuments: "trim-after-documents"
        case .afterCopies: "trim-after-copies"
        case .afterJob: "trim-after-job"
        }
    }
}

/// How good the print should be (IPP `print-quality`, RFC 8011 §5.2.13).
public enum PrintQuality: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Fast and light.
    case draft = 3
    /// As usual.
    case normal = 4
    /// As good as the printer can.
    case high = 5
}

/// What kind of content is printed (UIKit's `UIPrintInfo.OutputType`).
public enum OutputType: String, Hashable, Sendable, Codable, CaseIterable {
    /// Mixed text and graphics.
    case general
    /// Best quality, borderless if possible.
    case photo
    /// Text and graphics in black and grey.
    case grayscale
    /// A photo in grey.
    case photoGrayscale = "photo-grayscale"

    /// Whether a photo is printed, in colour or grey.
    public var isPhoto: Bool { self == .photo || self == .photoGrayscale }

    /// The colour mode the kind asks for.
    public var colorMode: ColorMode { self == .grayscale || self == .photoGrayscale ? .monochrome : .auto }
}

/// How several pages share one side of a sheet (IPP `number-up`, RFC 8011 §5.2.9).
public struct NumberUp: Hashable, Sendable, Codable {
    /// How many pages a side takes.
    public let count: Int
    /// The order in which the cells of a side are filled.
    public var layout: Layout
    /// Whether a thin line is drawn around each page (CUPS `page-border`).
    public var border: Bool

    /// The counts that can be asked for.
    public static let supportedCounts = [1, 2, 4, 6, 9, 16]

    /// One page a side.
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
        /// Rows from top to bottom, each filled to the right, as one reads.
        case toRightToBottom = "toright-tobottom"
        /// Rows from bottom to top, each filled to the right.
        case toRightToTop = "toright-totop"
        /// Rows from top to bottom, each filled to the left.
        case toLeftToBottom = "toleft-tobottom"
        /// Rows from bottom to top, each filled to the left.
        case toLeftToTop = "toleft-totop"
    }

    /// A number-up of `count` pages a side.
    ///
    /// A count that is not in `supportedCounts` is a programming error.
    public init(count: Int, layout: Layout = .toRightToBottom, border: Bool = false) {
        precondition(Self.supportedCounts.contains(count), "number-up of \(count) is not supported")
        self.count = count
        self.layout = layout
        self.border = border
    }

    /// Reads a number-up; a count that is not in `supportedCounts` is a decoding error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.decode(Int.self, forKey: .count)
        guard Self.supportedCounts.contains(count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .count, in: container,
                debugDescription: "number-up of \(count) is not supported; choose one of \(Self.supportedCounts)")
        }
        self.init(
            count: count, layout: try container.decode(Layout.self, forKey: .layout),
            border: try container.decode(Bool.self, forKey: .border))
    }
}

/// In which order the pages are printed (the beginning of IPP `page-delivery`, PWG 5100.3 §3.15; CUPS `outputorder`).
public enum PageOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// First page first.
    case normal = "same-order"
    /// Last page first.
    case reverse = "reverse-order"
}
