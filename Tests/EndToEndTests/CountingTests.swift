import Foundation
import PrintTestSupport
import Testing

/// Tests of the numbers of pages, sides and sheets that the queue and the printers report.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct CountingTests {
    private let spooler: TestSpooler

    init() throws {
        spooler = try TestSpooler()
        try spooler.start()
    }

    /// The counts of one job.
    private struct Counts: Equatable {
        var summary: String
        var log: String
        var shown: String
        var impressions: Int
        var sheets: Int
    }

    /// Prints documents with these numbers of pages as one job.
    ///
    /// Returns the last line of `submit`, the page counts in `log` and `show`, and the printer's own counts.
    private func counts(_ pages: Int..., options: [String]) async throws -> Counts {
        let paths = try pages.map { try spooler.file("\($0)-\(UUID().uuidString).pdf", .numbered(pages: $0)) }
        let run = try await spooler.run(
            spooler.program("printq"), ["submit", "--wait", "-d", "color-laser"] + options + paths)
        expect(run)
        let id = try #require(run.jobID)
        let row = try #require(
            try await spooler.printq("log").lines.first { $0.split(separator: " ").first == "\(id)" })
        let shown = try await spooler.printq("show", "\(id)").lines.first { $0.hasPrefix("pages ") }
        let line = try #require(try spooler.log(of: "color-laser").last)
        return Counts(
            summary: run.lines[0], log: String(row.split(separator: " ")[4]),
            shown: String(try #require(shown).drop { $0 != " " }).trimmingCharacters(in: .whitespaces),
            impressions: line.impressions, sheets: line.sheets)
    }

    @Test func `the page count of a two-sided job does not include blank backs`() async throws {
        #expect(
            try await counts(1, options: ["--duplex", "long"])
                == Counts(
                    summary: "job 1 completed: 1 page on 1 sheet", log: "1", shown: "1 of 1 printed, on 1 sheet",
                    impressions: 1, sheets: 1))
        #expect(
            try await counts(5, options: ["--duplex", "long"])
                == Counts(
                    summary: "job 2 completed: 5 pages on 3 sheets", log: "5", shown: "5 of 5 printed, on 3 sheets",
                    impressions: 5, sheets: 3))
        let job = try await spooler.printq("show", "2", "--json").output
        for count in [
            "\"job-pages\": 5", "\"job-impressions\": 5", "\"job-impressions-completed\": 5", "\"job-media-sheets\": 3",
        ] { #expect(job.contains(count), "\(job)") }
        let told = try await spooler.told(2)
        #expect(told.last?.hasSuffix(" on color-laser: completed: 5 pages") == true, "\(told)")
        #expect(!told.contains { $0.contains("of 6") }, "\(told)")
    }

    @Test func `with two pages per side, the page count is the number of document pages, without blank backs`()
        async throws
    {
        #expect(
            try await counts(5, options: ["--duplex", "long", "--number-up", "2", "-n", "2"])
                == Counts(
                    summary: "job 1 completed: 2 copies of 5 pages on 4 sheets", log: "5",
                    shown: "5 of 5 printed, copy 2 of 2, 6 sides on 4 sheets", impressions: 6, sheets: 4))
        // printd arranges the pages of uncollated copies before it sends the job.
        #expect(
            try await counts(3, 1, options: ["--duplex", "long", "--number-up", "2", "-n", "3", "--no-collate"])
                == Counts(
                    summary: "job 2 completed: 3 copies of 4 pages on 6 sheets", log: "4",
                    shown: "4 of 4 printed, copy 3 of 3, 9 sides on 6 sheets", impressions: 9, sheets: 6))
        #expect(
            try await counts(3, options: ["--number-up", "2"])
                == Counts(
                    summary: "job 3 completed: 3 pages on 2 sheets", log: "3",
                    shown: "3 of 3 printed, 2 sides on 2 sheets", impressions: 2, sheets: 2))
    }
}
