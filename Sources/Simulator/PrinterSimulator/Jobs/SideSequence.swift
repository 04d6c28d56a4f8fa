// Which page comes out on which side of which sheet.

import PrintModel

/// The sides of a job in the order in which the printer makes them.
///
/// Each document of each copy starts on a sheet of its own, and two-sided an odd last page has a blank back. Copies in
/// sets are sets of all documents; else (not collated) it is the sheets that are repeated, one document after the other.
///
///     let sides = SideSequence(documents: [3], copies: 2, collated: true, isDuplex: true)
///     sides.map(\.page)      // 1 2 3 nil 1 2 3 nil
struct SideSequence: RandomAccessCollection, Sendable {
    /// One side of a sheet.
    struct Side: Hashable, Sendable {
        /// The page on it, from 1, counted over all documents; nil for a blank back.
        var page: Int?
        /// Whether the sheet is drawn from the tray for it.
        var opensSheet: Bool
        /// Whether the sheet is put out after it.
        var closesSheet: Bool
        /// Whether a document of a copy ends with its sheet.
        var closesDocument = false
        /// Whether a copy ends with its sheet; not in sets, the copies of a page.
        var closesCopy = false
    }

    /// The pages of each document.
    let documents: [Int]
    let copies: Int
    let collated: Bool
    let isDuplex: Bool
    /// Whether the last sheet is made first.
    var isReversed = false

    private var sheetsPerCopy: Int { documents.map(sheets(of:)).reduce(0, +) }
    private var sidesPerSheet: Int { isDuplex ? 2 : 1 }

    private func sheets(of pages: Int) -> Int { (pages + sidesPerSheet - 1) / sidesPerSheet }

    /// The sheets of all copies.
    var sheets: Int { sheetsPerCopy * copies }

    /// The sheets of a copy whose back stays blank, counted from 0 in the order of the pages: there is no page for the back, or
    /// nothing is on the page.
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
