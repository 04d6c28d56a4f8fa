import Foundation
import PrintTestSupport
import Testing

/// Tests that compare the accounting entries of jobs with the printer's own counts.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct AccountingTests {
    /// A row of `printq log --accounting --json`.
    private struct Row: Decodable {
        var id: Int
        var state: String
        var copies: Int
        var sheets: Int
        var sides: Int
        var blanks: Int
        var color: String?
        var user: String
        var printer: String

        private enum CodingKeys: String, CodingKey {
            case id = "job-id"
            case blanks = "blank-sides"
            case state, copies, sheets, sides, color, user, printer
        }
    }

    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    private func rows(_ options: String...) async throws -> [Row] {
        let run = try await spooler.run(
            spooler.program("printq"), ["log", "--accounting", "--json"] + options)
        try #require(run.code == 0, "\(run.complaints)")
        return try JSONDecoder().decode([Row].self, from: Data(run.output.utf8))
    }

    /// Prints pages, and compares the accounting entry with the printer's counts.
    private func print(
        _ pages: Int, _ options: String..., on printer: String = "color-laser", sides: Int, blanks: Int, sheets: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = try spooler.file("\(UUID().uuidString).pdf", .numbered(pages: pages))
        let run = try await spooler.run(
            spooler.program("printq"), ["submit", "--wait", "-d", printer] + options + [path])
        try #require(run.code == 0, "\(run.output)\(run.complaints)", sourceLocation: sourceLocation)
        let row = try #require(try await rows().last, sourceLocation: sourceLocation)
        let line = try #require(try spooler.log(of: printer).last, sourceLocation: sourceLocation)
        #expect(row.sides == sides && row.blanks == blanks, "\(options): \(row)", sourceLocation: sourceLocation)
        #expect(row.sheets == sheets, "\(options): \(row)", sourceLocation: sourceLocation)
        #expect(row.sides == line.impressions, "the printer: \(line)", sourceLocation: sourceLocation)
        #expect(row.sheets == line.sheets, "the printer: \(line)", sourceLocation: sourceLocation)
    }

    @Test func `accounting counts the printed sides and lists blank backs separately`() async throws {
        try await print(1, "--duplex", "long", sides: 1, blanks: 1, sheets: 1)
        try await print(1, "--duplex", "none", sides: 1, blanks: 0, sheets: 1)
        try await print(3, "--duplex", "long", "-n", "2", sides: 6, blanks: 2, sheets: 4)
        try await print(3, "--duplex", "long", "-n", "2", "--no-collate", sides: 6, blanks: 2, sheets: 4)
        try await print(5, "--number-up", "2", "--duplex", "long", "-n", "3", sides: 9, blanks: 3, sheets: 6)
        try await print(3, "--duplex", "long", "--reverse", sides: 3, blanks: 1, sheets: 2)
        try await print(
            7, "--pages", "2-4", "--duplex", "long", "--color", "monochrome", sides: 3, blanks: 1, sheets: 2)
        try await print(2, "-n", "3", on: "label", sides: 6, blanks: 0, sheets: 6)
        let rows = try await rows()
        #expect(rows.map(\.copies) == [1, 1, 2, 2, 3, 1, 1, 3])
        #expect(rows.map(\.color) == Array(repeating: "color", count: 6) + ["monochrome", "monochrome"])

        // Two documents on separate sheets, and a reprint.
        let first = try spooler.file("a.pdf", .numbered(pages: 1))
        let second = try spooler.file("b.pdf", .numbered(pages: 2))
        expect(try await spooler.printq("submit", "--wait", "--duplex", "long", first, second))
        expect(try await spooler.printq("reprint", "1", "--wait"))
        let last = try await self.rows().suffix(2)
        #expect(last.map(\.sides) == [3, 1] && last.map(\.blanks) == [1, 1] && last.map(\.sheets) == [2, 1])
    }

    @Test func `accounting counts only the printed sides of a job that is canceled while printing`() async throws {
        let printer = try NetworkPrinter("--fault", "media-jam at page 4")
        expect(try await spooler.administer("lpadmin", "-p", "office", "-E", "-v", printer.uri))
        let path = try spooler.file("a.pdf", .numbered(pages: 5))
        let id = try await spooler.submit(path, "-d", "office", "--duplex", "long")
        try await spooler.eventually("the printer stops at the jam") {
            try await spooler.job(id).state == "processing-stopped"
        }
        expect(try await spooler.printq("cancel", "\(id)"))
        try await spooler.waitForEnd(of: id)
        let row = try #require(try await rows().last)
        let line = try #require(try printer.log.last)
        #expect(row.state == "canceled")
        #expect(row.sides + row.blanks == line.impressions && row.sides == 3, "\(row), \(line)")
        #expect(row.sheets == line.sheets, "\(row), \(line)")

        // A job that was never prepared costs nothing.
        expect(try await spooler.printq("printers", "pause", "office"))
        let waiting = try await spooler.submit(path, "-d", "office")
        expect(try await spooler.printq("cancel", "\(waiting)"))
        #expect(try await rows().last.map { $0.sides + $0.sheets } == 0)
    }

    @Test func `accounting totals are listed per user and per printer, even after the job history is deleted`()
        async throws
    {
        let path = try spooler.file("a, \"b\".pdf", .numbered(pages: 3))
        for printer in ["color-laser", "mono-laser", "color-laser"] {
            expect(try await spooler.printq("submit", "--wait", "-d", printer, "--duplex", "long", path))
        }
        // Purge-Jobs deletes the job history but not the accounting entries.
        expect(try await spooler.administer("cancel", "-a", "-x"))
        #expect(try await spooler.jobs("--all").isEmpty)
        #expect(try await rows().count == 3)
        let sums = try await spooler.printq("log", "--accounting", "--by", "printer", "--csv")
        expect(sums)
        #expect(
            sums.output.replacing(/\d+\r\n/, with: "B\r\n")
                == [
                    "printer,jobs,sheets,sides,color-sides,blank-sides,bytes", "color-laser,2,4,6,6,2,B",
                    "mono-laser,1,2,3,0,1,B", "",
                ].joined(separator: "\r\n"))
        let table = try await spooler.printq("log", "--accounting", "--by", "user")
        expect(table)
        // The first column is as wide as the longest name.
        let width = max(NSUserName().count, "TOTAL".count)
        let column = { (text: String) in text.padding(toLength: width, withPad: " ", startingAt: 0) }
        #expect(table.lines.first == column("USER") + "  JOBS  SHEETS  SIDES  COLOR  BLANK  BYTES", "\(table)")
        #expect(
            table.lines.last?.hasPrefix(column("TOTAL") + "     3       6      9      6      3") == true, "\(table)")

        let csv = try await spooler.printq("log", "--accounting", "--csv", "-d", "mono-laser")
        expect(csv)
        #expect(
            csv.output.hasPrefix("job-id,user,printer,title,submitted,ended,state,copies,sheets,sides,blank-sides,"))
        #expect(csv.output.contains("\r\n2,\(NSUserName()),mono-laser,\"a, \"\"b\"\".pdf\",20"), "\(csv)")
        #expect(csv.output.contains("Z,completed,1,2,3,1,monochrome,"), "\(csv)")

        #expect(try await rows("--until", "2000-01-01").isEmpty)
        #expect(try await rows("--since", "2000-01-01").count == 3)
        #expect(try await rows("--user", "nobody").isEmpty)
        expect(try await spooler.printq("log", "--accounting", "--since", "yesterday"), code: 64)
        expect(try await spooler.printq("log", "--csv"), code: 64)
    }
}
