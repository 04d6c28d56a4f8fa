// Which page comes out on which side of which sheet.

/// The sides of a job in the order in which the printer makes them.
///
/// Two-sided, each copy starts on a sheet of its own, and an odd last page has a blank back; page by page (not
/// collated), it is the sheets that are repeated.
///
///     let sides = SideSequence(pages: 3, copies: 2, collated: true, isDuplex: true)
///     sides.map(\.page)      // 1 2 3 nil 1 2 3 nil
struct SideSequence: RandomAccessCollection, Sendable {
    /// One side of a sheet.
    struct Side: Hashable, Sendable {
        /// The document's page on it, from 1; nil for a blank back.
        var page: Int?
        /// Whether the sheet is drawn from the tray for it.
        var opensSheet: Bool
        /// Whether the sheet is put out after it.
        var closesSheet: Bool
    }

    let pages: Int
    let copies: Int
    let collated: Bool
    let isDuplex: Bool

    private var sheetsPerCopy: Int { isDuplex ? (pages + 1) / 2 : pages }
    private var sidesPerSheet: Int { isDuplex ? 2 : 1 }

    /// The sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }

    var startIndex: Int { 0 }
    var endIndex: Int { sheets * sidesPerSheet }

    subscript(position: Int) -> Side {
        let (sheet, side) = position.quotientAndRemainder(dividingBy: sidesPerSheet)
        let sheetOfCopy = collated ? sheet % sheetsPerCopy : sheet / copies
        let page = sheetOfCopy * sidesPerSheet + side + 1
        return Side(
            page: page <= pages ? page : nil, opensSheet: side == 0, closesSheet: side == sidesPerSheet - 1)
    }
}
