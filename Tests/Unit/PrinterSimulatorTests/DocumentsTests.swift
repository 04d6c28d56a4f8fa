import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of jobs with several documents.
@Suite(.timeLimit(.minutes(1))) struct DocumentsTests {
    private func add(_ count: Int, to bench: PrinterBench, copies: Int, collated: Bool, duplex: Duplex) async throws
        -> Int
    {
        let options = DeviceOptions(paper: PrinterBench.paper, copies: copies, collated: collated, duplex: duplex)
        let job = try await bench.printer.createJob(SimulatedJobRequest(name: "set", owner: "ann", options: options))
        for number in 1...count {
            let file = bench.printer.nextDocument()
            try Data("%PDF-1.4 \(number)".utf8).write(to: URL(filePath: file))
            try await bench.printer.addDocument(file, name: "\(number)", to: job.id, isLast: false)
        }
        return job.id
    }

    @Test(arguments: [true, false])
    func `each document of each copy starts on a new sheet`(collated: Bool) async throws {
        let bench = try PrinterBench {
            $0.sides = [.none, .longEdge]
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await add(2, to: bench, copies: 2, collated: collated, duplex: .longEdge)
            #expect(await bench.printer.job(id)?.isIncoming == true)
            try await bench.printer.closeJob(id)
            let job = try await bench.ended(id)
            // Each document has three pages on two sheets. Two copies of two documents use eight sheets.
            #expect(job.state == .completed && job.sheetsCompleted == 8 && job.impressionsCompleted == 12)
            #expect(job.documents.map(\.file) == ["original.pdf", "original-2.pdf"])
            #expect(job.documents.map(\.name) == ["1", "2"])
            for file in ["original-2.pdf", "page-0006.png", "sheets.pdf"] {
                #expect(bench.exists("job-000001/\(file)"))
            }
            #expect(!bench.exists("job-000001/page-0007.png"))
            let request = try #require(bench.worker.requests.first)
            #expect(request.others.map(\.path).map { $0.hasSuffix("/original-2.pdf") } == [true])
        }
    }

    @Test func `trim-after-documents cuts a roll after each document`() async throws {
        let bench = try PrinterBench {
            $0.papers = [PrintPaper(media: .photo4x6)]
            $0.trays = [.init(name: "roll", rollWidth: .inches(4))]
            $0.hasCutter = true
            $0.speed = .instant
        }
        try await bench.running {
            let job = try await bench.printer.createJob(
                SimulatedJobRequest(
                    name: "set", owner: "ann", options: DeviceOptions(paper: PrintPaper(media: .photo4x6), copies: 2),
                    rollCut: .afterDocuments))
            for isLast in [false, true] {
                let file = bench.printer.nextDocument()
                try Data("%PDF-1.4".utf8).write(to: URL(filePath: file))
                try await bench.printer.addDocument(file, to: job.id, isLast: isLast)
            }
            #expect(try await bench.ended(job.id).pieces.map(\.pages) == [3, 3, 3, 3])
        }
    }

    @Test func `a job accepts at most 100 documents`() async throws {
        let bench = try PrinterBench()
        let id = try await add(SimulatedPrinter.mostDocuments, to: bench, copies: 1, collated: true, duplex: .none)
        let file = bench.printer.nextDocument()
        try Data("%PDF-1.4".utf8).write(to: URL(filePath: file))
        let error = await #expect(throws: SimulatorError.self) {
            try await bench.printer.addDocument(file, to: id)
        }
        #expect(error?.code == .tooManyDocuments)
        #expect(try await bench.printer.closeJob(id).state == .pending)
    }

    @Test func `if a job is closed without a document, the job is aborted`() async throws {
        let bench = try PrinterBench()
        let job = try await bench.printer.createJob(
            SimulatedJobRequest(name: "none", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)))
        let closed = try await bench.printer.closeJob(job.id)
        #expect(closed.state == .aborted && closed.reasons == [.errorsDetected, .abortedBySystem])
        #expect(closed.message.contains("no document"))
        #expect(await bench.printer.unfinishedJobs.isEmpty)
        // Closing the job again changes nothing.
        #expect(try await bench.printer.closeJob(job.id).state == .aborted)
    }
}
