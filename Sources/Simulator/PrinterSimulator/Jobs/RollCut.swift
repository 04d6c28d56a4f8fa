// Decides when a roll is cut, and records the pieces.

package import PrintModel

/// The points at which a printer cuts the paper of its roll (IPP `finishings`, PWG 5100.1 §5.1).
package enum RollCut: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user tears the paper off.
    case never = "none"
    /// A cut after each page, so that each piece has the length of one page.
    case afterPages = "trim-after-pages"
    case afterDocuments = "trim-after-documents"
    /// For uncollated copies, the printer cuts the paper after the last copy of each page.
    case afterCopies = "trim-after-copies"
    case afterJob = "trim-after-job"

    /// The IPP enum value of `finishings`.
    package var finishing: Int32 {
        switch self {
        case .never: 3
        case .afterPages: 60
        case .afterDocuments: 61
        case .afterCopies: 62
        case .afterJob: 63
        }
    }

    /// Returns whether the printer cuts the paper after the given side, which is the last side of its sheet.
    func isDue(after side: SideSequence.Side, isLast: Bool) -> Bool {
        switch self {
        case .never: false
        case .afterPages: true
        case .afterDocuments: side.closesDocument
        case .afterCopies: side.closesCopy
        case .afterJob: isLast
        }
    }
}

package struct RollPiece: Hashable, Sendable, Codable {
    /// The length of the piece, in hundredths of a millimeter.
    package var length: Length
    package var pages: Int
    /// If false, the piece is still attached to the roll.
    package var isCut: Bool

    package init(length: Length, pages: Int, isCut: Bool) {
        (self.length, self.pages, self.isCut) = (length, pages, isCut)
    }
}

extension [RollPiece] {
    /// Adds a page to the pieces.
    ///
    /// The page extends the last piece if that piece is not cut off.
    mutating func comeOut(_ paper: PrintPaper) {
        if let last, !last.isCut {
            self[count - 1].length = last.length + paper.media.height
            self[count - 1].pages += 1
        } else {
            append(RollPiece(length: paper.media.height, pages: 1, isCut: false))
        }
    }

    mutating func cut() { if !isEmpty { self[count - 1].isCut = true } }
}
