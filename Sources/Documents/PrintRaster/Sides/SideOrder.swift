// Computes the order of the sides of all copies.

import PrintModel

/// The order in which the sides of all copies lie in the output bin, with the top side first.
///
/// Indexes start at 0.
///
/// Each document begins on a new sheet. Collated copies are sets of all documents. Without collation, the printer
/// outputs all copies of one document before the next document (RFC 8011 §5.2.4).
///
/// A printer repeats sheets, not sides. For two-sided copies that are not collated, each sheet is repeated together
/// with its back.
struct SideOrder: Hashable {
    /// The number of pages in one copy of each document.
    let documents: [Int]
    /// The number of copies of each document.
    let copies: Int
    /// Whether the copies are collated.
    let isCollated: Bool
    /// The number of sides per sheet: 1 or 2.
    let sidesPerSheet: Int
    /// Whether the last sheet is on top of the stack in the output bin.
    let isReversed: Bool

    /// Creates the order from a request and the number of selected pages of each document.
    init(documents: [Int], of request: RasterizeRequest) {
        self.documents = documents
        copies = request.copies
        isCollated = request.collated
        sidesPerSheet = request.duplex == .none ? 1 : 2
        isReversed = request.isStackReversed
    }

    /// The number of sheets of one copy.
    var sheetsPerCopy: Int { documents.map(sheets(of:)).reduce(0, +) }
    /// The number of sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }
    /// The number of sides of all copies, including blank backs.
    var sides: Int { sheets * sidesPerSheet }

    /// Returns the index of the page on a side, from 0; nil for a blank back.
    ///
    /// The sides of all copies are numbered from 0.
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
