// Tests that lpstat, printq and the Print Center show every option that a job does not apply.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(4)))
struct IgnoredOptionTests {
    private let spooler: TestSpooler
    private let host: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(listen: "localhost:0").host
    }

    /// Options with values that are not supported, and the words of their warnings.
    private static let options = [
        ("sides=foo", "'foo'"), ("media=nosuch", "'nosuch'"), ("number-up=7", "'7'"), ("finishings=4", "'4'"),
        ("print-quality=9", "'9'"), ("job-sheets=ours", "'ours'"), ("page-set=some", "'some'"),
        ("print-color-mode=sepia", "'sepia'"), ("output-bin=attic", "'attic'"), ("x-image-shift=40", "x-image-shift"),
        ("job-cover-front=yes", "job-cover-front"), ("gamma=1800", "gamma"),
    ]

    @Test func `lpstat, show, why and the Print Center name each option that a job does not apply`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let run = try await spooler.run(
            "lp", ["-d", "color-laser"] + Self.options.flatMap { ["-o", $0.0] } + [path],
            environment: ["CUPS_SERVER": host])
        try #require(run.code == 0, "\(run)")
        try await spooler.waitForEnd(of: 1)
        let shown = [
            "lpstat": try await spooler.run(
                "lpstat", ["-W", "all", "-l", "-o", "color-laser"], environment: ["CUPS_SERVER": host]),
            "printq show": try await spooler.printq("show", "1"), "printq why": try await spooler.printq("why", "1"),
        ]
        // The message of a job has at most 1,023 bytes.
        #expect(shown["lpstat"]?.output.contains("9 more warnings") == true)
        for (program, output) in shown {
            for (option, words) in Self.options where program != "lpstat" {
                #expect(output.output.contains(words), "\(program) does not mention \(option): \(output)")
            }
        }
        let center = try await spooler.run(
            "curl", ["-s", "--unix-socket", spooler.socket, "http://localhost/api/v1/jobs/1"])
        for (option, words) in Self.options {
            #expect(center.output.contains(words), "the Print Center does not mention \(option): \(center)")
        }
        #expect(try await spooler.job(1).reasons == ["job-completed-with-warnings"])
    }
}
