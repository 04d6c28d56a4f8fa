// Tests text tables.

import PrintqOutput
import SpoolerClient
import Testing

@Suite struct TextTableTests {
    private let table = {
        var table = TextTable([.right("JOB"), .left("STATE"), .flexible("NAME")])
        table.add(["7", "waiting", "annual report of the department.pdf"])
        table.add(["12", "held", "日本語.pdf"])
        return table
    }()

    @Test func `table columns have the width of their widest cell, and numbers are right-aligned`() {
        #expect(
            table.text() == """
                JOB  STATE    NAME
                  7  waiting  annual report of the department.pdf
                 12  held     日本語.pdf

                """)
    }

    @Test func `if a table is wider than the terminal, flexible columns are wrapped`() {
        #expect(
            table.text(width: 30) == """
                JOB  STATE    NAME
                  7  waiting  annual report of
                              the
                              department.pdf
                 12  held     日本語.pdf

                """)
    }

    @Test func `if the terminal is too narrow for columns, each row is a list`() {
        #expect(
            table.text(width: 18) == """
                JOB    7
                STATE  waiting
                NAME   annual
                       report of
                       the
                       department.
                       pdf

                JOB    12
                STATE  held
                NAME   日本語.pdf

                """)
    }

    private let notes = {
        var table = TextTable([.right("JOB"), .left("STATE"), .flexible("NAME"), .note("REASON")])
        table.add(["7", "stopped", "report.pdf", "the printer is out of paper in tray 2"], tones: [1: .bad])
        table.add(["12", "waiting", "letter.pdf"])
        return table
    }()

    @Test func `a note is placed below its row if the space beside the row is too narrow`() {
        #expect(
            notes.text(width: 40) == """
                JOB  STATE    NAME
                  7  stopped  report.pdf
                     the printer is out of paper in tray
                     2
                 12  waiting  letter.pdf

                """)
        #expect(
            notes.text(width: 60) == """
                JOB  STATE    NAME        REASON
                  7  stopped  report.pdf  the printer is out of paper in
                                          tray 2
                 12  waiting  letter.pdf

                """)
    }

    @Test(arguments: [1, 10, 20, 40, 60, 80, 120])
    func `a table of any width contains the whole text and has no line that is too long`(width: Int) {
        var wide = TextTable([
            .right("JOB"), .left("PRINTER"), .flexible("OWNER"), .left("STATE"), .right("PAGES"), .left("SINCE"),
            .flexible("NAME"), .note("REASON"),
        ])
        let cells = [
            "1234", "color-laser", "annabelle", "held until 18:30", "12/340", "2030-01-31 18:30",
            "日本語のとても長い名前の報告書.txt", "printer stopped: out of paper",
        ]
        wide.add(cells)
        let text = wide.text(width: width)
        let letters = { (text: String) in String(text.filter { !$0.isWhitespace }.sorted()) }
        let titles = "JOBPRINTEROWNERSTATEPAGESSINCENAME" + (text.contains("REASON") ? "REASON" : "")
        #expect(letters(text) == letters(cells.joined() + titles))
        guard width >= 20 else { return }
        for line in text.split(separator: "\n") { #expect(String(line).columns <= width, "\(line)") }
    }

    @Test func `in a long table, each part after the first has the column widths of the first part and no heading`() {
        var form: TextTable.Form?
        let first = notes.text(following: &form, width: 40)
        #expect(first.hasPrefix("JOB  STATE"))
        #expect(
            notes.text(following: &form, width: 40) == first.split(separator: "\n").dropFirst().joined(separator: "\n")
                + "\n")
    }

    @Test func `a styled table has a bold heading and colored cells`() {
        let lines = notes.text(isStyled: true).split(separator: "\n")
        #expect(lines[0].hasPrefix("\u{1B}[1mJOB  STATE"))
        #expect(lines[1].hasPrefix("  7  \u{1B}[31mstopped\u{1B}[0m  report.pdf"))
        #expect(lines[2] == " 12  waiting  letter.pdf")
    }

    @Test(arguments: [
        ("the quick fox", 9, ["the quick", "fox"]), ("color-laser", 7, ["color-", "laser"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]), ("日本語", 4, ["日本", "語"]), ("", 4, [""]), ("日本", 1, ["日", "本"]),
    ])
    func `text is wrapped between words, and within words that are too long`(text: String, width: Int, lines: [String])
    {
        #expect(text.wrapped(to: width) == lines)
    }

    @Test func `a control character in a name does not reach the terminal`() {
        var table = TextTable([.left("NAME")])
        table.add(["a\u{1B}[31mb\u{7}\u{202E}c\nd"])
        #expect(table.text() == "NAME\na·[31mb··c·d\n")
    }

    @Test func `wide characters take two columns and are not split`() {
        #expect("日本語".columns == 6)
        #expect("日本語".truncated(to: 4) == "日…")
        #expect("abc".truncated(to: 3) == "abc")
        #expect("abcd".truncated(to: 3) == "ab…")
        #expect("abcd".truncated(to: 0) == "")
    }
}
