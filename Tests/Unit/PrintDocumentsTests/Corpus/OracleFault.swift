// Lists the pages that an independent program draws incorrectly.

extension Oracle {
    /// The pages of the corpus that the program draws incorrectly in every layout.
    var faultyPages: Set<String> {
        switch self {
        // If the page is not a transparency group, Ghostscript converts the luminosity of a gray mask with a color
        // profile.
        case .ghostscript:
            [
                "a soft mask of luminosity", "a soft mask with a transfer function",
                "a soft mask in a form that is scaled",
            ]
        // Splash ignores knockout groups, computes the hue of a blend mode incorrectly, and ignores the matrix of a
        // pattern inside a pattern.
        case .pdftoppm:
            [
                "a knockout group of transparent squares", "a knockout group of squares that blend",
                "an isolated knockout group of transparent squares", "an isolated knockout group of squares that blend",
                "blend mode Hue on the page", "a tiling pattern in a tiling pattern",
            ]
        }
    }

    /// The pages of the corpus that the program draws differently on a sheet, although the prepared PDF is correct.
    var unstablePages: Set<String> {
        switch self {
        // The sheet is not a transparency group, so Ghostscript uses the color profile as in `faultyPages`.
        case .ghostscript: ["a soft mask of luminosity on a page that is a group"]
        case .pdftoppm: ["a tiling pattern in a tiling pattern"]
        }
    }
}
