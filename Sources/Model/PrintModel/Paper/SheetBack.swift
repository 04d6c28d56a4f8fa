// Defines the orientation in which printers expect the backs of sheets.

/// The orientation that a printer requires for the backs of two-sided sheets in raster documents (PWG 5102.4 §4.1.1,
/// `pwg-raster-document-sheet-back`).
///
/// The orientation depends on how the printer's paper path turns the sheets.
public enum SheetBack: String, Hashable, Sendable, Codable, CaseIterable {
    /// Backs that have the same reading orientation as the fronts.
    case normal
    /// Mirrored backs. If sheets are turned over the long edge, the mirroring is vertical. If sheets are turned over
    /// the short edge, the mirroring is horizontal.
    case flipped
    /// Backs that are rotated by 180° if sheets are turned over the long edge.
    case rotated
    /// Backs that are rotated by 180° if sheets are turned over the short edge.
    case manualTumble = "manual-tumble"

    /// Returns the directions in which a back must be mirrored for the orientation that the printer requires.
    ///
    /// Mirroring in both directions is a rotation by 180°.
    package func mirroring(_ duplex: Duplex) -> (acrossWidth: Bool, acrossHeight: Bool) {
        switch (self, duplex) {
        case (_, .none), (.normal, _), (.rotated, .shortEdge), (.manualTumble, .longEdge): (false, false)
        case (.flipped, .longEdge): (false, true)
        case (.flipped, .shortEdge): (true, false)
        case (.rotated, .longEdge), (.manualTumble, .shortEdge): (true, true)
        }
    }
}
