// Shows the pages of documents on a terminal, and follows the keys.

/// A viewer of pages on the whole screen of a terminal.
public struct TerminalPageViewer {
    private let terminal: RawTerminal
    private let graphics: TerminalGraphics
    /// The documents and the current page.
    public private(set) var browser: PageBrowser
    private var keys = PageKeyReader()
    /// The most recently drawn contents of the screen.
    ///
    /// The screen is drawn again only if its contents have changed.
    private var shown: [String] = []

    /// Creates a viewer of pages.
    public init(_ browser: PageBrowser, on terminal: RawTerminal, as graphics: TerminalGraphics) {
        (self.browser, self.terminal, self.graphics) = (browser, terminal, graphics)
    }

    /// Shows pages until the user quits.
    ///
    /// The screen and the cursor are restored at the end.
    ///
    /// - Parameters:
    ///   - source: A file descriptor that becomes readable when results about documents are available.
    ///   - read: A closure that adds the available results to the browser. The closure returns false if no more results
    ///     follow.
    /// - Returns: The number of the signal that ended the viewer; nil if the user quit the viewer.
    public mutating func run(source: Int32, read: (inout PageBrowser) -> Bool) -> Int32? {
        // The alternate screen, without a cursor.
        terminal.write(Array("\u{1B}[?1049h\u{1B}[?25l".utf8))
        defer { terminal.write(removal + Array("\u{1B}[?25h\u{1B}[?1049l".utf8)) }
        var source: Int32? = source
        while !browser.hasEnded {
            draw()
            switch terminal.nextEvent(or: source) {
            case .input(let bytes):
                for key in keys.read(bytes) where !browser.hasEnded { browser.handle(key) }
            case .readable: if !read(&browser) { source = nil }
            case .resized: shown = []
            case .timeout: break
            case .ended(let signal): return signal
            }
        }
        return nil
    }

    private var removal: [UInt8] { graphics == .kitty ? TerminalPNG.kittyRemoval : [] }

    /// Draws the screen if the content of the screen has changed.
    private mutating func draw() {
        let size = terminal.size
        let images = browser.showsOverview ? overview(in: size).map { $0.path } : [browser.image ?? ""]
        let screen =
            [browser.title, browser.note ?? "", browser.status, "\(browser.showsOverview)", "\(browser.side)"] + images
        guard screen != shown else { return }
        shown = screen
        var output = removal + Array("\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[1m\(cut(browser.title, size))\u{1B}[0m".utf8)
        if browser.showsOverview {
            output += drawnOverview(in: size)
        } else if let note = browser.note {
            output += Array("\u{1B}[3;1H\(cut(note, size))".utf8)
        } else if let path = browser.image {
            output += drawn(path, in: TerminalSize(copying: size, columns: size.columns, rows: size.rows - 2), 2, 1)
        }
        output += Array("\u{1B}[\(size.rows);1H\u{1B}[7m\(cut(browser.status, size))\u{1B}[0m".utf8)
        terminal.write(output)
    }

    /// Returns the control sequences that show an image in the center of a rectangle.
    ///
    /// `row` and `column` are the position of the rectangle's upper left cell.
    private func drawn(_ path: String, in room: TerminalSize, _ row: Int, _ column: Int) -> [UInt8] {
        guard let picture = TerminalPicture(png: path, in: room, as: graphics) else {
            return Array("\u{1B}[\(row);\(column)Hcannot show the page".utf8)
        }
        return picture.placed(row: row, column: column + (room.columns - picture.columns) / 2)
    }

    /// The size of a thumbnail with its page number, in columns and rows.
    private static let thumbnail = (columns: 20, rows: 11)

    private func overview(in size: TerminalSize) -> [(side: Int, path: String)] {
        let (across, down) = (
            max(1, size.columns / Self.thumbnail.columns), max(1, (size.rows - 2) / Self.thumbnail.rows)
        )
        let first = (browser.side - 1) / (across * down) * across * down + 1
        return (first..<first + across * down).compactMap { side in
            browser.document.images[side].map { (side, $0) }
        }
    }

    private func drawnOverview(in size: TerminalSize) -> [UInt8] {
        let pages = overview(in: size)
        guard let first = pages.first?.side else {
            return Array("\u{1B}[3;1H\(cut(browser.note ?? "drawing …", size))".utf8)
        }
        let across = max(1, size.columns / Self.thumbnail.columns)
        let room = TerminalSize(
            copying: size, columns: Self.thumbnail.columns - 2, rows: min(Self.thumbnail.rows - 1, size.rows - 3))
        return pages.flatMap { side, path in
            let place = side - first
            let (row, column) = (
                2 + place / across * Self.thumbnail.rows, 1 + place % across * Self.thumbnail.columns
            )
            let mark = side == browser.side ? "\u{1B}[7m \(side) \u{1B}[0m" : " \(side) "
            return drawn(path, in: room, row, column)
                + Array("\u{1B}[\(row + room.rows);\(column + Self.thumbnail.columns / 2 - 2)H\(mark)".utf8)
        }
    }

    /// Returns the longest prefix of a text that fits into the width of the terminal.
    ///
    /// A wide character counts as two columns, so that the line never wraps.
    private func cut(_ text: String, _ size: TerminalSize) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += character.unicodeScalars.allSatisfy { $0.value < 0x1100 } ? 1 : 2
                return used < size.columns
            })
    }
}

extension TerminalSize {
    /// Creates the size of a part of a terminal.
    ///
    /// The cells have the same size as the cells of the terminal.
    fileprivate init(copying size: TerminalSize, columns: Int, rows: Int) {
        self.init(columns: columns, rows: rows, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
    }
}
