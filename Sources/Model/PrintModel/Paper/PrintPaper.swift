// A sheet of paper in a printer: its size and what of it can be printed on.

/// A paper that a printer has: a medium and the margins the printer cannot print on (UIKit's `UIPrintPaper`).
///
///     let paper = PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))
///     paper.paperSize        // 595.28 × 841.89 points
///     paper.printableRect    // that, less the margins; origin top left
public struct PrintPaper: Hashable, Sendable, Codable {
    /// The medium, by its PWG 5101.1 name and size.
    public var media: Media
    /// The edges that cannot be printed on (`media-*-margin` of `media-col`, PWG 5100.7).
    public var margins: Margins
    /// The kind of paper, an IPP `media-type` keyword such as `stationery` or `photographic-glossy`.
    public var type: String?

    /// A paper of the given medium and margins.
    public init(media: Media, margins: Margins = .zero, type: String? = nil) {
        self.media = media
        self.margins = margins
        self.type = type
    }

    /// The size of the whole paper, in points.
    public var paperSize: Size { Size(width: media.width.points, height: media.height.points) }

    /// The part that can be printed on, in points, origin top left; empty, yet on the paper, when the margins leave none.
    public var printableRect: Rect {
        let size = paperSize
        return Rect(
            x: min(margins.left.points, size.width), y: min(margins.top.points, size.height),
            width: max(0, size.width - margins.left.points - margins.right.points),
            height: max(0, size.height - margins.top.points - margins.bottom.points))
    }

    /// Whether the whole paper can be printed on.
    public var isBorderless: Bool { margins == .zero }
}

/// The widths of the four edges that a printer cannot print on.
public struct Margins: Hashable, Sendable, Codable {
    /// The edges' widths, in hundredths of a millimetre.
    public var top, left, bottom, right: Length

    /// No margin: borderless.
    public static let zero = Margins.all(.zero)

    /// The same margin on every edge.
    public static func all(_ length: Length) -> Margins {
        Margins(top: length, left: length, bottom: length, right: length)
    }

    /// Margins by edge.
    public init(top: Length, left: Length, bottom: Length, right: Length) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}
