import Glibc
import SpoolerClient
import Testing

/// Tests of text from other users on a terminal.
struct PrintableTests {
    @Test func `a terminal receives lines, tabs and colors, but no other commands`() {
        let table = "\u{1B}[1mJOB\u{1B}[0m\tNAME\n  1\t\u{1B}[31mred\u{1B}[0m\n"
        #expect(table.withoutTerminalCommands == table)
        let hostile = "a\u{1B}]0;title\u{7}b\u{1B}[2Jc\u{9B}31md\r\u{202E}e\u{1B}[31"
        #expect(hostile.withoutTerminalCommands == "a·]0;title·b·[2Jc·31md··e·[31")
    }

    @Test func `a pipe receives text without changes`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect("a\u{1B}[2J".shown(on: ends[1]) == "a\u{1B}[2J")
    }
}
