// Pages that our renderer draws wrong.

/// What poppler's cairo backend cannot draw.
///
/// A page leaves the list when it is drawn right: the tests fail as soon as a page of the list is.
enum RendererFault {
    /// Pages of the corpus whose images and raster data are wrong, in any layout.
    ///
    /// The cairo backend treats every group as isolated and none as a knockout group, and draws the glyphs of a Type 3 font
    /// that have colors in black.
    static let pages: Set<String> = [
        "a group of squares that blend", "a knockout group of squares that blend",
        "an isolated knockout group of squares that blend", "a Type 3 font that has colors",
    ]

    /// Pages of the corpus that Ghostscript blends in gray when it makes gray images, while our images become gray when they
    /// are drawn: the colors of blend modes differ then.
    static let blendedInGray: Set<String> = [
        "blend mode Overlay on the page", "blend mode Darken on the page", "blend mode ColorDodge on the page",
        "blend mode ColorBurn on the page", "blend mode Difference on the page", "blend mode Hue on the page",
        "blend mode Color on the page", "an isolated group of squares that blend",
        "a soft mask on a group that multiplies",
    ]
}
