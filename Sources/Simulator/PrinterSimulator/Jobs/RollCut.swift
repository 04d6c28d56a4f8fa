// Decides when a roll is cut, and records the pieces.

package import PrintModel

/// The points at which a printer cuts the paper of its roll (IPP `finishings`, PWG 5100.1 §5.1).
package enum RollCut: String, Hashable, Sendable, Codable, CaseIterable {
    /// The paper is never cut; the user tears it off.
    case never = "none"
    /// The paper is cut after each page, so that a piece is as long as its page.
    case afterPages = "trim-after-pages"
    /// The paper is cut after each document of each copy.
    case afterDocuments = "trim-after-documents"
    /// The paper is cut after each copy.
    ///
    /// Copies that are not collated are cut after the copies of each page.
    case afterCopies = "trim-after-copies"
    /// The paper is cut once, at the end of the job.
    case afterJob = "trim-after-job"

    /// The IPP enum value.
    package var finishing: Int32 {
        switch self {
        case .never: 3
        case .afterPages: 60
        case .afterDocuments: 61
        case .afterCopies: 62
        case .afterJob: 63
        }
    }

    /// Returns whether the paper is cut after a side that ends a sheet.
    ///
    /// - Parameter isLast: Whether the side is the job's last side.
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

/// A printed piece of a roll.
package struct RollPiece: Hashable, Sendable, Codable {
    /// The length of the piece, in hundredths of a millimeter.
    package var length: Length
    /// The number of pages on the piece.
    package var pages: Int
    /// Whether the piece is cut off.
    ///
    /// Otherwise it is still attached to the roll.
    package var isCut: Bool

    /// Creates a piece.
    package init(length: Length, pages: Int, isCut: Bool) {
        (self.length, self.pages, self.isCut) = (length, pages, isCut)
    }
}

extension [RollPiece] {
    /// Adds a page.
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

    /// Cuts off the last piece.
    mutating func cut() { if !isEmpty { self[count - 1].isCut = true } }
}
