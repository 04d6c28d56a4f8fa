// Lists the pages that printq's renderer draws incorrectly.

/// The pages that poppler's cairo backend cannot draw correctly.
///
/// If a listed page is drawn correctly, the tests fail, and the page must be removed from the list.
enum RendererFault {
    /// The pages of the corpus whose page images and raster data are incorrect in every layout.
    ///
    /// The cairo backend treats every transparency group as isolated, and ignores knockout groups.
    static let pages: Set<String> = [
        "a group of squares that blend", "a knockout group of squares that blend",
        "an isolated knockout group of squares that blend",
    ]

    /// The pages of the corpus on which Ghostscript blends gray colors.
    ///
    /// printq blends the original colors and converts the result to gray, so the results of blend modes differ.
    static let blendedInGray: Set<String> = [
        "blend mode Overlay on the page", "blend mode Darken on the page", "blend mode ColorDodge on the page",
        "blend mode ColorBurn on the page", "blend mode Difference on the page", "blend mode Hue on the page",
        "blend mode Color on the page", "an isolated group of squares that blend",
        "a soft mask on a group that multiplies",
    ]
}
