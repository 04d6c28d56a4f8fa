// Pages that one of the independent programs draws wrong.

extension Oracle {
    /// Pages of the corpus that the program draws wrong, wherever they lie.
    var faultyPages: Set<String> {
        switch self {
        // It takes the luminosity of a mask in gray through a color profile when the page is no transparency group.
        case .ghostscript:
            [
                "a soft mask of luminosity", "a soft mask with a transfer function",
                "a soft mask in a form that is scaled",
            ]
        // Splash ignores that groups knock out, gets the hue of a blend mode wrong, and loses the matrix of a pattern inside
        // of a pattern.
        case .pdftoppm:
            [
                "a knockout group of transparent squares", "a knockout group of squares that blend",
                "an isolated knockout group of transparent squares", "an isolated knockout group of squares that blend",
                "blend mode Hue on the page", "a tiling pattern in a tiling pattern",
            ]
        }
    }

    /// Pages of the corpus that the program draws otherwise when they are part of a sheet, although the PDF is right.
    var unstablePages: Set<String> {
        switch self {
        // The sheet is no transparency group, so that the profile is used; see above.
        case .ghostscript: ["a soft mask of luminosity on a page that is a group"]
        case .pdftoppm: ["a tiling pattern in a tiling pattern"]
        }
    }
}
