import Foundation
import PrintTestSupport
import Testing

/// Tests of `printq center --terminal` in tmux.
struct CenterTerminalTests {
    private let spooler: TestSpooler
    private let screen: TmuxScreen

    init() throws {
        spooler = try TestSpooler()
        screen = TmuxScreen(spooler)
    }

    @Test func `the job list shows new jobs without a key press, and held jobs can be released and canceled with keys`()
        async throws
    {
        try spooler.start()
        let path = try spooler.file("report.pdf", .numbered(pages: 3))
        expect(try await spooler.printq("submit", "-d", "inkjet", "--hold", "23:59", path))
        try await screen.start(columns: 80, rows: 24)
        try await screen.shows("h    1  report.pdf")
        try await screen.shows("until 23:59")
        try await screen.shows("1 in the queue")

        // A new job appears without a key.
        expect(try await spooler.printq("submit", "-d", "inkjet", "--hold", "23:59", "--title", "second", path))
        try await screen.shows("h    2  second")

        try await screen.press("j")
        try await screen.shows("second   job 2, ")
        try await screen.press("x")
        try await screen.shows("Cancel job 2?")
        try await screen.press("y")
        try await screen.shows("job 2 is canceled")
        try await screen.shows("×    2  second")
        try await screen.press("k")
        try await screen.press("h")
        try await screen.shows("✓    1  report.pdf")
        try await screen.press("q")
        try await screen.shows("exit 0")
    }

    @Test
    func `after a key press, the terminal shows the properties, the events, the explanation or the pages of a job`()
        async throws
    {
        try spooler.start()
        let path = try spooler.file("report.pdf", .numbered(pages: 3))
        expect(try await spooler.printq("submit", "--wait", path))
        try await screen.start(columns: 80, rows: 24)
        try await screen.shows("no jobs")
        try await screen.press("Tab")
        try await screen.shows("✓    1  report.pdf")
        try await screen.press("Enter")
        try await screen.shows("printer    color-laser")
        try await screen.shows("state      completed")
        try await screen.press("G")
        try await screen.shows("Timeline")
        try await screen.shows("Completed")
        try await screen.press("Escape")
        try await screen.press("w")
        try await screen.shows("Why: report.pdf")
        try await screen.shows("Job 1 was printed: 3 pages on 3 sheets.")
        try await screen.press("Escape")
        try await screen.press("p")
        try await screen.shows("side 1 of 3")
        try await screen.press("n")
        try await screen.shows("side 2 of 3")
        try await screen.press("q")
        try await screen.shows("✓    1  report.pdf")
    }

    @Test func `jobs are submitted, marked, changed and moved, and printers are paused, with keys`() async throws {
        try spooler.start()
        let path = try spooler.file("report.pdf", .numbered(pages: 3))
        try await screen.start(columns: 100, rows: 30)
        try await screen.shows("no jobs")
        try await screen.press("P")
        try await screen.shows("inkjet")
        try await screen.press("g")
        for _
            in 0..<(try await screen.lines().drop { !$0.contains("PRINTER") }.dropFirst()
            .prefix { !$0.contains("inkjet") }.count)
        { try await screen.press("j") }
        try await screen.press("p")
        try await screen.shows("inkjet is paused")
        try await screen.press("n")
        try await screen.shows("New job")
        try await screen.type(path)
        try await screen.press("Down")
        try await screen.shows("inkjet")
        try await screen.press("Enter")
        try await screen.shows("job 1 is in the queue")
        try await screen.press("Escape")
        try await screen.shows("report.pdf")
        expect(try await spooler.printq("submit", "-d", "inkjet", "--title", "second", path))
        try await screen.shows("second")
        try await screen.press("g")
        try await screen.press("o")
        try await screen.shows("Options of job 1")
        try await screen.press("2")
        try await screen.press("Enter")
        try await screen.shows("the options of job 1 are changed")
        let shown = try await spooler.printq("show", "1")
        #expect(shown.output.contains(/copies +2/), "\(shown)")
        try await screen.press("*")
        try await screen.shows("2 marked")
        try await screen.press("h")
        try await screen.shows("2 of 2 requests are carried out")
        try await screen.press("p")
        try await screen.shows("side 1 of 3")
        try await screen.press("q")
        try await screen.shows("second")
        try await screen.press("*")
        try await screen.shows("2 marked")
        try await screen.press("x")
        try await screen.shows("Cancel 2 jobs?")
        try await screen.press("y")
        try await screen.shows("2 of 2 requests are carried out")
        try await screen.press("q")
        try await screen.shows("exit 0")
    }

    @Test func `after the terminal is resized, the job list shows only the columns that fit`() async throws {
        try spooler.start()
        let path = try spooler.file("report.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--hold", "23:59", path))
        try await screen.start(columns: 80, rows: 24)
        try await screen.shows("OWNER")
        try await screen.resize(columns: 48, rows: 12)
        try await screen.shows("report.pdf")
        try await screen.lacks("OWNER")
        #expect(try await screen.lines().count == 12)
        try await screen.resize(columns: 120, rows: 40)
        try await screen.shows("OWNER")
        try await screen.shows("? keys")
    }

    @Test func `a search shows only matching jobs`() async throws {
        try spooler.start()
        let path = try spooler.file("report.pdf", .numbered(pages: 1))
        for title in ["annex", "見積書"] {
            expect(try await spooler.printq("submit", "--hold", "23:59", "--title", title, path))
        }
        try await screen.start(columns: 80, rows: 24)
        try await screen.shows("annex")
        try await screen.press("/")
        try await screen.type("見積")
        try await screen.lacks("annex")
        try await screen.shows("見積書")
        try await screen.press("Escape")
        try await screen.shows("annex")
    }

    @Test func `without a terminal, 'printq center --terminal' fails and suggests other commands`() async throws {
        let run = try await spooler.printq("center", "--terminal")
        #expect(run.code == 74)
        #expect(run.complaints.contains("--terminal requires a terminal; use 'printq queue' or 'printq watch' instead"))
    }
}

/// A terminal in tmux that runs `printq center --terminal`.
private final class TmuxScreen: Sendable {
    private let spooler: TestSpooler
    private let socket: String

    init(_ spooler: TestSpooler) {
        self.spooler = spooler
        socket = spooler.folder.path("tmux")
    }

    deinit {
        _ = try? ChildProgram("tmux", ["-S", socket, "kill-server"]).finish()
    }

    /// Starts the program.
    ///
    /// tmux keeps the screen when the program has ended.
    func start(columns: Int, rows: Int) async throws {
        let command = "'\(spooler.program("printq"))' center --terminal; echo exit $?; exec cat"
        try await tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command)
    }

    /// Presses a key, such as `j` or `Enter`.
    func press(_ key: String) async throws { try await tmux("send-keys", key) }

    /// Types a text.
    func type(_ text: String) async throws { try await tmux("send-keys", "-l", text) }

    /// Changes the size of the terminal.
    func resize(columns: Int, rows: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Returns the lines of the terminal.
    func lines() async throws -> [String] {
        try await tmux("capture-pane", "-p").output.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Waits until the terminal shows a text.
    func shows(_ text: String) async throws {
        try await PrintTestSupport.eventually("the terminal shows '\(text)'") {
            try await self.lines().contains { $0.contains(text) }
        }
    }

    /// Waits until the terminal does not show a text.
    func lacks(_ text: String) async throws {
        try await PrintTestSupport.eventually("the terminal does not show '\(text)'") {
            try await !self.lines().contains { $0.contains(text) }
        }
    }

    @discardableResult
    private func tmux(_ arguments: String...) async throws -> ProgramRun {
        let run = try await spooler.run(
            "tmux", ["-u", "-S", socket] + arguments, environment: ["LANG": "C.UTF-8", "TERM": "xterm-256color"])
        expect(run)
        return run
    }
}
