// In which order the sides of copies come out of a printer.

import PrintModel

/// The sides of all copies of a document as they come out, counting from 0.
///
/// A printer repeats sheets, not sides: with two sides and copies that are not collated, each sheet comes out with its
/// own back as often as there are copies.
struct SideOrder: Hashable {
    /// The pages of one copy.
    let pages: Int
    /// The number of copies.
    let copies: Int
    /// Whether the copies come out in sets.
    let isCollated: Bool
    /// 1, or 2 when each sheet is printed on both sides.
    let sidesPerSheet: Int

    /// The order that a request asks for, with `pages` pages chosen.
    init(pages: Int, of request: RasterizeRequest) {
        self.pages = pages
        copies = request.copies
        isCollated = request.collated
        sidesPerSheet = request.duplex == .none ? 1 : 2
    }

    /// The sheets of one copy.
    var sheetsPerCopy: Int { (pages + sidesPerSheet - 1) / sidesPerSheet }
    /// The sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }
    /// The sides of all copies, blank backs included.
    var sides: Int { sheets * sidesPerSheet }

    /// The page on a side; nil on a blank back.
    func page(onSide side: Int) -> Int? {
        let sheet = side / sidesPerSheet
        let sheetOfCopy = isCollated ? sheet % sheetsPerCopy : sheet / copies
        let page = sheetOfCopy * sidesPerSheet + side % sidesPerSheet
        return page < pages ? page : nil
    }
}
