// Tests cover sheets (`job-sheets`) with lp, lpadmin, printq and its previews.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(4)))
struct CoverSheetTests {
    private let spooler: TestSpooler
    private let host: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(listen: "localhost:0").host
    }

    /// Prints three pages with lp, and returns the job.
    private func lp(_ options: String..., printer: String = "color-laser", title: String = "Report") async throws
        -> QueuedJob
    {
        let path = try spooler.file("three.pdf", .numbered(pages: 3))
        let run = try await spooler.run(
            "lp", ["-d", printer, "-t", title] + options + [path], environment: ["CUPS_SERVER": host])
        try #require(run.code == 0, "\(run)")
        let id = try #require(Int(run.output.split { !$0.isNumber }.first ?? ""))
        try await spooler.waitForEnd(of: id)
        return try await spooler.job(id)
    }

    @Test func `cover sheets are printed once per job on their own sheets, and are counted`() async throws {
        let job = try await lp("-n", "2", "-o", "sides=two-sided-long-edge", "-o", "job-sheets=standard,confidential")
        // A cover sheet, two copies of two sheets with three pages, and a cover sheet.
        #expect((job.state, job.sheets, job.impressions) == ("completed", 6, 8), "\(job)")
        let line = try #require(try spooler.log(of: "color-laser").last)
        #expect((line.sheets, line.impressions, line.warnings) == (6, 8, []))
        let shown = try await spooler.printq("show", "\(job.id)", "--json").output
        #expect(shown.contains("\"job-pages\": 3"), "\(shown)")
        #expect(shown.contains("\"job-media-sheets\": 6"), "\(shown)")
    }

    @Test func `a cover sheet shows title and user in any script, and page ranges do not apply to it`() async throws {
        let out = spooler.folder.path("out")
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        expect(try await spooler.printq("printers", "add", "files", "folder:\(out)"))
        let job = try await lp(
            "-o", "job-sheets=secret", "-o", "page-ranges=2", printer: "files", title: "年次 التقرير वार्षिक")
        #expect(job.impressions == 2)
        let file = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: out).first { $0.hasSuffix(".pdf") })
        let text = try await spooler.run("pdftotext", ["-l", "1", "\(out)/\(file)", "-"])
        for word in ["Secret", "年次", "التقرير", "वार्षिक", "Job", "\(job.id)", NSUserName(), "files"] {
            #expect(text.output.contains(word), "\(word): \(text)")
        }
        #expect(try await spooler.run("pdftotext", ["-f", "2", "\(out)/\(file)", "-"]).output.contains("2"))
    }

    @Test func `lpadmin sets the default cover sheets of a printer, and a job can omit them`() async throws {
        expect(try await spooler.administer("lpadmin", "-p", "color-laser", "-o", "job-sheets-default=standard,none"))
        let options = try await spooler.run(
            "lpoptions", ["-p", "color-laser"], environment: ["CUPS_SERVER": host])
        #expect(options.output.contains("job-sheets=standard,none"), "\(options)")
        #expect(try await lp().impressions == 4)
        #expect(try await lp("-o", "job-sheets=none").impressions == 3)
        let path = try spooler.file("one.pdf", .numbered(pages: 1))
        let own = try await spooler.submit(path, "-d", "color-laser", "--cover-sheets", "standard,standard")
        try await spooler.waitForEnd(of: own)
        #expect(try await spooler.job(own).sheets == 3)
        expect(try await spooler.administer("lpadmin", "-p", "color-laser", "-o", "job-sheets-default=none,none"))
        #expect(try await lp().impressions == 3)
    }

    @Test func `an unknown cover sheet is a warning of the job that names the allowed sheets`() async throws {
        let job = try await lp("-o", "job-sheets=ours")
        #expect(job.impressions == 3)
        #expect(job.message?.contains("topsecret") == true, "\(job)")
        let refused = try await spooler.printq(
            "submit", "--cover-sheets", "ours", spooler.file("a.pdf", .numbered(pages: 1)))
        #expect(refused.code != 0 && refused.complaints.contains("'ours'") && refused.complaints.contains("topsecret"))
    }

    @Test func `a preview shows the cover sheets`() async throws {
        let path = try spooler.file("two.pdf", .numbered(pages: 2))
        let run = try await spooler.run(
            spooler.program("printq"), ["preview", path, path, "--cover-sheets", "standard,secret", "--json"])
        #expect(run.output.components(separatedBy: "\"sides\": 3").count == 3, "\(run)")
    }
}
