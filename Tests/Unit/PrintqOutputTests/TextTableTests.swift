// Tables of text.

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

    @Test func `columns are as wide as their widest cell, numbers at the right`() {
        #expect(
            table.text() == """
                JOB  STATE    NAME
                  7  waiting  annual report of the department.pdf
                 12  held     日本語.pdf

                """)
    }

    @Test func `a table too wide for the terminal cuts what may be cut`() {
        #expect(
            table.text(width: 30) == """
                JOB  STATE    NAME
                  7  waiting  annual report o…
                 12  held     日本語.pdf

                """)
    }

    @Test func `a terminal narrower than the rest of the table keeps the numbers`() {
        #expect(table.text(width: 3).contains("  7  waiting  annual …\n"))
    }

    @Test func `a control character in a name does not reach the terminal`() {
        var table = TextTable([.left("NAME")])
        table.add(["a\u{1B}[31mb\u{7}\u{202E}c\nd"])
        #expect(table.text() == "NAME\na·[31mb··c·d\n")
    }

    @Test func `wide characters take two columns and are never cut in half`() {
        #expect("日本語".columns == 6)
        #expect("日本語".truncated(to: 4) == "日…")
        #expect("abc".truncated(to: 3) == "abc")
        #expect("abcd".truncated(to: 3) == "ab…")
        #expect("abcd".truncated(to: 0) == "")
    }
}
