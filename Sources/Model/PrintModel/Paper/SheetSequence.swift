// Assigns pages to the sides of sheets.

/// The sides of a print job, in the order in which they are printed.
///
/// Identical sides are stored once in `sides` and repeated in `order`, so that copies need little memory.
///
///     let sequence = SheetSequence(pages: [[1, 2, 3]], imposition: Imposition(paper: paper, duplex: .longEdge))
///     sequence.order     // [0, 1, 2, nil]: the back of the second sheet is blank
public struct SheetSequence: Hashable, Sendable {
    /// The pages on one side of a sheet.
    public struct Side: Hashable, Sendable {
        /// The index of the document.
        public let document: Int
        /// The pages, counted from 1, in the order of the cells.
        public let pages: ArraySlice<Int>
    }

    /// The distinct sides.
    public let sides: [Side]
    /// The indices into `sides` in print order; nil for a blank side.
    public let order: [Int?]
    /// The number of sheets.
    public let sheets: Int
    /// The sheets of one copy that have a blank back, counted from 0 in page order.
    public let blankBacks: [Int]

    /// Lays out the selected pages of each document.
    ///
    /// Each copy of each document starts on a new sheet. In reverse order, the last sheet comes first, so that a stack
    /// printed face up is in order. The front and the back of a sheet are never swapped. Sheets before
    /// `firstImpression` are omitted.
    ///
    /// - Parameter pages: The selected pages of each document, counted from 1.
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

    /// Returns the number of sides without laying out the pages; `pages` are the numbers of pages of each document.
    ///
    /// - Returns: The number of sides; nil on overflow.
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

    /// Returns the sheets of all copies in print order.
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
