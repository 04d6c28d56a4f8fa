// Divides one side of a sheet into cells for pages.

import FoundationEssentials

/// One side of a sheet, divided into one cell for each page, and rotated into reading orientation.
///
/// IPP's orientations describe pages along the short edge (portrait) or the long edge (landscape) of the medium (RFC
/// 8011 §5.2.10). Without a requested orientation, the side is rotated so that its pages become as large as possible.
/// For example, a landscape page on portrait paper is rotated. Two portrait pages that share a side are also rotated.
///
/// A side of a booklet has two cells that meet at the fold. A side of a poster has one cell, which shows a part of the
/// page.
///
///     SideLayout(for: imposition, page: Size(width: 595, height: 842)).cells.count     // 2 for number-up 2
public struct SideLayout: Hashable, Sendable {
    /// The number of counterclockwise quarter turns of the content on the paper.
    package let turns: Int
    /// The number of cells in a row.
    ///
    /// For a poster, the number of sheets in a row.
    package let columns: Int
    /// The number of cells in a column.
    ///
    /// For a poster, the number of sheets in a column.
    package let rows: Int
    /// The cells of the side, in the order in which the cells are filled with pages.
    ///
    /// The coordinates are points in reading orientation, with y upwards and the origin at the lower left.
    package let cells: [Rect]

    /// The area of the paper that belongs to each cell, in the coordinates of the cells.
    ///
    /// A single cell has the whole side. Each cell of a booklet has half of the side. In any other layout, the area is
    /// identical to the cell.
    let wholes: [Rect]
    let paper: PrintPaper
    let scaling: PrintScaling
    /// The size of the pages in percent of their original size; nil for `scaling`.
    let scalePercent: Int?
    private let isMirrored: Bool
    /// The poster whose sheets have this layout; nil without a poster.
    package let poster: Poster?

    /// Creates the layout in which pages of a given size become as large as possible.
    ///
    /// - Parameter page: The size of the page as displayed, in points.
    package init(for imposition: Imposition, page: Size) {
        let paper = imposition.paper
        let isLandscape = imposition.orientation.map { $0 == .landscape || $0 == .reverseLandscape } ?? page.isLandscape
        let cell = page.isLandscape == isLandscape ? page : page.turned
        let candidates = Self.candidates(for: imposition, paper: paper, isLandscape: isLandscape)
        // A later candidate must be better by more than a rounding error, so that upright layouts are preferred.
        var best = candidates[0]
        var bestScale = Self.scale(of: cell, best, for: imposition)
        for candidate in candidates.dropFirst() {
            let scale = Self.scale(of: cell, candidate, for: imposition)
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
        self.scalePercent = imposition.scalePercent
        self.isMirrored = imposition.isMirrored ?? false
        self.poster = imposition.booklet == nil ? imposition.poster : nil
        let side = Rect(origin: .zero, size: turns % 2 == 0 ? paper.paperSize : paper.paperSize.turned)
        let area = Self.printableRect(of: paper, turns: turns)
        if imposition.booklet != nil {
            // The cells meet at the fold, and have equal sizes even if the margins differ.
            let half = min(side.midX - area.minX, area.maxX - side.midX)
            self.cells = Self.cells(
                columns: 2, rows: 1, layout: .toRightToBottom,
                in: Rect(x: side.midX - half, y: area.minY, width: half * 2, height: area.height))
            self.wholes = Self.cells(columns: 2, rows: 1, layout: .toRightToBottom, in: side)
        } else if poster != nil {
            self.cells = [area]
            self.wholes = [side]
        } else {
            self.cells = Self.cells(
                columns: best.columns, rows: best.rows, layout: imposition.numberUp.layout, in: area)
            self.wholes = cells.count == 1 ? [side] : cells
        }
    }

    /// The transform from the side in reading orientation to the paper.
    ///
    /// Each of the two coordinate systems has its origin at the lower left.
    var ontoPaper: AffineTransform {
        let turned = AffineTransform.turning(
            turns % 2 == 0 ? paper.paperSize : paper.paperSize.turned, quarters: turns)
        guard isMirrored else { return turned }
        return turned.concatenating(.scale(x: -1, y: 1))
            .concatenating(.translation(x: paper.paperSize.width, y: 0))
    }
}

extension SideLayout {
    private typealias Candidate = (turns: Int, columns: Int, rows: Int)

    private static func candidates(
        for imposition: Imposition, paper: PrintPaper, isLandscape: Bool
    ) -> [Candidate] {
        if imposition.booklet != nil {
            // The fold is in the middle of the long edge, so that the halves of the sheet are upright.
            return [(paper.paperSize.isLandscape ? 0 : 1, 2, 1)]
        }
        if let poster = imposition.poster {
            return [(0, poster.columns, poster.rows), (1, poster.columns, poster.rows)]
        }
        let count = imposition.numberUp.count
        if count == 1, imposition.orientation != nil {
            // A requested orientation applies even if the other orientation would enlarge the page.
            return [(isLandscape == paper.paperSize.isLandscape ? 0 : 1, 1, 1)]
        }
        let grids = (1...count).filter { count % $0 == 0 && max($0, count / $0) <= 2 * min($0, count / $0) }
        return [0, 1].flatMap { turns in grids.map { (turns, $0, count / $0) } }
    }

    private static func scale(of page: Size, _ candidate: Candidate, for imposition: Imposition) -> Double {
        let area = printableRect(of: imposition.paper, turns: candidate.turns).size
        if let poster = imposition.poster {
            let whole = poster.size(onSheets: area)
            return min(whole.width / page.width, whole.height / page.height)
        }
        return min(
            area.width / Double(candidate.columns) / page.width, area.height / Double(candidate.rows) / page.height)
    }

    /// Returns the printable area of the side in reading orientation, with y upwards.
    static func printableRect(of paper: PrintPaper, turns: Int) -> Rect {
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

    /// Returns the row (from the top) and the column (from the left) of the cell at `index` in the filling order.
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
