// When a roll is cut, and what falls into the bin.

package import PrintModel

/// When a printer cuts the paper of its roll (IPP `finishings`, PWG 5100.1 §5.1).
package enum RollCut: String, Hashable, Sendable, Codable, CaseIterable {
    /// Never: whoever takes it tears it off.
    case never = "none"
    /// After each page, so that a piece is as long as its page.
    case afterPages = "trim-after-pages"
    /// After each document of each copy.
    case afterDocuments = "trim-after-documents"
    /// After each copy; of copies that are not in sets, after those of each page.
    case afterCopies = "trim-after-copies"
    /// Once, at the end.
    case afterJob = "trim-after-job"

    /// IPP's number for it.
    package var finishing: Int32 {
        switch self {
        case .never: 3
        case .afterPages: 60
        case .afterDocuments: 61
        case .afterCopies: 62
        case .afterJob: 63
        }
    }

    /// Whether it is cut after a side that ends a sheet.
    ///
    /// - Parameter isLast: whether it is the job's last side.
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

/// A piece of a roll that has come out.
package struct RollPiece: Hashable, Sendable, Codable {
    /// How long it is, in hundredths of a millimetre.
    package var length: Length
    /// The pages on it.
    package var pages: Int
    /// Whether the printer cut it off; else it still hangs there.
    package var isCut: Bool

    /// A piece.
    package init(length: Length, pages: Int, isCut: Bool) {
        (self.length, self.pages, self.isCut) = (length, pages, isCut)
    }
}

extension [RollPiece] {
    /// A page comes out, and hangs together with those that were not cut off before it.
    mutating func comeOut(_ paper: PrintPaper) {
        if let last, !last.isCut {
            self[count - 1].length = last.length + paper.media.height
            self[count - 1].pages += 1
        } else {
            append(RollPiece(length: paper.media.height, pages: 1, isCut: false))
        }
    }

    /// What hangs there is cut off.
    mutating func cut() { if !isEmpty { self[count - 1].isCut = true } }
}
