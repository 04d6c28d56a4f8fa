// Fits an image into a part of a terminal.

import PageComparison

/// The size of a terminal in character cells, and of each cell in pixels.
public struct TerminalSize: Hashable, Sendable {
    /// The number of columns of the terminal.
    public var columns: Int
    /// The number of rows of the terminal.
    public var rows: Int
    /// The width of a cell in pixels.
    public var cellWidth: Int
    /// The height of a cell in pixels.
    public var cellHeight: Int

    /// Creates the size of a terminal.
    ///
    /// A cell of unknown size has 8 by 16 pixels.
    public init(columns: Int, rows: Int, cellWidth: Int = 8, cellHeight: Int = 16) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        (self.cellWidth, self.cellHeight) = (max(1, cellWidth), max(1, cellHeight))
    }
}

/// An image for a terminal.
public struct TerminalPicture: Hashable, Sendable {
    /// The number of columns that the image occupies.
    public let columns: Int
    /// The number of rows that the image occupies.
    public let rows: Int
    /// The lines of an image that consists of characters, each without a newline; empty for other images.
    public let lines: [String]
    /// The control sequence that shows the image at the cursor; empty for an image that consists of characters.
    public let bytes: [UInt8]

    /// Creates an image from a PNG file, as large as possible within a rectangle of cells.
    ///
    /// - Parameters:
    ///   - room: The size of the rectangle and of its cells.
    ///   - graphics: The protocol with which the terminal shows images.
    /// - Returns: The image; nil if the terminal shows no images, or if the file is not a PNG that can be shown.
    public init?(png path: String, in room: TerminalSize, as graphics: TerminalGraphics) {
        guard let size = TerminalPNG.size(ofFile: path) else { return nil }
        var cells = room
        // A half block has the shape of two square pixels.
        if graphics.isBlocks { (cells.cellWidth, cells.cellHeight) = (1, 2) }
        let pixels = Self.fitted(size, in: cells)
        columns = min(room.columns, (pixels.width - 1) / cells.cellWidth + 1)
        rows = min(room.rows, (pixels.height - 1) / cells.cellHeight + 1)
        switch graphics {
        case .kitty, .iterm:
            guard let file = TerminalPNG.file(path) else { return nil }
            lines = []
            bytes =
                graphics == .kitty
                ? TerminalPNG.kitty(file, columns: columns, rows: rows)
                : TerminalPNG.iterm(file, columns: columns, rows: rows)
        case .sixel:
            guard let image = TerminalPixels.read(path) else { return nil }
            lines = []
            bytes = Sixels.encode(image.reduced(width: pixels.width, height: pixels.height))
        case .trueColorBlocks, .indexedBlocks:
            guard let image = TerminalPixels.read(path) else { return nil }
            let small = image.reduced(width: pixels.width, height: pixels.height)
            lines = HalfBlocks.lines(small, isTrueColor: graphics == .trueColorBlocks)
            bytes = []
        case .none: return nil
        }
    }

    /// Returns the largest size, in pixels, that fits into a rectangle of cells and has the proportions of an image.
    ///
    /// The size is not larger than the image, and at least 1 by 1.
    static func fitted(_ image: (width: Int, height: Int), in room: TerminalSize) -> (width: Int, height: Int) {
        let (wide, high) = (room.columns * room.cellWidth, room.rows * room.cellHeight)
        if image.width <= wide, image.height <= high { return image }
        if image.width * high > image.height * wide {
            return (wide, max(1, image.height * wide / image.width))
        }
        return (max(1, image.width * high / image.height), high)
    }

    /// Returns the control sequences that show the image with its top left cell at a position.
    ///
    /// - Parameters:
    ///   - row: The row, from 1.
    ///   - column: The column, from 1.
    public func placed(row: Int, column: Int) -> [UInt8] {
        guard lines.isEmpty else {
            return lines.enumerated().flatMap { Array("\u{1B}[\(row + $0);\(column)H\($1)".utf8) }
        }
        return Array("\u{1B}[\(row);\(column)H".utf8) + bytes
    }

    /// Returns the control sequences that show images side by side at the cursor.
    ///
    /// Afterwards the cursor is below the images.
    ///
    /// The function emits line ends first, so that the terminal scrolls before the images are drawn.
    ///
    /// - Parameters:
    ///   - pictures: The images. The columns of the images and the gaps must fit into the width of the terminal.
    ///   - gap: The number of columns between the images.
    public static func row(of pictures: [TerminalPicture], gap: Int) -> [UInt8] {
        guard let rows = pictures.map(\.rows).max() else { return [] }
        var output = Array((String(repeating: "\r\n", count: rows) + "\u{1B}[\(rows)A").utf8)
        var column = 1
        for picture in pictures {
            // Save and restore the cursor, because terminals differ in where an image leaves it.
            output += Array("\u{1B}7".utf8)
            if picture.lines.isEmpty {
                output += Array("\u{1B}[\(column)G".utf8) + picture.bytes
            } else {
                for (index, line) in picture.lines.enumerated() {
                    output += Array("\(index > 0 ? "\u{1B}[1B" : "")\u{1B}[\(column)G\(line)".utf8)
                }
            }
            output += Array("\u{1B}8".utf8)
            column += picture.columns + gap
        }
        return output + Array("\u{1B}[\(rows)B\r".utf8)
    }
}
