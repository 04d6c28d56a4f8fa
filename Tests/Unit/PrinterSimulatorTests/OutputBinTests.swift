import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of output bins and the order of the sheets in a bin.
@Suite(.timeLimit(.minutes(1))) struct OutputBinTests {
    private func bench(_ bins: String, duplex: Bool = false) throws -> PrinterBench {
        let text = "{ name: 'x', makeAndModel: 'X', media: ['A4'], outputBins: \(bins) }"
        let read = try SimulatedPrinterDescription(json5: Data(text.utf8), file: "x.json5")
        return try PrinterBench {
            ($0.outputBins, $0.faceUpBins, $0.lastFirstBins) = (read.outputBins, read.faceUpBins, read.lastFirstBins)
            $0.speed = .instant
            if duplex { $0.sides = Duplex.allCases }
        }
    }

    private func print(_ bench: PrinterBench, into bin: String?, _ duplex: Duplex = .none) async throws -> SimulatedJob
    {
        let options = DeviceOptions(paper: PrinterBench.paper, duplex: duplex)
        let job = try await bench.printer.createJob(
            SimulatedJobRequest(name: "job", owner: "ann", options: options, outputBin: bin))
        let file = bench.printer.nextDocument()
        try Data("%PDF-1.4".utf8).write(to: URL(filePath: file))
        try await bench.printer.addDocument(file, to: job.id)
        return try await bench.ended(job.id)
    }

    @Test(arguments: [
        ("face-down", SimulatedJob.Stack.firstOnTop), ("face-up", .lastOnTop), ("stacker-1", .firstOnTop),
        ("mailbox-1", .lastOnTop), ("mailbox-2", .lastOnTop),
    ])
    func `in a face-up bin, the last sheet is on top, unless the printer prints the last sheet first`(
        bin: String, stack: SimulatedJob.Stack
    ) async throws {
        let bench = try bench(
            """
            ['face-down', 'face-up', { name: 'stacker-1', faces: 'up', order: 'last-to-first' },
             { name: 'mailbox-1', faces: 'up' }, { name: 'mailbox-2', order: 'last-to-first' }]
            """)
        try await bench.running {
            let job = try await print(bench, into: bin)
            #expect(job.outputBin == bin && job.stack == stack && job.warnings == [])
            #expect(bench.worker.requests.last?.isStackReversed == (stack == .lastOnTop))
            let report = try JobReport(folder: bench.path("job-000001")).job
            #expect(report.outputBin == bin && report.stack == stack)
        }
    }

    @Test func `a job without an output bin or with an unknown output bin uses the first bin`() async throws {
        let bench = try bench("['face-up', 'face-down']")
        try await bench.running {
            #expect(try await print(bench, into: nil).outputBin == "face-up")
            let job = try await print(bench, into: "top")
            #expect(job.outputBin == "face-up")
            #expect(job.warnings == ["no output bin 'top'; used 'face-up' instead"])
        }
    }

    @Test func `if a printer prints the last sheet first, the pages are output in reverse order`() async throws {
        let bench = try bench("[{ name: 'face-up', order: 'last-to-first' }]", duplex: true)
        let slow = try PrinterBench {
            ($0.outputBins, $0.faceUpBins, $0.lastFirstBins) = (["face-up"], ["face-up"], ["face-up"])
            $0.sides = Duplex.allCases
        }
        try await slow.running {
            let id = try await slow.submit { $0.duplex = .longEdge }
            await slow.printSide()
            _ = try await slow.job(id) { $0.impressionsCompleted == 1 }
            #expect(slow.exists("job-000001/page-0003.png") && !slow.exists("job-000001/page-0001.png"))
            for _ in 0..<3 { await slow.printSide() }
            #expect(try await slow.ended(id).state == .completed)
            #expect(slow.exists("job-000001/page-0001.png") && slow.exists("job-000001/page-0002.png"))
        }
        try await bench.running {
            let job = try await print(bench, into: nil, .longEdge)
            #expect(job.stack == .firstOnTop && job.sheetsCompleted == 2)
        }
    }

    @Test(arguments: [
        "[{ name: 'a' }, 'a']", "[{ name: 'a', faces: 'left' }]", "[{ name: 'a', order: 'random' }]", "['']",
        "[{ faces: 'up' }]",
    ])
    func `an invalid output bin in a printer file is refused`(bins: String) {
        #expect(throws: SimulatorError.self) { try bench(bins) }
    }
}
