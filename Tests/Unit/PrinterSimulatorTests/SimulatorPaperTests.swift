import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of the paper in trays and on rolls.
@Suite(.timeLimit(.minutes(1))) struct SimulatorPaperTests {
    @Test func `after paper is loaded into a tray without a fixed size, the tray supplies only this paper`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        try await bench.running {
            try await bench.printer.load(tray: "main", sheets: 1, media: .letter)
            #expect(
                bench.printer.description.capabilities(with: await bench.printer.status.trays).readyPapers.map(\.media)
                    == [.letter])
            let a4 = try await bench.submit()
            let stopped = try await bench.job(a4) { $0.state == .processingStopped }
            #expect(stopped.message == "No tray has A4; load A4")
            try await bench.printer.load(tray: "main", sheets: 1, media: .a4)
            #expect(try await bench.ended(a4).state == .completed)
            // After a tray is loaded, its sheets are counted, also after a restart.
            #expect(await bench.printer.status.trays.map(\.loaded) == [0])
            let again = try bench.switchedOn()
            #expect(await again.status.trays == bench.printer.status.trays)
        }
    }

    @Test func `a job waits for the requested paper type, and loading an unknown type is refused`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) {
            $0.papers = ["stationery", "labels"].map {
                PrintPaper(media: .a4, margins: .all(.millimeters(4.23)), type: $0)
            }
            $0.trays = [.init(name: "main", media: .a4, type: "stationery")]
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await bench.submit { $0.paper.type = "labels" }
            #expect(
                try await bench.job(id) { $0.state == .processingStopped }.message
                    == "No tray has A4 (labels); load A4 (labels)")
            #expect(await bench.printer.status.printer.reasons == ["media-needed-error"])
            let error = await #expect(throws: SimulatorError.self) {
                try await bench.printer.load(tray: "main", type: "silk")
            }
            #expect(error?.message == "printer 'bench' has no paper type 'silk'; available: labels, stationery")
            try await bench.printer.load(tray: "main", type: "labels")
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    private static let narrow = Media.custom(width: .millimeters(62), height: .millimeters(100))

    /// Returns a printer for 4 inch pages on a roll with half a meter left.
    private func rollBench(pages: Int = 3, left: Int = 500, speed: PrintSpeed = .instant) throws -> PrinterBench {
        try PrinterBench(ScriptedWorker(pages: pages)) {
            $0.papers = [.photo4x6, Self.narrow].map { PrintPaper(media: $0) }
            $0.defaultMedia = .photo4x6
            $0.trays = [.init(name: "roll", rollWidth: .inches(4), capacity: 30_000, loaded: left)]
            $0.hasCutter = true
            $0.speed = speed
        }
    }

    private func submit(to bench: PrinterBench, copies: Int = 1, collated: Bool = true, cut: RollCut?) async throws
        -> Int
    {
        let options = DeviceOptions(paper: PrintPaper(media: .photo4x6), copies: copies, collated: collated)
        let job = try await bench.printer.createJob(
            SimulatedJobRequest(name: "strip", owner: "ann", options: options, rollCut: cut))
        let file = bench.printer.nextDocument()
        try Data("%PDF-1.4".utf8).write(to: URL(filePath: file))
        try await bench.printer.addDocument(file, to: job.id)
        return job.id
    }

    @Test func `a roll is cut after each page until the remaining roll is too short for a page`() async throws {
        let bench = try rollBench()
        try await bench.running {
            let first = try await bench.ended(try await submit(to: bench, cut: nil))
            #expect(first.pieces == Array(repeating: RollPiece(length: .inches(6), pages: 1, isCut: true), count: 3))
            // Each page is 152.4 mm long, rounded up to 153 mm.
            #expect(await bench.printer.status.trays.map(\.loaded) == [500 - 3 * 153])
            #expect(try JobReport(folder: bench.path("job-000001")).job.pieces == first.pieces)

            let second = try await submit(to: bench, cut: nil)
            #expect(
                try await bench.job(second) { $0.state == .processingStopped }.message
                    == "Tray 'roll' is empty; load paper")
            try await bench.printer.load(tray: "roll", sheets: 1_000)
            #expect(try await bench.ended(second).state == .completed)
            #expect(await bench.printer.status.trays.map(\.loaded) == [1_000 - 3 * 153])
        }
    }

    @Test(arguments: [
        (RollCut.afterPages, true, [1, 1, 1, 1, 1, 1], true), (.afterCopies, true, [3, 3], true),
        (.afterCopies, false, [2, 2, 2], true), (.afterJob, true, [6], true), (.never, true, [6], false),
    ])
    func `two copies of three pages on a roll are cut into the requested pieces`(
        cut: RollCut, collated: Bool, pages: [Int], isCut: Bool
    ) async throws {
        let bench = try rollBench(left: 1_000)
        try await bench.running {
            let job = try await bench.ended(
                try await submit(to: bench, copies: 2, collated: collated, cut: cut))
            #expect(job.pieces.map(\.pages) == pages)
            #expect(job.pieces.map(\.length.hundredths) == pages.map { $0 * 15_240 })
            #expect(job.pieces.last?.isCut == isCut)
        }
    }

    @Test func `the printed part of a canceled job is cut off the roll`() async throws {
        let bench = try rollBench(speed: .real)
        try await bench.running {
            let id = try await submit(to: bench, cut: .afterJob)
            await bench.printSide()
            await bench.clock.sleepers(1)
            try await bench.printer.cancelJob(id)
            await bench.printSide()
            let job = try await bench.ended(id)
            #expect(job.pieces == [RollPiece(length: .inches(6) + .inches(6), pages: 2, isCut: true)])
        }
    }

    @Test func `after the printer is killed, the job lists the roll pieces that were cut before the kill`() async throws
    {
        let bench = try rollBench(left: 1_000, speed: .real)
        try await bench.running {
            let id = try await submit(to: bench, cut: nil)
            await bench.printSide()
            await bench.printSide()
            _ = try await bench.job(id) { $0.impressionsCompleted == 2 }
            await bench.clock.sleepers(1)
            let copy = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: bench.folder.path("bench"), toPath: copy.path("bench"))
            let again = try PrinterBench(folder: copy) { $0 = bench.printer.description }
            let job = try #require(await again.printer.job(id))
            #expect(job.state == .aborted)
            #expect(job.pieces == Array(repeating: RollPiece(length: .inches(6), pages: 1, isCut: true), count: 2))
            #expect(try JobReport(folder: again.path("job-000001")).job.pieces == job.pieces)
        }
    }

    @Test func `if a printer is killed before a requested cut, the printed part of the roll is cut at the next start`()
        async throws
    {
        for (cut, isCut) in [(RollCut.afterJob, true), (.never, false)] {
            let bench = try rollBench(left: 1_000, speed: .real)
            try await bench.running {
                let id = try await submit(to: bench, cut: cut)
                await bench.printSide()
                await bench.printSide()
                _ = try await bench.job(id) { $0.impressionsCompleted == 2 }
                await bench.clock.sleepers(1)
                let again = try bench.switchedOn()
                #expect(
                    await again.job(id)?.pieces
                        == [RollPiece(length: .inches(6) + .inches(6), pages: 2, isCut: isCut)])
            }
        }
    }

    @Test func `a job waits for a different roll if the page and the loaded roll have different widths`() async throws {
        let bench = try rollBench(pages: 1)
        try await bench.running {
            _ = bench
            let id = try await bench.submit { $0.paper = PrintPaper(media: .photo4x6) }
            _ = try await bench.ended(id)
            try await bench.printer.load(tray: "roll", sheets: 900, media: Self.narrow)
            let waiting = try await bench.submit { $0.paper = PrintPaper(media: .photo4x6) }
            _ = try await bench.job(waiting) { $0.state == .processingStopped }
            #expect(await bench.printer.status.printer.reasons == ["media-needed-error"])
            try await bench.printer.load(tray: "roll", sheets: 900, media: .photo4x6)
            #expect(try await bench.ended(waiting).state == .completed)
        }
    }
}
