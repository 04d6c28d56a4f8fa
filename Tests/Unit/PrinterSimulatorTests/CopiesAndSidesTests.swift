import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct CopiesAndSidesTests {
    @Test(arguments: [
        (1, Duplex.none, true, 3, 3), (2, .none, false, 6, 6), (1, .longEdge, true, 3, 2), (3, .shortEdge, true, 9, 6),
        (2, .longEdge, false, 6, 4),
    ])
    func `copies multiply the number of impressions, and two-sided printing reduces the number of sheets`(
        copies: Int, duplex: Duplex, collated: Bool, impressions: Int, sheets: Int
    ) async throws {
        let bench = try PrinterBench {
            $0.sides = Duplex.allCases
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await bench.submit {
                $0.copies = copies
                $0.duplex = duplex
                $0.collated = collated
            }
            let job = try await bench.ended(id)
            #expect(job.impressions == impressions && job.impressionsCompleted == impressions)
            #expect(job.sheets == sheets && job.sheetsCompleted == sheets)
        }
    }

    @Test func `a two-sided job of one page counts as one impression and uses ink for one impression`()
        async throws
    {
        let jam = try Fault("media-jam at page 2")
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) {
            $0.sides = Duplex.allCases
            $0.speed = .instant
            $0.supplies = [.init(name: "Black", color: "black", type: "toner", yield: 100)]
            $0.faults = [jam]
        }
        try await bench.running {
            let job = try await bench.ended(try await bench.submit { $0.duplex = .longEdge })
            #expect(job.state == .completed && job.impressions == 1 && job.impressionsCompleted == 1)
            #expect(job.sheets == 1 && job.sheetsCompleted == 1)
            let status = await bench.printer.status
            #expect(status.impressionsPrinted == 1 && status.sheetsPrinted == 1 && status.supplies[0].level == 99)
            #expect(try bench.text("printer.log").contains("\"impressions\":1,"))
        }
    }

    @Test func `a blank page is counted as an impression on the front of a sheet but not on the back`() async throws {
        // Five pages. The second and the third page are blank.
        var pages = (1...5).map { ScriptedWorker.page($0) }
        (pages[1].isBlank, pages[2].isBlank) = (true, true)
        let bench = try PrinterBench(ScriptedWorker(.pages(pages))) {
            $0.sides = Duplex.allCases
            $0.speed = .instant
        }
        try await bench.running {
            let job = try await bench.ended(
                try await bench.submit {
                    $0.duplex = .longEdge
                    $0.copies = 2
                })
            #expect(job.impressions == 8 && job.impressionsCompleted == 8 && job.sheetsCompleted == 6)
            #expect(bench.exists("job-000001/page-0002.png"))
            let report = try JobReport(folder: bench.path("job-000001"))
            #expect(report.job.plan?.blankBacks == [0, 2])
            #expect(try report.json() == Array(try bench.text("job-000001/job.json").utf8))
        }
    }

    @Test func `the job message contains the copy number and the page number within the document`() async throws {
        let bench = try PrinterBench { $0.sides = Duplex.allCases }
        try await bench.running {
            let id = try await bench.submit {
                $0.copies = 2
                $0.duplex = .longEdge
            }
            var seen: [String] = []
            for side in 0..<8 {
                await bench.clock.sleeper(for: .seconds(1))
                seen.append(try await bench.job(id) { $0.sidesCompleted == side }.message)
                bench.clock.advance(by: .seconds(1))
            }
            #expect(
                seen == [
                    "Printing page 1 of 3, copy 1 of 2", "Printing page 2 of 3, copy 1 of 2",
                    "Printing page 3 of 3, copy 1 of 2",
                    // The back of page 3.
                    "Printing page 1 of 3, copy 2 of 2",
                    "Printing page 1 of 3, copy 2 of 2", "Printing page 2 of 3, copy 2 of 2",
                    "Printing page 3 of 3, copy 2 of 2", "Printing page 3 of 3, copy 2 of 2",
                ])
            #expect(try await bench.ended(id).impressionsCompleted == 6)
        }
    }

    @Test func `with uncollated copies, all copies of the first page are printed before the second page`() async throws
    {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit {
                $0.copies = 2
                $0.collated = false
            }
            await bench.printSide()
            await bench.printSide()
            _ = try await bench.job(id) { $0.impressionsCompleted == 2 }
            #expect(bench.exists("job-000001/page-0001.png") && !bench.exists("job-000001/page-0002.png"))
            await bench.printSide()
            _ = try await bench.job(id) { $0.impressionsCompleted == 3 }
            #expect(bench.exists("job-000001/page-0002.png"))
            for _ in 0..<3 { await bench.printSide() }
            #expect(try await bench.ended(id).state == .completed)
        }
    }
}
