// Shows the results of a preview: page by page on a terminal, as a table, as paths, or as JSON.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput
import PrintModel
import SpoolerClient
import TerminalImages

/// The way in which `printq preview` shows its results.
struct PreviewScreen {
    private enum Form {
        /// Page by page, until the user quits.
        case pages
        /// A table, with thumbnails on a terminal.
        case table
        /// The paths of the images.
        case paths
        case json
    }

    /// The number of thumbnails of each file.
    private static let mostThumbnails = 12

    private let form: Form
    private let hasFolder: Bool
    private let opens: Bool
    private let environment = ProcessInfo.processInfo.environment
    private var graphics: TerminalGraphics { TerminalGraphics(environment: environment) }

    /// Chooses the form of the output.
    ///
    /// - Parameters:
    ///   - list: Whether the user asks for a table.
    ///   - json: Whether the user asks for JSON.
    ///   - hasFolder: Whether the images are written to a folder of the user.
    ///   - opens: Whether the first image is opened in another program.
    ///   - readsInput: Whether standard input is a document.
    init(list: Bool, json: Bool, hasFolder: Bool, opens: Bool, readsInput: Bool) {
        (self.hasFolder, self.opens) = (hasFolder, opens)
        let isTerminal = isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 && !readsInput
        if json {
            form = .json
        } else if hasFolder {
            form = .paths
        } else if isTerminal, !list, !opens, TerminalGraphics(environment: environment) != .none {
            form = .pages
        } else {
            form = .table
        }
    }

    /// Returns the number of images to draw for each file.
    func imageLimit(_ limit: Int) -> Int {
        switch form {
        case .pages, .paths: limit
        case .json: hasFolder ? limit : 0
        case .table: opens ? 1 : isatty(STDOUT_FILENO) == 1 && graphics != .none ? min(limit, Self.mostThumbnails) : 0
        }
    }

    /// Shows the results until there are no more, or until the user quits.
    ///
    /// - Throws: `SpoolerClientError` with the reason why the first file that failed cannot be shown.
    func show(_ work: PreviewWork) throws {
        if form == .pages { return try showPages(work) }
        var results = PreviewResults(files: work.files)
        while let event = try work.next() {
            results.add(event)
            if case .page(_, _, let path) = event, form == .paths { StandardOutput.print(path + "\n") }
        }
        switch form {
        case .json: StandardOutput.print(results.json)
        case .table: showTable(results)
        case .pages, .paths: break
        }
        for notice in results.notices where form != .json { StandardOutput.complain(notice.printable) }
        if opens {
            guard let first = results.images.first else { throw results.failure ?? Self.nothing }
            // The viewer reads the image after this command has ended, so the image must remain.
            try Viewer.open(work.keepsImages ? first : Self.kept(first))
        }
        for failure in results.failures.dropFirst() { StandardOutput.complain(failure.message.printable) }
        if let failure = results.failure { throw failure }
    }

    private static let nothing = SpoolerClientError(.notDone, "the document has no pages")

    /// Moves an image out of the temporary folder, and returns its new path.
    private static func kept(_ path: String) -> String {
        let parent = path.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let kept = "\(parent)/printq-page-\(UUID().uuidString).png"
        return rename(path, kept) == 0 ? kept : path
    }

    // MARK: Terminal

    private func showTable(_ results: PreviewResults) {
        let table = results.table
        guard !table.isEmpty else { return }
        StandardOutput.print(table.text(width: StandardOutput.width, bold: StandardOutput.isStyled))
        guard isatty(STDOUT_FILENO) == 1, graphics != .none else { return }
        // A terminal that is also standard input can be asked; otherwise the variables decide.
        var graphics = self.graphics
        if let reply = RawTerminal()?.askForGraphics() { graphics = graphics.confirmed(by: reply, in: environment) }
        let size = TerminalSize(ofTerminal: STDOUT_FILENO)
        let gap = 2
        let width = 18
        let count = max(1, (size.columns + gap) / (width + gap))
        let room = TerminalSize(columns: width, rows: 12, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
        for (name, images) in results.thumbnails where !images.isEmpty {
            StandardOutput.print("\n\(name.printable)\n")
            let pictures = images.prefix(count).compactMap { TerminalPicture(png: $0, in: room, as: graphics) }
            TerminalSize.write(TerminalPicture.row(of: pictures, gap: gap))
            StandardOutput.print("\n")
        }
    }

    private func showPages(_ work: PreviewWork) throws {
        guard let terminal = RawTerminal() else {
            throw SpoolerClientError(.output, "cannot read keys from the terminal; use --list")
        }
        let graphics = self.graphics.confirmed(by: terminal.askForGraphics(), in: environment)
        let browser = PageBrowser(names: work.files.map(\.printable))
        var viewer = PageViewer(browser, on: terminal, as: graphics)
        var results = PreviewResults(files: work.files)
        var failure: SpoolerClientError?
        let signal = viewer.run(source: work.descriptor) { browser in
            do throws(SpoolerClientError) {
                let events = try work.available()
                for event in events {
                    results.add(event)
                    browser.take(event, limit: work.imageLimit)
                }
                return events.last != .finished
            } catch {
                // The pages that have been drawn remain visible.
                failure = error
                browser.failAll(because: error.message)
                return false
            }
        }
        if let signal { throw ExitCode(128 + signal) }
        if let failure = failure ?? results.failure, results.images.isEmpty { throw failure }
    }
}

extension TerminalSize {
    /// Writes bytes to standard output, after the text that was printed before.
    fileprivate static func write(_ bytes: [UInt8]) { StandardOutput.print(String(decoding: bytes, as: UTF8.self)) }
}

extension PageBrowser {
    /// Adds a result of `print-preview`.
    fileprivate mutating func take(_ event: PreviewEvent, limit: Int) {
        switch event {
        case .document(let document):
            describe(document.index, as: document.words.printable, sides: document.sides, images: limit)
        case .page(let index, let side, let path): add(path, side: side, of: index)
        case .failed(let index, let error): fail(index, because: error.message.printable)
        case .finished: break
        }
    }
}
