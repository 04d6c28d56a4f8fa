// Assigns pages to the sides of sheets.

/// The sides of a print job, in the order in which they are printed.
///
/// `sides` contains the sides of one copy. `order` lists the indexes into `sides` in print order; nil is a blank side.
/// Each additional copy adds only indexes, and needs little memory.
///
///     let sequence = SheetSequence(pages: [[1, 2, 3]], imposition: Imposition(paper: paper, duplex: .longEdge))
///     sequence.order     // [0, 1, 2, nil]: the back of the second sheet is blank
public struct SheetSequence: Hashable, Sendable {
    /// A page, or the part of a page that is printed on one sheet of a poster.
    public struct Place: Hashable, Sendable {
        package let document: Int
        /// The page number in the document, counted from 1.
        package let page: Int
        /// The sheet of the poster, counted from 0, row by row from the upper left, or the piece of the roll, counted
        /// from 0 at the beginning of the page; otherwise 0.
        package let tile: Int
    }

    /// The pages on one side of a sheet.
    public struct Side: Hashable, Sendable {
        /// The pages in the order of the cells; nil for a blank half of a booklet's sheet.
        ///
        /// At least one element is not nil, unless the side is a cover sheet.
        package let places: [Place?]
        /// The cover sheet; nil for a side with pages.
        package var cover: CoverSheet?
    }

    /// The sides of one copy, without blank sides.
    package let sides: [Side]
    /// The indexes into `sides` for all copies, in print order; nil for a blank side.
    package let order: [Int?]
    /// The number of sheets to print, over all copies.
    package let sheets: Int
    /// The sheets of one copy that have a blank back, as zero-based positions in page order.
    package let blankBacks: [Int]

    /// Lays out the selected pages of each document.
    ///
    /// Each copy of each document starts on a new sheet. Documents that continue on the same side count as one
    /// document. Cover sheets precede and follow all copies. Sheets before `firstImpression` are omitted.
    ///
    /// In reverse order, the last sheet is printed first. A stack of sheets that is printed face up then has the
    /// correct order. The front and the back of a sheet are never swapped.
    ///
    /// - Parameters:
    ///   - pages: The selected pages of each document, counted from 1.
    ///   - pieces: The pieces of a roll on which the pages are printed; nil if each page has one piece of paper.
    package init(pages: [[Int]], imposition: Imposition, on pieces: RollPieces? = nil) {
        let sidesPerSheet = imposition.duplex == .none ? 1 : 2
        let layout = Layout(imposition)
        var sides: [Side] = []
        var sheets: [Sheet] = []
        func index(of side: Side?) -> Int? {
            guard let side else { return nil }
            sides.append(side)
            return sides.count - 1
        }
        for run in Self.runs(of: pages, imposition, pieces) {
            let runSides = layout.sides(of: run)
            for start in stride(from: 0, to: runSides.count, by: sidesPerSheet) {
                let front = index(of: runSides[start])
                let next = start + 1
                let hasBack = sidesPerSheet == 2 && next < runSides.count
                sheets.append(Sheet(front: front, back: hasBack ? index(of: runSides[next]) : nil))
            }
        }
        self.blankBacks = sidesPerSheet == 1 ? [] : sheets.indices.filter { sheets[$0].back == nil }
        func cover(_ kind: CoverSheet?) -> [Sheet] {
            kind.map { [Sheet(front: index(of: Side(places: [], cover: $0)))] } ?? []
        }
        let covers = imposition.coverSheets
        let whole = cover(covers?.start) + Self.copies(of: sheets, imposition: imposition) + cover(covers?.end)
        let printed = (imposition.pageOrder == .reverse ? whole.reversed() : whole)
            .dropFirst(imposition.resumePoint.sheetsBefore)
        self.sides = sides
        self.sheets = printed.count
        self.order = sidesPerSheet == 1 ? printed.map(\.front) : printed.flatMap { [$0.front, $0.back] }
    }

    /// Returns the number of sides without laying out the pages.
    ///
    /// `pages` contains the number of pages of each document.
    ///
    /// - Returns: The number of sides; nil on overflow.
    package static func sideCount(pages: [Int], imposition: Imposition) -> Int? {
        let sidesPerSheet = imposition.duplex == .none ? 1 : 2
        let runs = imposition.documentJoining == .sameSide ? [pages.reduce(0, +)] : pages
        let layout = Layout(imposition)
        let sheets = runs.reduce(0) { $0 + (layout.sideCount(ofPages: $1) + sidesPerSheet - 1) / sidesPerSheet }
        let (sides, overflow) = (sheets * sidesPerSheet).multipliedReportingOverflow(by: max(1, imposition.copies))
        return overflow ? nil : sides + (imposition.coverSheets?.count ?? 0) * sidesPerSheet
    }

    private struct Sheet {
        var front: Int?
        var back: Int?
    }

    /// Returns the groups of pages that are laid out together.
    ///
    /// Each group starts on a new sheet.
    private static func runs(of pages: [[Int]], _ imposition: Imposition, _ pieces: RollPieces?) -> [[Place]] {
        let documents = pages.enumerated().map { document, pages in
            pages.enumerated().flatMap { index, page in
                (0..<(pieces?.counts[document][index] ?? 1)).map { Place(document: document, page: page, tile: $0) }
            }
        }
        return imposition.documentJoining == .sameSide ? [documents.flatMap { $0 }] : documents
    }

    private static func copies(of sheets: [Sheet], imposition: Imposition) -> [Sheet] {
        let copies = max(1, imposition.copies)
        if copies == 1 { return sheets }
        // RFC 8011 §5.2.4, separate-documents-collated-copies and single-document: a, b, a, b.
        if imposition.collated { return (0..<copies).flatMap { _ in sheets } }
        // separate-documents-uncollated-copies: a, a, b, b, sheet by sheet.
        return sheets.flatMap { Array(repeating: $0, count: copies) }
    }
}

extension SheetSequence {
    /// An assignment of pages to sides, for a group of pages that are laid out together.
    private enum Layout {
        case cells(Int)
        case booklet(Booklet)
        case poster(Poster)

        init(_ imposition: Imposition) {
            if let booklet = imposition.booklet {
                self = .booklet(booklet)
            } else if let poster = imposition.poster {
                self = .poster(poster)
            } else {
                self = .cells(imposition.numberUp.count)
            }
        }

        /// Returns the sides on which a group of pages is printed.
        ///
        /// A blank side is nil.
        func sides(of run: [Place]) -> [Side?] {
            switch self {
            case .cells(let count):
                return stride(from: 0, to: run.count, by: count).map { start in
                    Side(places: Array(run[start..<min(start + count, run.count)]))
                }
            case .poster(let poster):
                return run.flatMap { place in
                    (0..<poster.sheets).map {
                        Side(places: [Place(document: place.document, page: place.page, tile: $0)])
                    }
                }
            case .booklet(let booklet):
                return booklet.order(of: run).flatMap { places in
                    let sheet = [Array(places[..<2]), Array(places[2...])].map { half in
                        half.allSatisfy { $0 == nil } ? nil : Side(places: half)
                    }
                    return switch booklet.sides {
                    case .both: sheet
                    case .front: [sheet[0]]
                    case .back: [sheet[1]]
                    }
                }
            }
        }

        func sideCount(ofPages count: Int) -> Int {
            switch self {
            case .cells(let cells): (count + cells - 1) / cells
            case .poster(let poster): count * poster.sheets
            case .booklet(let booklet): (count + 3) / 4 * (booklet.sides == .both ? 2 : 1)
            }
        }
    }
}
