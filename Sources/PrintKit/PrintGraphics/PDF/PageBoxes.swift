// The boxes of a PDF page.

/// The boxes of a page, in points from the page's upper left corner (ISO 32000-1 §14.11.2).
///
/// Y grows downwards, as in drawing.
public struct PageBoxes: Hashable, Sendable {
    /// The part that PDF readers show; `nil` for the whole page.
    public var crop: Rect?
    /// The part that is printed before the paper is cut.
    public var bleed: Rect?
    /// The page after the paper is cut.
    public var trim: Rect?
    /// The meaningful content of the page.
    public var art: Rect?

    /// Creates boxes.
    ///
    /// Boxes that are `nil` are equal to the page.
    public init(crop: Rect? = nil, bleed: Rect? = nil, trim: Rect? = nil, art: Rect? = nil) {
        (self.crop, self.bleed, self.trim, self.art) = (crop, bleed, trim, art)
    }

    var isEmpty: Bool { self == PageBoxes() }
}
