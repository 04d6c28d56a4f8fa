// The boxes of a PDF page.

/// The boxes of a page, in points from the page's upper left corner (ISO 32000-1 §14.11.2).
///
/// Y grows downwards, as in drawing.
public struct PageBoxes: Hashable, Sendable {
    /// The part of the page that PDF readers show; `nil` means the whole page.
    public var crop: Rect?
    /// The part of the page that is printed before the paper is trimmed.
    public var bleed: Rect?
    /// The part of the page that remains after the paper is trimmed.
    public var trim: Rect?
    /// The part of the page with the meaningful content.
    public var art: Rect?

    /// Creates the boxes of a page.
    ///
    /// Boxes that are `nil` are equal to the page.
    public init(crop: Rect? = nil, bleed: Rect? = nil, trim: Rect? = nil, art: Rect? = nil) {
        (self.crop, self.bleed, self.trim, self.art) = (crop, bleed, trim, art)
    }

    var isEmpty: Bool { self == PageBoxes() }
}
