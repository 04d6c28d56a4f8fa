import FoundationEssentials
import PrintKit
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests that run the listings 6-8 and 6-9 as programs.
struct HTMLExampleTests {
    let folder: TemporaryFolder
    /// The environment of the programs.
    ///
    /// `HOME` is set because the HTML engine may be installed in the home folder.
    let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        var environment = ["SWIFT_BACKTRACE": "enable=no", "LANG": "de_DE.UTF-8", "PATH": "/usr/bin:/bin"]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "PRINTQ_HTML_ENGINE"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        self.environment = environment
    }

    private func words(_ name: String) throws -> [[String]] {
        let pages = try PrintedPages(folder.path(name))
        return try (0..<pages.count).map { try pages.text($0).split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    /// Runs a listing on a terminal and presses keys when the options are shown.
    private func run(_ name: String, keys: String) async throws {
        let terminal = try PseudoTerminal()
        async let printing = ProgramRun(
            "/bin/sh",
            terminal.shellArguments(running: Programs.beside("PrintingExamples"), [name, folder.path]),
            environment: environment, in: folder.path)
        _ = try await terminal.read(until: "Escape cancels")
        terminal.write(keys)
        let run = try await printing
        #expect(run.code == 0, "\(run.complaints)")
        #expect(run.output.contains("printed"))
    }

    @Test func `an example program prints a page range of HTML with the table header on each page`() async throws {
        try await run("html", keys: "\u{1B}[B2-3\r")
        let pages = try words("Prices.pdf")
        #expect(pages.count == 2)
        // Poppler joins the cells of a row without a space.
        for page in pages { #expect(page.joined().hasPrefix("ArticlePriceArticle"), "\(page)") }
    }

    @Test func `an example program prints the file that a web view has loaded, and offers a page range`() async throws {
        try await run("web-view", keys: "\r")
        let pages = try words("Prices.html.pdf")
        #expect(pages.count > 1)
        #expect(pages[0].first == "Prices")
        for page in pages { #expect(page.joined().contains("ArticlePriceArticle"), "\(page)") }
        #expect(pages.flatMap(\.self).filter { $0.hasSuffix(".50") }.count == 60)
        try await run("web-view", keys: "\u{1B}[B2\r")
        #expect(try words("Prices.html 2.pdf").count == 1)
    }
}
