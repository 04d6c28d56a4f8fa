// Chooses the form of a table for the width of a terminal.

import SpoolerClient

extension TextTable {
    /// The minimum widths of a flexible column and of a column of sentences, in terminal columns.
    ///
    /// These widths apply while the sentences are on the same lines as the other cells.
    private static let (comfortable, comfortableNote) = (12, 24)
    /// The minimum width of a flexible column, in terminal columns.
    ///
    /// This width applies when the sentences are below their rows.
    private static let narrowest = 8
    private static let gap = 2

    /// Returns the form of the table.
    ///
    /// - Parameters:
    ///   - available: The available width in terminal columns; nil for no limit.
    ///   - before: The form of the earlier tables, whose arrangement this table keeps; nil for the first table.
    func form(for available: Int?, after before: Form?) -> Form {
        let natural = columns.indices.map { index in
            rows.map { $0[index].columns }.reduce(before?.widths[index] ?? columns[index].title.columns, max)
        }
        guard let available else { return Form(arrangement: .columns, widths: natural) }
        if before?.arrangement == .list { return Form(arrangement: .list, widths: natural) }
        if before?.arrangement != .notesBelow {
            let floors = columns.indices.map { index in
                let least = columns[index].isNote ? Self.comfortableNote : Self.comfortable
                return columns[index].isFlexible ? floor(of: index, natural[index], least) : natural[index]
            }
            if let widths = shrunk(natural, to: available, floors) {
                return Form(arrangement: .columns, widths: widths)
            }
        }
        let shown = natural.indices.map { columns[$0].isNote ? 0 : natural[$0] }
        let notes = columns.count { $0.isNote }
        let room = available + Self.gap * notes
        // Flexible columns shrink first, then other columns of text.
        let flexible = columns.indices.map { index in
            columns[index].isFlexible && !columns[index].isNote
                ? floor(of: index, natural[index], Self.narrowest) : shown[index]
        }
        let all = columns.indices.map { index in
            if columns[index].isNote || columns[index].isRight { return shown[index] }
            return columns[index].isFlexible ? flexible[index] : floor(of: index, natural[index], longestPiece(index))
        }
        if let widths = shrunk(shown, to: room, flexible) ?? shrunk(shown, to: room, all) {
            return Form(arrangement: notes > 0 ? .notesBelow : .columns, widths: widths)
        }
        // Later tables keep their columns: a list below columns would be confusing.
        if before != nil { return Form(arrangement: before?.arrangement ?? .columns, widths: all) }
        return Form(arrangement: .list, widths: natural)
    }

    private func floor(of index: Int, _ natural: Int, _ least: Int) -> Int {
        min(natural, max(least, columns[index].title.columns))
    }

    /// Returns the width, in terminal columns, of the longest piece of text in a table column.
    ///
    /// If the column has at least this width, no piece (`pieces`) is divided between lines.
    private func longestPiece(_ index: Int) -> Int {
        rows.flatMap { $0[index].pieces }.map(\.trimmedColumns).max() ?? 0
    }

    /// Returns the column widths at which the table fits the available width.
    ///
    /// The widest columns shrink first, one step at a time.
    ///
    /// The result is nil if even the minimum widths are too wide.
    private func shrunk(_ widths: [Int], to available: Int, _ floors: [Int]) -> [Int]? {
        var widths = widths
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - available
        while excess > 0 {
            let candidates = widths.indices.filter { widths[$0] > floors[$0] }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}

extension Substring {
    /// The width of the text in terminal columns, without a space at the end of the text.
    fileprivate var trimmedColumns: Int { String(last == " " ? dropLast() : self).columns }
}

extension String {
    /// The pieces of the text.
    ///
    /// A line break is allowed after each piece. A piece ends with a space, a hyphen, a slash or an underscore.
    var pieces: [Substring] {
        var pieces: [Substring] = []
        var start = startIndex
        for index in indices where " -/_".contains(self[index]) {
            let end = self.index(after: index)
            pieces.append(self[start..<end])
            start = end
        }
        if start < endIndex { pieces.append(self[start...]) }
        return pieces
    }

    /// Returns the text as lines of at most `width` columns.
    ///
    /// A word that is wider than a line is divided. An empty text becomes one empty line. Spaces are removed only at
    /// the ends of lines.
    package func wrapped(to width: Int) -> [String] {
        guard columns > width else { return [self] }
        var lines: [String] = []
        var line = ""
        var used = 0
        func end() {
            lines.append(line.last == " " ? String(line.dropLast()) : line)
            (line, used) = ("", 0)
        }
        for piece in pieces {
            // The space at the end may stand beyond the width.
            if used > 0, used + piece.trimmedColumns > width { end() }
            guard piece.trimmedColumns > width else {
                line += piece
                used += String(piece).columns
                continue
            }
            for character in piece {
                let columns = String(character).columns
                if used > 0, used + columns > width, character != " " { end() }
                line.append(character)
                used += columns
            }
        }
        if !line.isEmpty { end() }
        return lines
    }
}
