// Computes the page of each side of each sheet.

import PrintModel

/// The sides of a job in printing order.
///
/// Each document of each copy starts on a new sheet. With two-sided printing, an odd last page has a blank back. For
/// collated copies, the sequence repeats the set of all documents. For uncollated copies, the sequence contains all
/// copies of a sheet before the next sheet.
///
///     let sides = SideSequence(documents: [3], copies: 2, collated: true, isDuplex: true)
///     sides.map(\.page)      // 1 2 3 nil 1 2 3 nil
struct SideSequence: RandomAccessCollection, Sendable {
    struct Side: Hashable, Sendable {
        /// The number of the page on the side, from 1 across all documents; nil for a blank back.
        var page: Int?
        var opensSheet: Bool
        var closesSheet: Bool
        var closesDocument = false
        /// Whether the sheet completes a copy.
        ///
        /// If copies are collated, the value is true for the last sheet of each copy. Otherwise the value is true for
        /// the last copy of each sheet.
        var closesCopy = false
    }

    let documents: [Int]
    let copies: Int
    let collated: Bool
    let isDuplex: Bool
    var isReversed = false

    private var sheetsPerCopy: Int { documents.map(sheets(of:)).reduce(0, +) }
    private var sidesPerSheet: Int { isDuplex ? 2 : 1 }

    private func sheets(of pages: Int) -> Int { (pages + sidesPerSheet - 1) / sidesPerSheet }

    /// The number of sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }

    /// Returns the indexes, within one copy, of the sheets that have a blank back.
    ///
    /// Indexes count from 0 in page order.
    ///
    /// A back is blank if no page is printed on the back, or if the page is empty.
    func blankBacks(_ pages: [PageImage]) -> [Int] {
        guard isDuplex else { return [] }
        var blankBacks: [Int] = []
        var (sheet, firstPage) = (0, 0)
        for count in documents {
            for back in stride(from: 1, through: count, by: 2) {
                if back == count || pages[firstPage + back].isBlank { blankBacks.append(sheet) }
                sheet += 1
            }
            firstPage += count
        }
        return blankBacks
    }

    var startIndex: Int { 0 }
    var endIndex: Int { sheets * sidesPerSheet }

    subscript(position: Int) -> Side {
        let (place, face) = position.quotientAndRemainder(dividingBy: sidesPerSheet)
        let sheet = isReversed ? sheets - 1 - place : place
        var side = Side(page: nil, opensSheet: face == 0, closesSheet: face == sidesPerSheet - 1)
        var left = collated ? sheet % sheetsPerCopy : sheet
        side.closesCopy = collated ? left == sheetsPerCopy - 1 : left % copies == copies - 1
        var firstPage = 0
        for pages in documents {
            let sheets = sheets(of: pages) * (collated ? 1 : copies)
            if left < sheets {
                let page = (collated ? left : left / copies) * sidesPerSheet + face + 1
                side.page = page <= pages ? firstPage + page : nil
                side.closesDocument = left == sheets - 1
                break
            }
            left -= sheets
            firstPage += pages
        }
        return side
    }
}
