import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct JobReportTests {
    @Test func `job.json contains the request, the result and the clipped pages`() async throws {
        let bench = try PrinterBench(
            ScriptedWorker(.pages([ScriptedWorker.page(1), ScriptedWorker.page(2, clipped: [.left])]))
        ) { $0.speed = .instant }
        try await bench.running {
            _ = try await bench.ended(try await bench.submit("Report"))
        }
        #expect(
            try bench.text("job-000001/job.json") == """
                {
                  "collated" : true,
                  "colorMode" : "monochrome",
                  "completedAt" : "2023-11-14T22:13:20.250Z",
                  "copies" : 1,
                  "createdAt" : "2023-11-14T22:13:20.250Z",
                  "documents" : [
                    {
                      "bytes" : 15,
                      "file" : "original.pdf",
                      "format" : "application/pdf"
                    }
                  ],
                  "failedChecks" : [
                    {
                      "check" : "printable-area",
                      "message" : "content lies outside of the printable area on page 2",
                      "pages" : [
                        2
                      ]
                    }
                  ],
                  "id" : 1,
                  "impressions" : 2,
                  "impressionsCompleted" : 2,
                  "message" : "content clipped at the left margin on page 2",
                  "name" : "Report",
                  "outputBin" : "face-down",
                  "owner" : "ann",
                  "pageRanges" : "1-",
                  "pages" : [
                    {
                      "clipped" : [

                      ],
                      "file" : "page-0001.png",
                      "height" : 1169,
                      "isBlank" : false,
                      "page" : 1,
                      "width" : 827
                    },
                    {
                      "clipped" : [
                        "left"
                      ],
                      "file" : "page-0002.png",
                      "height" : 1169,
                      "isBlank" : false,
                      "page" : 2,
                      "width" : 827
                    }
                  ],
                  "paper" : {
                    "margins" : {
                      "bottom" : 423,
                      "left" : 423,
                      "right" : 423,
                      "top" : 423
                    },
                    "media" : "iso_a4_210x297mm"
                  },
                  "printer" : "bench",
                  "processingAt" : "2023-11-14T22:13:20.250Z",
                  "reasons" : [
                    "job-completed-with-warnings"
                  ],
                  "resolution" : 100,
                  "sheets" : 2,
                  "sheetsCompleted" : 2,
                  "sides" : "one-sided",
                  "stack" : "first-sheet-on-top",
                  "state" : "completed",
                  "ticket" : {
                    "copies" : 1
                  },
                  "uuid" : "urn:uuid:1",
                  "warnings" : [
                    "content clipped at the left margin on page 2"
                  ]
                }

                """)
        let report = try JobReport(folder: bench.path("job-000001"))
        #expect(try report.json() == Array(try bench.text("job-000001/job.json").utf8))
    }

    @Test func `printer.log has one line per ended job, in the order in which the jobs ended`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        try await bench.running {
            _ = try await bench.ended(try await bench.submit("a"))
            await bench.printer.pause()
            let second = try await bench.submit("b")
            try await bench.printer.cancelJob(second)
        }
        let lines = try bench.text("printer.log").split(separator: "\n").map {
            try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
        }
        #expect(lines.map { $0["name"] } == ["a", "b"])
        #expect(lines.map { $0["state"] } == ["completed", "canceled"])
        #expect(lines.map { $0["impressions"] } == [1, 0])
        #expect(lines.map { $0["folder"] } == ["job-000001", "job-000002"])
    }

    @Test func `in the report of a two-sided job, the blank backs between one-page documents have no image`()
        async throws
    {
        let bench = try PrinterBench { $0.speed = .instant }
        try await bench.running {
            _ = try await bench.ended(try await bench.submit())
        }
        var report = try JobReport(folder: bench.path("job-000001"))
        report.job.options.duplex = .longEdge
        report.pages = (1...4).map { ScriptedWorker.page($0) }
        report.job.plan = SheetPlan(
            media: "iso_a4_210x297mm", isColor: false, copies: 1, sheetsPerCopy: 4, blankBacks: [0, 1, 2, 3], pages: 4)
        #expect(report.sides.map(\.page) == [1, nil, 2, nil, 3, nil, 4])
        #expect(report.sides.map(\.sheet) == [1, 1, 2, 2, 3, 3, 4])
    }

    @Test func `the report of a job contains whether the last sheet is printed first`() async throws {
        for bins: Set<String> in [[], ["bin"]] {
            let bench = try PrinterBench {
                ($0.outputBins, $0.lastFirstBins) = (["bin"], bins)
                $0.speed = .instant
            }
            try await bench.running { _ = try await bench.ended(try await bench.submit()) }
            let report = try JobReport(folder: bench.path("job-000001"))
            #expect(report.job.plan?.isReversed == !bins.isEmpty)
            #expect(try report.json() == Array(try bench.text("job-000001/job.json").utf8))
        }
    }
}
