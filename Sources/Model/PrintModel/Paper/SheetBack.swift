// How the backs of two-sided sheets come to a printer that takes pages as pixels.

/// How a printer's paper path turns the backs of its sheets, so that whoever sends it pixels must send them turned against
/// it (PWG 5102.4 §4.1.1, `pwg-raster-document-sheet-back`).
public enum SheetBack: String, Hashable, Sendable, Codable, CaseIterable {
    /// Backs are sent as they are read.
    case normal
    /// Backs are sent mirrored: top to bottom for the long edge, left to right for the short one.
    case flipped
    /// Backs for the long edge are sent turned by 180°.
    case rotated
    /// Backs for the short edge are sent turned by 180°.
    case manualTumble = "manual-tumble"

    /// How a back must be mirrored to be read as it is meant; both ways is a turn by 180°.
    public func mirroring(_ duplex: Duplex) -> (acrossWidth: Bool, acrossHeight: Bool) {
        switch (self, duplex) {
        case (_, .none), (.normal, _), (.rotated, .shortEdge), (.manualTumble, .longEdge): (false, false)
        case (.flipped, .longEdge): (false, true)
        case (.flipped, .shortEdge): (true, false)
        case (.rotated, .longEdge), (.manualTumble, .shortEdge): (true, true)
        }
    }
}
