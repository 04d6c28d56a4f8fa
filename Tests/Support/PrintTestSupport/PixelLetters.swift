// Compares pixels with pictures made of letters.

import Testing

/// An image that tests can examine.
public protocol PixelSheet {
    /// The width in pixels.
    var width: Int { get }
    /// The height in pixels.
    var height: Int { get }
    /// Returns the color of a pixel; `y` counts down from the top.
    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)
}

// Each pixel is mapped to the nearest of these colors.
private let palette: [(letter: Character, red: Int, green: Int, blue: Int)] = [
    ("_", 255, 255, 255), ("K", 0, 0, 0),
    ("R", 255, 0, 0), ("G", 0, 255, 0), ("B", 0, 0, 255),
    ("C", 0, 255, 255), ("M", 255, 0, 255), ("Y", 255, 255, 0),
    ("D", 64, 64, 64), ("A", 128, 128, 128), ("L", 192, 192, 192),
]

/// Expects that a sheet matches a picture made of letters; each letter describes one cell of the sheet.
///
/// `_` white, `K` black, `R` red, `G` green, `B` blue, `C` cyan, `M` magenta, `Y` yellow, `D` dark gray, `A` gray,
/// `L` light gray: the color nearest to most pixels of the cell. `#`: at least one pixel of ink in any color (text).
/// `.`: any content. Spaces around lines are ignored.
///
///     expectPixels(sheet, """
///         ____________
///         _RRRR__BBBB_
///         ____________
///         """)
public func expectPixels(
    _ sheet: some PixelSheet, _ expected: String,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let wanted = expected.split(whereSeparator: \.isNewline).map { line in line.filter { !$0.isWhitespace } }
    guard let columns = wanted.first?.count, columns > 0, wanted.allSatisfy({ $0.count == columns }) else {
        Issue.record("the expected picture needs lines of equal length:\n\(expected)", sourceLocation: location)
        return
    }
    guard sheet.width >= columns, sheet.height >= wanted.count else {
        Issue.record(
            "a sheet of \(sheet.width) × \(sheet.height) pixels has no \(columns) × \(wanted.count) cells",
            sourceLocation: location)
        return
    }
    let seen = pixelLetters(of: sheet, columns: columns, rows: wanted.count, wanted: wanted)
    if seen != wanted {
        Issue.record(
            "expected\n\(wanted.joined(separator: "\n"))\nbut saw\n\(seen.joined(separator: "\n"))",
            sourceLocation: location)
    }
}

/// Returns a sheet as letters, one line for each row; use this function to write the expectation of a new test.
public func pixelLetters(of sheet: some PixelSheet, columns: Int, rows: Int) -> String {
    pixelLetters(of: sheet, columns: columns, rows: rows, wanted: nil).joined(separator: "\n")
}

/// Returns the letters of a sheet's cells; uses `#` and `.` from the expected picture where they match.
private func pixelLetters(of sheet: some PixelSheet, columns: Int, rows: Int, wanted: [String]?) -> [String] {
    (0..<rows).map { row in
        let ys = row * sheet.height / rows..<(row + 1) * sheet.height / rows
        let wantedRow = wanted.map { Array($0[row]) }
        return String(
            (0..<columns).map { column in
                let xs = column * sheet.width / columns..<(column + 1) * sheet.width / columns
                return cellLetter(of: sheet, xs: xs, ys: ys, wanted: wantedRow?[column])
            })
    }
}

private func cellLetter(of sheet: some PixelSheet, xs: Range<Int>, ys: Range<Int>, wanted: Character?) -> Character {
    if wanted == "." { return "." }
    var counts = [Int](repeating: 0, count: palette.count)
    // Cache the last color, because most pixels equal their neighbor and tests run without optimization.
    var last: (color: (UInt8, UInt8, UInt8), index: Int) = ((255, 255, 255), 0)
    var inked = false
    for y in ys {
        for x in xs {
            let (red, green, blue) = sheet.rgb(x: x, y: y)
            if (red, green, blue) != last.color {
                last = ((red, green, blue), nearest(red: Int(red), green: Int(green), blue: Int(blue)))
            }
            counts[last.index] += 1
            inked = inked || last.color != (255, 255, 255)
        }
    }
    if wanted == "#", inked { return "#" }
    let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
    return palette[most].letter
}

private func nearest(red: Int, green: Int, blue: Int) -> Int {
    func distance(_ index: Int) -> Int {
        let color = palette[index]
        let (r, g, b) = (color.red - red, color.green - green, color.blue - blue)
        return r * r + g * g + b * b
    }
    return palette.indices.min { distance($0) < distance($1) } ?? 0
}
