import PrintModel
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct CopiesAndSidesTests {
    @Test(arguments: [
        (1, Duplex.none, true, 3, 3), (2, .none, false, 6, 6), (1, .longEdge, true, 4, 2), (3, .shortEdge, true, 12, 6),
        (2, .longEdge, false, 8, 4),
    ])
    func `three pages make as many sides and sheets as copies and sides ask for`(
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
            #expect(job.impressionsCompleted == impressions && job.sheetsCompleted == sheets)
        }
    }

    @Test func `page by page, the second page comes out after all copies of the first`() async throws {
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
