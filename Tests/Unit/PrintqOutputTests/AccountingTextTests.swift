// Tests the CSV output of accounting entries.

import PrintqOutput
import Testing

struct AccountingTextTests {
    private static func line(_ cells: [String]) -> String {
        let names = ["job-id", "title"].map { name in AccountingColumn.ofJobs.first { $0.name == name } }
        var text = AccountingText(names.compactMap(\.self), .csv)
        return text.rows([cells]).replacing("job-id,title\r\n", with: "")
    }

    @Test(arguments: [
        ("letter.pdf", "letter.pdf"), ("a, \"b\"", "\"a, \"\"b\"\"\""), ("1\n2", "1·2"), ("", ""),
        ("=1+1", "'=1+1"), ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
        ("+49 30", "'+49 30"), ("-- draft --", "'-- draft --"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'·x"),
        ("\u{1B}[2J\u{1B}]0;owned\u{07}", "·[2J·]0;owned·"), ("\u{9B}31m", "·31m"), ("＝1+1", "'＝1+1"),
        ("\u{202E}fdp.exe", "·fdp.exe"), ("a\u{1B}, b", "\"a·, b\""),
        ("a=b", "a=b"),
    ])
    func `a job title is one CSV field and is never read as a spreadsheet formula`(title: String, field: String) {
        #expect(Self.line(["7", title]) == "7,\(field)\r\n")
    }
}
