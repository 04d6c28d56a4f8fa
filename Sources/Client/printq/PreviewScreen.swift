// Shows the results of a preview: page by page on a terminal, as a table, as paths, or as JSON.

import ArgumentParser
import DocumentPreviews
import FoundationEssentials
import Glibc
import PrintqOutput
import PrintModel
import SpoolerClient
import TerminalImages

/// The output of `printq preview`: a viewer, a table, paths or JSON.
struct PreviewScreen {
    private enum Form {
        /// A viewer that shows the results page by page until the user quits.
        case pages
        /// A table of the files.
        ///
        /// On a terminal, the output also contains thumbnails.
        case table
        /// The paths of the page images.
        case paths
        case json
    }

    /// The maximum number of thumbnails of each file.
    private static let mostThumbnails = 12

    private let form: Form
    private let hasFolder: Bool
    private let opens: Bool
    private let isList: Bool
    private let environment = ProcessInfo.processInfo.environment
    private var graphics: TerminalGraphics { TerminalGraphics(environment: environment) }

    /// Chooses the form of the output.
    ///
    /// - Parameters:
    ///   - list: Whether the user requests a table.
    ///   - json: Whether the user requests JSON.
    ///   - hasFolder: Whether the images are written to a folder that the user chose.
    ///   - opens: Whether the first image is opened in another program.
    ///   - readsInput: Whether standard input is a document.
    init(list: Bool, json: Bool, hasFolder: Bool, opens: Bool, readsInput: Bool) {
        (self.hasFolder, self.opens, isList) = (hasFolder, opens, list)
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

    /// Whether the output contains the paths of page images, for programs.
    var listsPaths: Bool { form == .paths || form == .json || !isList && isatty(STDOUT_FILENO) == 0 }

    /// Returns the number of images to draw for each file.
    func imageLimit(_ limit: Int) -> Int {
        switch form {
        case .pages, .paths: limit
        case .json: hasFolder ? limit : 0
        case .table: opens ? 1 : isatty(STDOUT_FILENO) == 1 && graphics != .none ? min(limit, Self.mostThumbnails) : 0
        }
    }

    /// Shows the results until all results have been shown, or until the user quits.
    ///
    /// - Throws: `SpoolerClientError` for the first file that cannot be shown.
    func show(_ work: PreviewWork) throws {
        if form == .pages { return try showPages(work) }
        var results = PreviewResults(files: work.files)
        while let event = try work.next() {
            results.add(event)
            if case .page(_, _, let path) = event, form == .paths { StandardOutput.print(path + "\n") }
        }
        switch form {
        case .json: StandardOutput.print(results.json)
        case .table: show(results.table, thumbnails: results.thumbnails)
        case .pages, .paths: break
        }
        for notice in results.notices where form != .json { StandardOutput.complain(notice.printable) }
        if opens {
            guard let first = results.images.first else { throw results.failure ?? Self.nothing }
            // The viewer reads the image after this command has ended, so the image must remain.
            try Viewer.open(work.keepsImages ? first : Self.stored(first))
        }
        for failure in results.failures.dropFirst() { StandardOutput.complain(failure.message.printable) }
        if let failure = results.failure { throw failure }
    }

    private static let nothing = SpoolerClientError(.notDone, "the document has no pages")

    /// Moves an image out of the temporary folder, and returns its new path.
    private static func stored(_ path: String) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let kept = "\(parent)/printq-page-\(UUID().uuidString).png"
        return rename(path, kept) == 0 ? kept : path
    }

    // MARK: Jobs

    /// Shows the pages of a job.
    ///
    /// - Throws: `SpoolerClientError` if the pages cannot be drawn, `ExitCode` if a signal ends the viewer.
    func show(_ preview: JobPreview, limit: Int) async throws {
        var images: [(page: DrawablePages.Page, path: String)] = []
        try await preview.draw(imageLimit(limit)) { page, path in
            images.append((page, path))
            if form == .paths { StandardOutput.print(path + "\n") }
        }
        let paths = images.map(\.path)
        switch form {
        case .json: StandardOutput.print(preview.json(images: hasFolder ? paths : []))
        case .table: show(preview.table, thumbnails: [(preview.job.name, paths)])
        case .pages:
            let terminal = try keys()
            let graphics = self.graphics.confirmed(by: terminal.askForGraphics(), in: environment)
            var browser = PageBrowser(names: ["job \(preview.job.id), \(preview.job.name.printable)"])
            browser.describe(0, as: preview.text, sides: preview.pages.pages.count, images: imageLimit(limit))
            for (page, path) in images { browser.add(path, side: page.number, of: 0) }
            browser.failAll(because: "a blank side")
            var viewer = TerminalPageViewer(browser, on: terminal, as: graphics)
            // All images have been drawn, so that nothing is read.
            let nothing = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(nothing) }
            if let signal = viewer.run(source: nothing, read: { _ in false }) { throw ExitCode(128 + signal) }
        case .paths: break
        }
        if opens {
            guard let first = paths.first else { throw Self.nothing }
            // The viewer reads the image after this command has ended, so the image must remain.
            try Viewer.open(hasFolder ? first : Self.stored(first))
        }
    }

    /// Returns the terminal from which the viewer reads keys.
    private func keys() throws(SpoolerClientError) -> RawTerminal {
        guard let terminal = RawTerminal() else {
            throw SpoolerClientError(.output, "cannot read keys from the terminal; use --list")
        }
        return terminal
    }

    // MARK: Terminal

    /// Shows a table.
    ///
    /// On a terminal, the method also shows the thumbnails of each document.
    private func show(_ table: TextTable, thumbnails: [(name: String, images: [String])]) {
        guard !table.isEmpty else { return }
        StandardOutput.print(table.text(width: StandardOutput.width, isStyled: StandardOutput.isStyled))
        guard isatty(STDOUT_FILENO) == 1, graphics != .none else { return }
        // A terminal that is also standard input can be asked; otherwise the variables decide.
        var graphics = self.graphics
        if let reply = RawTerminal()?.askForGraphics() { graphics = graphics.confirmed(by: reply, in: environment) }
        let size = TerminalSize(ofTerminal: STDOUT_FILENO)
        let gap = 2
        let width = 18
        let count = max(1, (size.columns + gap) / (width + gap))
        let room = TerminalSize(columns: width, rows: 12, cellWidth: size.cellWidth, cellHeight: size.cellHeight)
        for (name, images) in thumbnails where !images.isEmpty {
            StandardOutput.print("\n\(name.printable)\n")
            let pictures = images.prefix(count).compactMap { TerminalPicture(png: $0, in: room, as: graphics) }
            TerminalSize.write(TerminalPicture.row(of: pictures, gap: gap))
            StandardOutput.print("\n")
        }
    }

    private func showPages(_ work: PreviewWork) throws {
        let terminal = try keys()
        let graphics = self.graphics.confirmed(by: terminal.askForGraphics(), in: environment)
        let browser = PageBrowser(names: work.files.map(\.printable))
        var viewer = TerminalPageViewer(browser, on: terminal, as: graphics)
        var results = PreviewResults(files: work.files)
        var failure: SpoolerClientError?
        let signal = viewer.run(source: work.descriptor) { browser in
            do throws(SpoolerClientError) {
                let events = try work.available()
                for event in events {
                    results.add(event)
                    browser.take(
                        event, limit: work.imageLimit, indices: Array(work.files.indices), cleaned: \.printable)
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
    /// Writes bytes to standard output, after all text that was written earlier.
    fileprivate static func write(_ bytes: [UInt8]) { StandardOutput.write(bytes) }
}
