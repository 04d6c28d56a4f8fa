// Defines paper with its size and printable area.

/// A paper in a printer: a medium, and the margins that the printer cannot print on (UIKit's `UIPrintPaper`).
///
///     let paper = PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))
///     paper.paperSize        // 595.28 × 841.89 points
///     paper.printableRect    // the paper without its margins; origin at the top left
public struct PrintPaper: Hashable, Sendable, Codable {
    /// The medium with its PWG 5101.1 name and size.
    public var media: Media
    /// The margins that the printer cannot print on (`media-*-margin` of `media-col`, PWG 5100.7).
    public var margins: Margins
    /// The type of paper, an IPP `media-type` keyword such as `stationery` or `photographic-glossy`; nil if
    /// unspecified.
    public var type: String?

    /// Creates a paper from a medium and its margins.
    public init(media: Media, margins: Margins = .zero, type: String? = nil) {
        (self.media, self.margins, self.type) = (media, margins, type)
    }

    /// The size of the whole paper, in points.
    public var paperSize: Size { Size(width: media.width.points, height: media.height.points) }

    /// The printable area in points, with the origin at the top left.
    ///
    /// If the margins cover the whole paper, the area is an empty rectangle within the paper.
    public var printableRect: Rect {
        let size = paperSize
        return Rect(
            x: min(margins.left.points, size.width), y: min(margins.top.points, size.height),
            width: max(0, size.width - margins.left.points - margins.right.points),
            height: max(0, size.height - margins.top.points - margins.bottom.points))
    }

    /// Whether the printer can print on the whole paper.
    public var isBorderless: Bool { margins == .zero }
}

/// The widths of the four margins that a printer cannot print on.
public struct Margins: Hashable, Sendable, Codable {
    /// The width of each margin, in hundredths of a millimeter.
    public var top, left, bottom, right: Length

    /// Margins of zero width: borderless paper.
    public static let zero = Margins.all(.zero)

    /// Returns margins that have the same width at all edges.
    public static func all(_ length: Length) -> Margins {
        Margins(top: length, left: length, bottom: length, right: length)
    }

    /// The width of the widest margin.
    package var widest: Length { max(top, left, bottom, right) }

    /// Creates margins from their widths at the four edges.
    public init(top: Length, left: Length, bottom: Length, right: Length) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}
