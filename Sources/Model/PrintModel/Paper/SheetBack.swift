// Defines the orientation in which printers expect the backs of sheets.

/// The orientation in which a printer expects the backs of two-sided sheets in raster documents (PWG 5102.4 §4.1.1,
/// `pwg-raster-document-sheet-back`).
///
/// The orientation depends on how the printer's paper path turns the sheets.
public enum SheetBack: String, Hashable, Sendable, Codable, CaseIterable {
    /// Backs are sent in reading orientation.
    case normal
    /// Backs are sent mirrored: vertically for the long edge, horizontally for the short edge.
    case flipped
    /// Backs are sent rotated by 180° for the long edge.
    case rotated
    /// Backs are sent rotated by 180° for the short edge.
    case manualTumble = "manual-tumble"

    /// Returns the directions in which a back must be mirrored for the correct orientation; both directions mean a
    /// rotation by 180°.
    public func mirroring(_ duplex: Duplex) -> (acrossWidth: Bool, acrossHeight: Bool) {
        switch (self, duplex) {
        case (_, .none), (.normal, _), (.rotated, .shortEdge), (.manualTumble, .longEdge): (false, false)
        case (.flipped, .longEdge): (false, true)
        case (.flipped, .shortEdge): (true, false)
        case (.rotated, .longEdge), (.manualTumble, .shortEdge): (true, true)
        }
    }
}
