import IPP
import PrintModel
import SpoolerClient
import TerminalCenter
import Testing

/// Returns a job with these properties.
private func job(
    _ id: Int, _ state: JobState = .pending, name: String = "letter.pdf", printer: String = "laser",
    owner: String = "ann",
    pages: Int? = nil, completed: Int = 0, message: String = ""
) -> JobView {
    var attributes = [
        Attribute("job-id", .integer(Int32(id))), Attribute("job-name", .name(name)),
        Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(printer)")),
        Attribute("job-originating-user-name", .name(owner)),
        Attribute("job-state", .enumeration(Int32(state.rawValue))),
        Attribute("job-impressions-completed", .integer(Int32(completed))),
        Attribute("job-state-message", .text(message)),
    ]
    if let pages {
        attributes += [
            Attribute("job-pages", .integer(Int32(pages))),
            Attribute("job-pages-completed-current-copy", .integer(Int32(completed))),
        ]
    }
    return JobView(AttributeGroup(.job, attributes))
}

/// Returns a screen that shows jobs.
private func screen(_ jobs: [JobView], columns: Int = 80, rows: Int = 24, isComplete: Bool = true) -> QueueScreen {
    var screen = QueueScreen(columns: columns, rows: rows)
    _ = screen.show(QueueScreen.Listing(jobs: jobs, isComplete: isComplete, count: jobs.count))
    return screen
}

extension QueueScreen {
    /// The texts of the lines, without trailing spaces.
    fileprivate var texts: [String] {
        lines(now: 0).map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}

@Suite struct QueueScreenTests {
    @Test func `the job list shows each job with a state mark, its state and its queue position`() {
        let screen = screen([
            job(1, .processing, name: "report.pdf", pages: 5, completed: 2),
            job(2, .processingStopped, name: "annex.pdf", printer: "mono", message: "out of paper"), job(3),
            job(4), job(5, .pendingHeld, owner: "ben"), job(6, name: "見積書.pdf", printer: "mono"),
        ])
        #expect(
            screen.texts.prefix(8).dropFirst() == [
                "   JOB  NAME                               PRINTER  OWNER  STATE           TIME",
                "▶    1  report.pdf                         laser    ann    2 of 5",
                "!    2  annex.pdf                          mono     ann    out of paper",
                "·    3  letter.pdf                         laser    ann    1 job before",
                "·    4  letter.pdf                         laser    ann    2 jobs before",
                "h    5  letter.pdf                         laser    ben    held",
                "·    6  見積書.pdf                         mono     ann    1 job before",
            ])
        #expect(screen.texts[0].hasPrefix("Print Center   6 in the queue, 1 needs attention"))
    }

    @Test(arguments: [(20, 8), (48, 12), (80, 24), (132, 50), (300, 80)])
    func `no line of the terminal center is longer than the width of the terminal`(columns: Int, rows: Int) {
        let jobs = (1...100).map { job($0, name: String(repeating: "長い名前", count: 20), owner: "somebody-with-a-name") }
        var screen = screen(jobs, columns: columns, rows: rows)
        for mode in ["", "?", "x/", "w"] {
            for key in mode { _ = screen.handle(.character(key)) }
            #expect(screen.lines(now: 0).count == rows)
            var display = TerminalDisplay(hasColors: false)
            let output = String(
                decoding: display.update(screen.lines(now: 0), columns: columns, rows: rows), as: UTF8.self)
            #expect(
                output.split(separator: "\u{1B}").allSatisfy { $0.drop { $0 != "H" && $0 != "m" }.count <= columns + 1 }
            )
            _ = screen.handle(.escape)
        }
    }

    @Test func `in the terminal center, arrow keys move the selection, and the End key selects and shows the last job`()
    {
        var screen = screen((1...40).map { job($0) })
        #expect(screen.selection == 1)
        #expect(screen.handle(.down) == [.details(2)])
        _ = screen.handle(.up)
        #expect(screen.handle(.up) == [])
        #expect(screen.selection == 1)
        _ = screen.handle(.end)
        #expect(screen.selection == 40)
        #expect(screen.texts.contains { $0.hasPrefix("·   40") })
        #expect(!screen.texts.contains { $0.hasPrefix("·    1") })
    }

    @Test
    func `in the terminal center, the selected job and the first visible row do not change when earlier jobs end`() {
        var screen = screen((1...60).map { job($0) })
        for _ in 0..<30 { _ = screen.handle(.down) }
        let before = screen.texts.first { $0.hasPrefix("·") }
        _ = screen.show(QueueScreen.Listing(jobs: (6...60).map { job($0) }, isComplete: true))
        #expect(screen.selection == 31)
        #expect(screen.texts.first { $0.hasPrefix("·") }?.prefix(6) == before?.prefix(6))
    }

    @Test func `in the terminal center, if the selected job ends, it keeps its row until a different job is selected`()
    {
        var screen = screen([job(1, .processing), job(2), job(3)])
        screen.show(QueueScreen.Details(job: job(1, .completed), lines: [], events: []))
        _ = screen.show(QueueScreen.Listing(jobs: [job(2), job(3)], isComplete: true))
        #expect(screen.selection == 1)
        #expect(screen.texts.contains { $0.hasPrefix("✓    1") })
        _ = screen.handle(.down)
        _ = screen.show(QueueScreen.Listing(jobs: [job(2), job(3)], isComplete: true))
        #expect(!screen.texts.contains { $0.hasPrefix("✓") })
    }

    @Test func `the terminal center asks for confirmation before it cancels a job`() {
        var screen = screen([job(1, .processing), job(2)])
        #expect(screen.handle(.character("x")) == [])
        #expect(screen.mode == .confirm([.cancel(1)]))
        #expect(screen.texts.last?.contains("Cancel the job?") == true)
        #expect(screen.handle(.character("n")) == [])
        _ = screen.handle(.character("x"))
        #expect(screen.handle(.character("y")) == [.cancel(1)])
        _ = screen.handle(.down)
        #expect(screen.handle(.character("x")) == [])
        #expect(screen.texts.last?.hasPrefix("Cancel job 2?") == true)
        #expect(screen.handle(.character("y")) == [.cancel(2)])
    }

    @Test func `after a question in the details, the terminal center shows the same job's details again`() {
        var screen = screen([job(1), job(2)])
        _ = screen.handle(.enter)
        _ = screen.handle(.character("x"))
        #expect(screen.handle(.escape) == [])
        #expect(screen.mode == .details(follows: false) && screen.selection == 1)
    }

    @Test func `a job that was canceled in the results of a search keeps its row`() {
        var screen = screen([job(1)])
        for key in "/job" { _ = screen.handle(.character(key)) }
        _ = screen.handle(.enter)
        _ = screen.show(QueueScreen.Listing(jobs: [job(1), job(2)], isComplete: true))
        _ = screen.handle(.character("x"))
        #expect(screen.handle(.character("y")) == [.cancel(1)])
        _ = screen.show(QueueScreen.Listing(jobs: [job(2)], isComplete: true))
        #expect(screen.selection == 1 && screen.listing.jobs.map(\.id) == [1, 2])
    }

    @Test func `in the terminal center, 'r' prints an ended job again after a question, and 'm' moves a waiting job`() {
        var screen = screen([job(1), job(2, .completed)])
        #expect(screen.handle(.character("r")) == [] && screen.note == "job 1 is neither suspended nor ended")
        for key in "mlasex" { #expect(screen.handle(.character(key)) == []) }
        _ = screen.handle(.backspace)
        #expect(screen.texts.last?.hasPrefix("Move job 1 to printer: lase▏") == true)
        #expect(screen.handle(.enter) == [.move(1, printer: "lase")])
        _ = screen.handle(.character("m"))
        #expect(screen.handle(.escape) == [] && screen.mode == .list)
        _ = screen.handle(.down)
        #expect(screen.handle(.character("r")) == [] && screen.mode == .confirm([.reprint(2)]))
        #expect(screen.handle(.character("y")) == [.reprint(2)])
        #expect(screen.handle(.character("m")) == [] && screen.note == "job 2 has ended")
    }

    @Test func `in the terminal center, the key 'h' holds a waiting job and releases a held job`() {
        var screen = screen([job(1), job(2, .pendingHeld), job(3, .completed)])
        #expect(screen.handle(.character("h")) == [.hold(1)])
        _ = screen.handle(.down)
        #expect(screen.handle(.character("h")) == [.release(2)])
        _ = screen.handle(.down)
        #expect(screen.handle(.character("h")) == [])
        #expect(screen.note == "job 3 has ended")
    }

    @Test func `a search in the terminal center shows only matching jobs, and Escape ends the search`() {
        var screen = screen([job(1)])
        _ = screen.handle(.character("/"))
        #expect(screen.handle(.character("q")) == [.list])
        #expect(screen.query == "q")
        #expect(screen.handle(.enter) == [])
        #expect(screen.mode == .list)
        _ = screen.show(QueueScreen.Listing(jobs: [], isComplete: true))
        #expect(screen.texts.contains("  no job matches \"q\""))
        #expect(screen.handle(.escape) == [.list])
        #expect(screen.query.isEmpty)
    }

    @Test func `if the selection moves to the end of an incomplete job list, more jobs are requested`() {
        var screen = screen((1...200).map { job($0) }, isComplete: false)
        #expect(screen.limit == 200)
        #expect(screen.handle(.end) == [.details(200), .list])
        #expect(screen.limit == 400)
        #expect(screen.handle(.up) == [.details(199)])
    }

    @Test func `in the terminal center, the key 'f' scrolls the details of a job to the newest event`() {
        var screen = screen([job(1, .processing)], rows: 12)
        #expect(screen.handle(.character("f")) == [.details(1)])
        let lines = (1...30).map { "events  event \($0)" }
        screen.show(QueueScreen.Details(job: job(1, .processing), lines: lines, events: []))
        #expect(screen.texts.contains("events  event 30"))
        _ = screen.handle(.character("f"))
        _ = screen.handle(.character("g"))
        #expect(screen.texts.contains("events  event 1"))
    }

    @Test func `control characters in a job name do not reach the terminal`() {
        let screen = screen([job(1, name: "a\u{1B}[2Jb", owner: "x\u{7}")])
        #expect(screen.texts.contains { $0.contains("a·[2Jb") })
    }

    @Test func `the terminal center redraws only changed lines`() {
        var display = TerminalDisplay(hasColors: true)
        _ = display.update([StyledLine("one"), StyledLine("two")], columns: 10, rows: 2)
        #expect(display.update([StyledLine("one"), StyledLine("two")], columns: 10, rows: 2).isEmpty)
        let update = String(
            decoding: display.update([StyledLine("one"), StyledLine("2")], columns: 10, rows: 2), as: UTF8.self)
        #expect(update == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[K2\u{1B}[?2026l")
    }

    @Test func `commands apply to all marked jobs, and the marks end with the command`() {
        var screen = screen([job(1), job(2), job(3, .pendingHeld), job(4)])
        #expect(screen.handle(.character(" ")) == [.details(2)] && screen.marks == [1] && screen.selection == 2)
        _ = screen.handle(.down)
        _ = screen.handle(.character(" "))
        #expect(screen.marks == [1, 3] && screen.texts[0].contains(", 2 marked"))
        #expect(screen.texts[2].hasPrefix("·*   1"), "\(screen.texts[2])")
        // Held jobs stay held.
        #expect(screen.handle(.character("h")) == [.hold(1)] && screen.marks.isEmpty)
        _ = screen.handle(.character("*"))
        #expect(screen.marks == [1, 2, 3, 4])
        #expect(screen.handle(.character("x")) == [])
        #expect(screen.texts.last == "Cancel 4 jobs? y: yes, any other key: no")
        #expect(screen.handle(.character("y")) == (1...4).map { .cancel($0) } && screen.marks.isEmpty)
        _ = screen.handle(.character("*"))
        _ = screen.handle(.character("m"))
        for key in "mono" { _ = screen.handle(.character(key)) }
        #expect(screen.handle(.enter) == (1...4).map { .move($0, printer: "mono") })
        _ = screen.handle(.character("*"))
        _ = screen.handle(.escape)
        #expect(screen.marks.isEmpty && screen.mode == .list)
    }

    @Test func `marked jobs that are all held are released, and a job that leaves the list loses its mark`() {
        var screen = screen([job(1, .pendingHeld), job(2, .pendingHeld)])
        _ = screen.handle(.character("*"))
        #expect(screen.handle(.character("h")) == [.release(1), .release(2)])
        _ = screen.handle(.character("*"))
        _ = screen.show(QueueScreen.Listing(jobs: [job(1, .pendingHeld)], isComplete: true))
        #expect(screen.marks == [1])
    }

    @Test func `the options of a waiting job are changed in a form, which shows invalid values`() {
        var screen = screen([job(1)])
        var ticket = JobTicket()
        ticket.copies = 2
        screen.show(QueueScreen.Details(job: job(1), lines: [], events: [], ticket: ticket))
        #expect(screen.handle(.character("o")) == [.choices(printer: "laser")])
        #expect(screen.texts[0] == "Options of job 1: letter.pdf")
        #expect(screen.texts[2].hasPrefix("▸ Copies") && screen.texts[2].contains("2▏"), "\(screen.texts[2])")
        #expect(screen.handle(.enter) == [] && screen.texts.contains("nothing is changed"))
        _ = screen.handle(.backspace)
        _ = screen.handle(.character("x"))
        #expect(screen.handle(.enter) == [] && screen.texts.contains { $0.contains("Copies") && $0.contains("'x'") })
        _ = screen.handle(.backspace)
        _ = screen.handle(.character("3"))
        _ = screen.handle(.down)
        screen.show(choices: ["sides": ["one-sided", "two-sided-long-edge"]])
        _ = screen.handle(.right)
        _ = screen.handle(.right)
        #expect(
            screen.handle(.enter) == [.change(1, [.init("copies", "3"), .init("sides", "two-sided-long-edge")])])
        screen.endForm(problem: "the printer makes no copies")
        #expect(screen.texts.contains("the printer makes no copies"))
        _ = screen.handle(.enter)
        screen.endForm(problem: nil)
        #expect(screen.mode == .list)
        _ = screen.handle(.character("o"))
        _ = screen.handle(.escape)
        #expect(screen.mode == .list)
    }

    @Test func `a job that is not waiting has no form for its options`() {
        var screen = screen([job(1, .processing)])
        #expect(screen.handle(.character("o")) == [] && screen.mode == .list)
        #expect(screen.note == "job 1 is processing; only waiting jobs can be changed")
    }

    @Test func `a new job has a file, a printer and options`() {
        var screen = screen([])
        #expect(screen.handle(.character("n")) == [.choices(printer: "")])
        #expect(screen.handle(.enter) == [] && screen.texts.contains("enter the path of a file"))
        for key in "/tmp/a.pdf" { _ = screen.handle(.character(key)) }
        _ = screen.handle(.down)
        screen.show(choices: ["printer": ["laser", "mono"]])
        _ = screen.handle(.left)
        #expect(screen.handle(.enter) == [.submit(path: "/tmp/a.pdf", printer: "mono", [])])
    }

    @Test func `the printers are paused, made the default, and emptied`() {
        var screen = screen([job(1)])
        #expect(screen.handle(.character("P")) == [.printers] && screen.texts[1] == "  loading …")
        func printer(_ name: String, isPaused: Bool = false, isDefault: Bool = false) -> PrinterView {
            PrinterView(
                AttributeGroup(
                    .printer,
                    [
                        Attribute("printer-name", .name(name)), Attribute("printer-state", .enumeration(5)),
                        Attribute("printer-state-reasons", .keyword(isPaused ? "paused" : "none")),
                        Attribute("printer-is-accepting-jobs", .boolean(true)),
                        Attribute("queued-job-count", .integer(3)),
                        Attribute("printer-type", .enumeration(isDefault ? 0x20000 : 0)),
                    ]))
        }
        screen.show([printer("laser"), printer("mono", isPaused: true, isDefault: true)])
        #expect(screen.selectedPrinter == "mono")
        #expect(screen.texts[3].hasPrefix("* mono     paused     yes       3"), "\(screen.texts)")
        #expect(screen.handle(.character("p")) == [.control(.resume, printer: "mono")])
        _ = screen.handle(.up)
        #expect(screen.handle(.character("p")) == [.control(.pause, printer: "laser")])
        #expect(screen.handle(.character("a")) == [.control(.reject, printer: "laser")])
        #expect(screen.handle(.character("d")) == [.control(.makeDefault, printer: "laser")])
        _ = screen.handle(.character("m"))
        for key in "mono" { _ = screen.handle(.character(key)) }
        #expect(screen.handle(.enter) == [.moveJobs(from: "laser", to: "mono")] && screen.mode == .printers)
        _ = screen.handle(.escape)
        #expect(screen.mode == .list && !screen.showsPrinters)
    }
}
