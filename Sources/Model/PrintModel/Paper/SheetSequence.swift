// Which page lands on which side of which sheet.

/// The sides of a print job, in the order in which they are printed.
///
/// Sides that look alike are listed once in `sides` and repeated in `order`, so that copies cost little.
///
///     let sequence = SheetSequence(pages: [[1, 2, 3]], imposition: Imposition(paper: paper, duplex: .longEdge))
///     sequence.order     // [0, 1, 2, nil]: the second sheet's back stays blank
public struct SheetSequence: Hashable, Sendable {
    /// The pages on one side of a sheet.
    public struct Side: Hashable, Sendable {
        /// The index of the document.
        public let document: Int
        /// The pages, counted from 1, in the order of their cells.
        public let pages: ArraySlice<Int>
    }

    /// The different sides.
    public let sides: [Side]
    /// The indices into `sides` as they are printed; nil is a blank side.
    public let order: [Int?]
    /// How many sheets the sides make.
    public let sheets: Int
    /// The sheets of one copy whose back stays blank, counted from 0 in the order of the pages.
    public let blankBacks: [Int]

    /// Lays out the chosen pages of each document.
    ///
    /// Each copy of each document starts on a sheet of its own. Reversed, the last sheet comes first and each keeps its
    /// front and back, so that a stack printed face up comes out in order. Sheets before `firstImpression` are left out.
    ///
    /// - Parameter pages: the chosen pages of each document, counted from 1.
    public init(pages: [[Int]], imposition: Imposition) {
        let perSide = imposition.numberUp.count
        let sidesPerSheet = imposition.duplex == .none ? 1 : 2
        var sides: [Side] = []
        var sheets: [Sheet] = []
        for (document, pages) in pages.enumerated() {
            for start in stride(from: 0, to: pages.count, by: perSide * sidesPerSheet) {
                let front = Side(document: document, pages: pages[start..<min(start + perSide, pages.count)])
                sides.append(front)
                var sheet = Sheet(front: sides.count - 1, back: nil)
                let next = start + perSide
                if sidesPerSheet == 2, next < pages.count {
                    sides.append(Side(document: document, pages: pages[next..<min(next + perSide, pages.count)]))
                    sheet.back = sides.count - 1
                }
                sheets.append(sheet)
            }
        }
        self.blankBacks = sidesPerSheet == 1 ? [] : sheets.indices.filter { sheets[$0].back == nil }
        let printed = Self.copies(of: sheets, imposition: imposition).dropFirst(imposition.resumePoint.sheetsBefore)
        self.sides = sides
        self.sheets = printed.count
        self.order =
            sidesPerSheet == 1
            ? printed.map { .some($0.front) } : printed.flatMap { [.some($0.front), $0.back] }
    }

    /// How many sides an imposition of so many pages of each document makes, without laying them out.
    ///
    /// - Returns: nil when it is more than can be counted.
    public static func sideCount(pages: [Int], imposition: Imposition) -> Int? {
        let sidesPerSheet = imposition.duplex == .none ? 1 : 2
        let perSheet = imposition.numberUp.count * sidesPerSheet
        let sheets = pages.reduce(0) { $0 + ($1 + perSheet - 1) / perSheet }
        let (sides, overflow) = (sheets * sidesPerSheet).multipliedReportingOverflow(by: max(1, imposition.copies))
        return overflow ? nil : sides
    }

    private struct Sheet {
        var front: Int
        var back: Int?
    }

    /// All sheets of all copies, in print order.
    private static func copies(of sheets: [Sheet], imposition: Imposition) -> [Sheet] {
        let copies = max(1, imposition.copies)
        var printed: [Sheet] = []
        if copies == 1 {
            printed = sheets
        } else if imposition.collated {
            // RFC 8011 §5.2.4, separate-documents-collated-copies: a, b, a, b.
            printed = (0..<copies).flatMap { _ in sheets }
        } else {
            // separate-documents-uncollated-copies: a, a, b, b, sheet by sheet.
            printed = sheets.flatMap { Array(repeating: $0, count: copies) }
        }
        return imposition.pageOrder == .reverse ? printed.reversed() : printed
    }
}
