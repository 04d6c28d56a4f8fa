// Runs the terminal Print Center: keys and news in, lines out.

import Glibc
import PrintModel
package import TerminalImages

/// The Print Center on the whole screen of a terminal.
package struct TerminalPrintCenter {
    private let terminal: RawTerminal
    private let graphics: TerminalGraphics
    private let connection: CenterConnection
    private var screen: QueueScreen
    private var display: TerminalDisplay
    private var keys = CenterKeyReader()

    /// Creates a Print Center.
    ///
    /// - Parameters:
    ///   - graphics: The protocol with which the terminal shows images.
    ///   - hasColors: Whether the terminal shows colors.
    package init(
        _ connection: CenterConnection, on terminal: RawTerminal, graphics: TerminalGraphics, hasColors: Bool
    ) {
        (self.connection, self.terminal, self.graphics) = (connection, terminal, graphics)
        screen = QueueScreen(columns: terminal.size.columns, rows: terminal.size.rows)
        display = TerminalDisplay(hasColors: hasColors)
    }

    /// Runs until the user quits or a signal arrives, and then restores the screen.
    ///
    /// The function blocks its thread.
    ///
    /// - Returns: The number of the signal that ended the program; nil if the user has quit.
    package mutating func run() -> Int32? {
        enter()
        defer { leave() }
        connection.list(query)
        while true {
            draw()
            // The clock in the heading, and the words of waiting jobs, change with time.
            switch terminal.nextEvent(or: connection.descriptor, within: keys.isWaiting ? 50 : 5000) {
            case .input(let bytes):
                for key in keys.read(bytes) where carryOut(screen.handle(key)) { return nil }
            case .timeout:
                for key in keys.flush() where carryOut(screen.handle(key)) { return nil }
            case .readable:
                for news in connection.takeNews() { take(news) }
            case .resized:
                screen.resize(columns: terminal.size.columns, rows: terminal.size.rows)
                display.forget()
            case .ended(let signal): return signal
            }
        }
    }

    /// Switches the terminal to the alternate screen.
    ///
    /// The function also hides the cursor and turns off line wrapping.
    private func enter() { terminal.write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)) }

    private func leave() { terminal.write(Array("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)) }

    private mutating func draw() {
        let size = screen.size
        terminal.write(
            display.update(screen.lines(now: UnixTime(time(nil))), columns: size.columns, rows: size.rows))
    }

    private var query: CenterConnection.Query {
        .init(section: screen.section, text: screen.query, limit: screen.limit)
    }

    /// Performs requests, and returns whether the program must end.
    private mutating func carryOut(_ requests: [QueueScreen.Request]) -> Bool {
        var actions: [QueueScreen.Request] = []
        for request in requests {
            switch request {
            case .list: connection.list(query)
            case .details(let id): connection.showDetails(of: id)
            case .redraw: display.forget()
            case .quit: return true
            case .printers: connection.showPrinters(true)
            case .pages(let id):
                screen.note = "drawing the pages of job \(id) …"
                actions.append(request)
            default: actions.append(request)
            }
        }
        connection.perform(actions)
        if !screen.showsPrinters { connection.showPrinters(false) }
        return false
    }

    private mutating func take(_ news: CenterConnection.News) {
        switch news {
        case .listing(let listing): _ = carryOut(screen.show(listing))
        case .details(let details): screen.show(details)
        case .removed(let id): screen.remove(id)
        case .note(let words): screen.note = words
        case .live(let isLive): screen.isLive = isLive
        case .pages(let id, let images):
            showPages(images, of: id)
            images.remove()
        case .printers(let printers): screen.show(printers)
        case .choices(let choices): screen.show(choices: choices)
        case .formEnded(let problem): screen.endForm(problem: problem)
        }
    }

    /// Shows page images until the user quits the viewer.
    private mutating func showPages(_ images: JobPageImages, of id: Int) {
        screen.note = ""
        guard !images.paths.isEmpty else {
            screen.note = "job \(id) has no pages"
            return
        }
        guard graphics != .none else {
            screen.note = "the terminal cannot show images; see 'printq preview --output FOLDER \(id)'"
            return
        }
        var browser = PageBrowser(names: [screen.selectedJob?.name.printable ?? "job \(id)"])
        browser.describe(0, as: "job \(id)", sides: images.pages, images: images.paths.count)
        for (index, path) in images.paths.enumerated() { browser.add(path, side: index + 1, of: 0) }
        leave()
        var viewer = TerminalPageViewer(browser, on: terminal, as: graphics)
        _ = viewer.run(source: -1) { _ in false }
        enter()
        screen.resize(columns: terminal.size.columns, rows: terminal.size.rows)
        display.forget()
    }
}
