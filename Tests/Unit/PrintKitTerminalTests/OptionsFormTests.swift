@testable import PrintKit
import PrintModel
import Testing

@testable import PrintKitTerminal

/// Tests of the printer options form: the effects of keys, and the contents of the screen.
struct OptionsFormTests {
    private func printer(_ name: String, _ capabilities: PrinterCapabilities) async throws -> PrintKit.Printer {
        try await StaticDestination([(name, capabilities)]).printers()[0]
    }

    private func form(
        pageCount: Int? = 12, showsPages: Bool = true, showsPapers: Bool = false, duplex: Duplex = .none,
        selected: Int = 0
    ) async throws -> OptionsForm {
        OptionsForm(
            PrinterOptions(
                title: "Letter", printers: [try await printer("laser", .laser), try await printer("photo", .photo)],
                printerIndex: selected, pageCount: pageCount, duplex: duplex, showsPages: showsPages,
                showsPapers: showsPapers))
    }

    private func press(_ form: inout OptionsForm, _ keys: TerminalKey...) -> FormOutcome<PrinterOptions> {
        var outcome = FormOutcome<PrinterOptions>.open
        for key in keys { outcome = form.handle(key) }
        return outcome
    }

    private func type(_ form: inout OptionsForm, _ text: String) {
        for character in text { _ = form.handle(.character(character)) }
    }

    @Test func `on a narrow terminal, the options form is a modal sheet with all available options`() async throws {
        let form = try await form(showsPapers: true, duplex: .longEdge)
        #expect(
            form.screen(width: 60, style: .automatic) == [
                "Print \"Letter\"",
                "",
                "> Printer  < laser >",
                "  Copies   < 1 >",
                "  Pages    all of 12",
                "  Sides    < two-sided, long edge >",
                "  Paper    < automatic >",
                "",
                "arrows choose · Enter prints · Escape cancels",
            ])
    }

    @Test func `on a wide terminal, the options form is a popover unless a modal sheet is requested`() async throws {
        let form = try await form(selected: 1)
        let rule = String(repeating: "─", count: 62)
        func line(_ text: String) -> String { "│ " + text + String(repeating: " ", count: 60 - text.count) + " │" }
        #expect(
            form.screen(width: 80, style: .popover(from: .zero)) == [
                "┌\(rule)┐", line("Print \"Letter\""), line(""), line("> Printer  < photo >"),
                line("  Pages    all of 12"),
                line(""), line("arrows choose · Enter prints · Escape cancels"), "└\(rule)┘",
            ])
        // A popover begins at its rectangle, unless the terminal ends before.
        for (column, indent) in [(5.0, 5), (70, 16), (-3, 0)] {
            let popover = PresentationStyle.popover(from: Rect(x: column, y: 0, width: 1, height: 1))
            #expect(form.screen(width: 80, style: popover)[0] == String(repeating: " ", count: indent) + "┌\(rule)┐")
        }
        #expect(form.screen(width: 80, style: .sheet).first == "Print \"Letter\"")
    }

    @Test func `if a line of the options form is longer than the terminal's width, the line ends in an ellipsis`()
        async throws
    {
        let form = try await form()
        #expect(form.screen(width: 12, style: .automatic)[2] == "> Printer …")
        #expect(form.screen(width: 0, style: .automatic).allSatisfy { $0.count <= 1 })
    }

    @Test func `control characters in printer names are replaced, and wide characters take two columns`() {
        #expect(TerminalText("a\u{1B}[2Jb\nc\u{202E}d").text == "a?[2Jb?c?d")
        #expect(TerminalText("紙 a").columns == 4)
        #expect(TerminalText("紙紙紙").cut(to: 4).text == "紙…")
        #expect(TerminalText("紙").padded(to: 4) == "紙  ")
    }

    @Test func `error messages in the options form are wrapped to the terminal's width`() async throws {
        var form = try await form()
        _ = press(&form, .down, .down)
        type(&form, "5-2")
        _ = press(&form, .enter)
        #expect(
            form.screen(width: 42, style: .sheet).suffix(2) == ["invalid page range '5-2': did you mean", "2-5?"])
    }

    @Test
    func `the options form has a control for copies or two-sided printing only if the printer supports the feature`()
        async throws
    {
        var form = try await form()
        #expect(form.fields == [.printer, .copies, .pages, .sides])
        _ = press(&form, .right)
        #expect(form.options.printer.id == "photo" && form.fields == [.printer, .pages])
        _ = press(&form, .right)
        #expect(form.options.printer.id == "laser")
    }

    @Test func `the options form has no page range field if there is only one page or if 'showsPages' is false`()
        async throws
    {
        #expect(try await form(pageCount: 1).fields == [.printer, .copies, .sides])
        #expect(try await form(showsPages: false).fields == [.printer, .copies, .sides])
    }

    @Test func `in the options form, arrow keys move the focus and change values, and Enter accepts the options`()
        async throws
    {
        var form = try await form()
        _ = press(&form, .down, .right, .right, .left, .right, .down)
        type(&form, "2-3x,5")
        #expect(form.rows[2] == "> Pages    2-3,5 of 12")
        _ = press(&form, .down, .right)
        #expect(form.rows[3] == "> Sides    < two-sided, long edge >")
        guard case .accepted(let options) = press(&form, .enter) else { return #expect(Bool(false)) }
        #expect(options.copies == 3 && options.pages.description == "2-3,5" && options.duplex == .longEdge)
    }

    @Test func `in the options form, the focus wraps around, and the printer's maximum limits the number of copies`()
        async throws
    {
        var form = try await form()
        _ = press(&form, .up)
        #expect(form.focus == .sides)
        _ = press(&form, .down, .down, .left)
        #expect(form.focus == .copies && form.options.copies == 1)
        type(&form, "7")
        #expect(form.options.copies == 7)
        type(&form, "7")
        #expect(form.options.copies == 7, "77 copies are over the maximum")
        _ = press(&form, .backspace)
        #expect(form.options.copies == 1)
        for _ in 1...20 { _ = press(&form, .right) }
        #expect(form.options.copies == 9)
    }

    @Test(arguments: [
        ("5-2", "invalid page range '5-2': did you mean 2-5?"),
        ("13-", "choose pages from 1 to 12"),
    ])
    func `the options form refuses an invalid page range with an error message`(text: String, words: String)
        async throws
    {
        var form = try await form()
        _ = press(&form, .down, .down)
        type(&form, text)
        guard case .open = press(&form, .enter) else { return #expect(Bool(false)) }
        #expect(form.hint.hasPrefix(words) && form.focus == .pages)
        for _ in text { _ = press(&form, .backspace) }
        guard case .accepted(let options) = press(&form, .enter) else { return #expect(Bool(false)) }
        #expect(options.pages == .all)
    }

    @Test func `the options form returns one-sided printing if the chosen printer prints on one side only`()
        async throws
    {
        var form = try await form(duplex: .longEdge)
        guard case .accepted(let options) = press(&form, .right, .enter) else { return #expect(Bool(false)) }
        #expect(options.printer.id == "photo" && options.duplex == Duplex.none)
    }

    @Test func `the options form returns the loaded paper that the user chose`() async throws {
        var form = try await form(showsPapers: true)
        _ = press(&form, .up, .right)
        #expect(form.rows.last == "> Paper    < iso_a5_148x210mm >")
        guard case .accepted(let options) = press(&form, .enter) else { return #expect(Bool(false)) }
        #expect(options.paper?.media == .a5)
    }

    @Test func `Escape cancels the options form`() async throws {
        var form = try await form()
        guard case .cancelled = press(&form, .escape) else { return #expect(Bool(false)) }
    }

    @Test func `a long printer list shows the printers around the focused printer`() async throws {
        var printers: [PrintKit.Printer] = []
        for number in 1...30 { printers.append(try await printer("p\(number)", .laser)) }
        var list = ListForm(printers, selected: 20)
        #expect(list.rows.count == 10 && list.rows[5] == "> p21 (Laser)")
        _ = (list.handle(.up), list.handle(.left))
        guard case .accepted(19) = list.handle(.enter) else { return #expect(Bool(false)) }
        for _ in 1...11 { _ = list.handle(.down) }
        guard case .accepted(0) = list.handle(.enter) else { return #expect(Bool(false)) }
    }

    @Test(arguments: [
        ("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D", [TerminalKey.up, .down, .right, .left]),
        ("a\r\u{7F}\t", [.character("a"), .enter, .backspace, .down]),
        ("\u{3}", [.escape]), ("\u{1B}\u{1B}", [.escape]), ("é\u{1B}[5~x", [.character("x")]),
    ])
    func `bytes from the terminal are converted to keys`(bytes: String, keys: [TerminalKey]) {
        var reader = KeyReader()
        #expect(reader.read(bytes.utf8) == keys)
    }

    @Test func `an Escape byte without further bytes is decoded as the Escape key`() {
        var reader = KeyReader()
        #expect(reader.read([0x1B]).isEmpty && reader.isWaiting)
        #expect(reader.flush() == [.escape] && !reader.isWaiting)
        #expect(reader.read([0x1B]).isEmpty && reader.read([0x5B]).isEmpty && reader.read([0x41]) == [.up])
    }
}
