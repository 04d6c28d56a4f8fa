// In which order the sides of copies come out of a printer.

import PrintModel

/// The sides of all copies of some documents as they lie in the output bin, the top one first, counting from 0.
///
/// Each document begins on a sheet of its own. Copies in sets are sets of all documents; else all copies of one document
/// come out before the next (RFC 8011 §5.2.4).
///
/// A printer repeats sheets, not sides: with two sides and copies that are not collated, each sheet comes out with its
/// own back as often as there are copies.
struct SideOrder: Hashable {
    /// The pages of one copy of each document.
    let documents: [Int]
    /// The number of copies.
    let copies: Int
    /// Whether the copies come out in sets.
    let isCollated: Bool
    /// 1, or 2 when each sheet is printed on both sides.
    let sidesPerSheet: Int
    /// Whether the last sheet lies on top.
    let isReversed: Bool

    /// The order that a request asks for, with so many pages of each document chosen.
    init(documents: [Int], of request: RasterizeRequest) {
        self.documents = documents
        copies = request.copies
        isCollated = request.collated
        sidesPerSheet = request.duplex == .none ? 1 : 2
        isReversed = request.isStackReversed
    }

    /// The sheets of one copy.
    var sheetsPerCopy: Int { documents.map(sheets(of:)).reduce(0, +) }
    /// The sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }
    /// The sides of all copies, blank backs included.
    var sides: Int { sheets * sidesPerSheet }

    /// The page on a side; nil on a blank back.
    func page(onSide side: Int) -> Int? {
        let (place, face) = side.quotientAndRemainder(dividingBy: sidesPerSheet)
        let sheet = isReversed ? sheets - 1 - place : place
        var left = isCollated ? sheet % sheetsPerCopy : sheet
        var firstPage = 0
        for pages in documents {
            let sheets = sheets(of: pages) * (isCollated ? 1 : copies)
            if left < sheets {
                let page = (isCollated ? left : left / copies) * sidesPerSheet + face
                return page < pages ? firstPage + page : nil
            }
            left -= sheets
            firstPage += pages
        }
        return nil
    }

    private func sheets(of pages: Int) -> Int { (pages + sidesPerSheet - 1) / sidesPerSheet }
}
