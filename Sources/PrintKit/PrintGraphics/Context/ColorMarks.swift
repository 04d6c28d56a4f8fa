// The colors of a context that are drawn as markers.

/// The kinds of colors that a context draws as markers (`ColorMarkers`), and the ones that it has drawn.
struct ColorMarks {
    /// Whether colors of ICC profiles are drawn as markers, as in a PDF.
    var keepsProfiles = false
    /// Whether CMYK colors are drawn as markers, as in a PDF without a conformance.
    var keepsInks = false
    /// Whether a CMYK color was drawn.
    private(set) var hasInks = false
    /// The profiles of the colors that were drawn.
    private(set) var profiles: Set<ICCProfile> = []

    /// Notes that a color is drawn, and returns whether it is drawn as a marker.
    mutating func note(_ color: Color) -> Bool {
        guard color.isMarked else { return false }
        if let profile = color.profile {
            if keepsProfiles { profiles.insert(profile) }
            return keepsProfiles
        }
        hasInks = hasInks || keepsInks
        return keepsInks
    }

    /// Notes the colors that another context has drawn for this context.
    mutating func note(_ other: ColorMarks) {
        hasInks = hasInks || other.hasInks
        profiles.formUnion(other.profiles)
    }
}
