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

    @Test func `columns have the width of their widest cell and numbers are right-aligned`() {
        #expect(
            table.text() == """
                JOB  STATE    NAME
                  7  waiting  annual report of the department.pdf
                 12  held     日本語.pdf

                """)
    }

    @Test func `a table that is wider than the terminal truncates flexible columns`() {
        #expect(
            table.text(width: 30) == """
                JOB  STATE    NAME
                  7  waiting  annual report o…
                 12  held     日本語.pdf

                """)
    }

    @Test func `on a terminal that is too narrow for the table, numbers are not truncated`() {
        #expect(table.text(width: 3).contains("  7  waiting  annual …\n"))
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
