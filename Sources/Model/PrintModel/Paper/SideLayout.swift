// Divides one side of a sheet into cells for pages.

import FoundationEssentials

/// One side of a sheet, divided into one cell for each page, and rotated into reading orientation.
///
/// IPP's orientations describe pages along the short edge (portrait) or the long edge (landscape) of the medium (RFC
/// 8011 §5.2.10). Without a requested orientation, the side is rotated so that its pages become as large as possible. A
/// landscape page on portrait paper is rotated, and so are two portrait pages that share a side.
///
///     SideLayout(for: imposition, page: Size(width: 595, height: 842)).cells.count     // 2 for number-up 2
public struct SideLayout: Hashable, Sendable {
    /// The number of counterclockwise quarter turns of the content on the paper.
    public let turns: Int
    /// The number of cells in a row.
    public let columns: Int
    /// The number of cells in a column.
    public let rows: Int
    /// The cells in the order in which pages fill them: in points, y upwards, origin at the lower left in reading
    /// orientation.
    public let cells: [Rect]

    let paper: PrintPaper
    let scaling: PrintScaling

    /// Creates the layout that fits pages of a given size.
    ///
    /// - Parameter page: The size of the page as displayed, in points.
    public init(for imposition: Imposition, page: Size) {
        let paper = imposition.paper
        let isLandscape = imposition.orientation.map { $0 == .landscape || $0 == .reverseLandscape } ?? page.isLandscape
        let cell = page.isLandscape == isLandscape ? page : page.turned
        let candidates = Self.candidates(for: imposition, paper: paper, isLandscape: isLandscape)
        // A later candidate must be better by more than a rounding error, so that upright layouts are preferred.
        var best = candidates[0]
        var bestScale = Self.scale(of: cell, best, on: paper)
        for candidate in candidates.dropFirst() {
            let scale = Self.scale(of: cell, candidate, on: paper)
            if scale > bestScale * 1.01 {
                (best, bestScale) = (candidate, scale)
            }
        }
        let isReverse = imposition.orientation == .reverseLandscape || imposition.orientation == .reversePortrait
        self.turns = best.turns + (isReverse ? 2 : 0)
        self.columns = best.columns
        self.rows = best.rows
        self.paper = paper
        self.scaling = imposition.scaling
        self.cells = Self.cells(
            columns: best.columns, rows: best.rows, layout: imposition.numberUp.layout,
            in: Self.printableRect(of: paper, turns: turns))
    }

    /// The transform from the side in reading orientation to the paper; both have their origin at the lower left.
    var ontoPaper: AffineTransform {
        .turning(turns % 2 == 0 ? paper.paperSize : paper.paperSize.turned, quarters: turns)
    }

    /// The whole side in reading orientation.
    var side: Rect {
        Rect(origin: .zero, size: turns % 2 == 0 ? paper.paperSize : paper.paperSize.turned)
    }
}

extension SideLayout {
    private typealias Candidate = (turns: Int, columns: Int, rows: Int)

    private static func candidates(
        for imposition: Imposition, paper: PrintPaper, isLandscape: Bool
    ) -> [Candidate] {
        let count = imposition.numberUp.count
        if count == 1, imposition.orientation != nil {
            // A requested orientation applies even if the other orientation would enlarge the page.
            return [(isLandscape == paper.paperSize.isLandscape ? 0 : 1, 1, 1)]
        }
        let grids = (1...count).filter { count % $0 == 0 && max($0, count / $0) <= 2 * min($0, count / $0) }
        return [0, 1].flatMap { turns in grids.map { (turns, $0, count / $0) } }
    }

    /// Returns the scaling factor of a page in the cells of a candidate.
    private static func scale(of page: Size, _ candidate: Candidate, on paper: PrintPaper) -> Double {
        let area = printableRect(of: paper, turns: candidate.turns).size
        return min(
            area.width / Double(candidate.columns) / page.width, area.height / Double(candidate.rows) / page.height)
    }

    /// Returns the printable area of the side in reading orientation, with y upwards.
    private static func printableRect(of paper: PrintPaper, turns: Int) -> Rect {
        let (size, rect) = (paper.paperSize, paper.printableRect)
        let upwards = Rect(x: rect.minX, y: size.height - rect.maxY, width: rect.width, height: rect.height)
        return AffineTransform.turning(size, quarters: -turns).apply(to: upwards)
    }

    private static func cells(columns: Int, rows: Int, layout: NumberUp.Layout, in area: Rect) -> [Rect] {
        let width = area.width / Double(columns)
        let height = area.height / Double(rows)
        return (0..<columns * rows).map { index in
            let (row, column) = position(of: index, columns: columns, rows: rows, layout: layout)
            return Rect(
                x: area.minX + Double(column) * width, y: area.maxY - Double(row + 1) * height, width: width,
                height: height)
        }
    }

    /// Returns the row (from the top) and the column (from the left) of the cell that is filled at `index`.
    private static func position(
        of index: Int, columns: Int, rows: Int, layout: NumberUp.Layout
    ) -> (row: Int, column: Int) {
        let byRow = (row: index / columns, column: index % columns)
        let byColumn = (row: index % rows, column: index / rows)
        return switch layout {
        case .toRightToBottom: byRow
        case .toRightToTop: (rows - 1 - byRow.row, byRow.column)
        case .toLeftToBottom: (byRow.row, columns - 1 - byRow.column)
        case .toLeftToTop: (rows - 1 - byRow.row, columns - 1 - byRow.column)
        case .toBottomToRight: byColumn
        case .toBottomToLeft: (byColumn.row, columns - 1 - byColumn.column)
        case .toTopToRight: (rows - 1 - byColumn.row, byColumn.column)
        case .toTopToLeft: (rows - 1 - byColumn.row, columns - 1 - byColumn.column)
        }
    }
}
