// What part of a page is for whom.

/// Rectangles within a page, in points from its upper left corner as all that is drawn (ISO 32000-1 §14.11.2).
public struct PageBoxes: Hashable, Sendable {
    /// What readers show; the whole page if `nil`.
    public var crop: Rect?
    /// What is printed before the paper is cut.
    public var bleed: Rect?
    /// The page once it is cut.
    public var trim: Rect?
    /// What matters of its content.
    public var art: Rect?

    /// The boxes given; the others are the page's own.
    public init(crop: Rect? = nil, bleed: Rect? = nil, trim: Rect? = nil, art: Rect? = nil) {
        (self.crop, self.bleed, self.trim, self.art) = (crop, bleed, trim, art)
    }

    var isEmpty: Bool { self == PageBoxes() }
}
