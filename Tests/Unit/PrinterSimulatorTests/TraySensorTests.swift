import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Whether a printer knows what was put into its trays.
@Suite(.timeLimit(.minutes(1))) struct TraySensorTests {
    private func bench(
        sensor: Bool, media: Media? = .a4, pages: Int = 3, speed: PrintSpeed = .instant
    ) throws -> PrinterBench {
        try PrinterBench(ScriptedWorker(pages: pages)) {
            $0.trays = [.init(name: "main", media: media, hasSensor: sensor), .init(name: "rear", media: .letter)]
            $0.speed = speed
        }
    }

    @Test func `a tray with a sensor that holds another size stops the printer`() async throws {
        let bench = try bench(sensor: true)
        try await bench.running {
            try await bench.printer.load(tray: "main", sheets: 10, media: .letter)
            let id = try await bench.submit()
            _ = try await bench.job(id) { $0.state == .processingStopped }
            #expect(await bench.printer.status.printer.reasons == ["media-needed-error"])
            try await bench.printer.load(tray: "main", sheets: 10, media: .a4)
            #expect(try await bench.ended(id).warnings == [])
            #expect(bench.worker.requests.map(\.sheetChanges) == [[]])
        }
    }

    @Test func `without a sensor the page comes out on what is there, and the job says so`() async throws {
        let bench = try bench(sensor: false)
        try await bench.running {
            try await bench.printer.load(tray: "main", sheets: 10, media: .letter)
            // The printer goes on believing what its tray is set to.
            #expect(await bench.printer.status.trays.map(\.media) == [.a4, .letter])
            let job = try await bench.ended(try await bench.submit())
            #expect(
                job.warnings
                    == ["from page 1 on, tray 'main' fed Letter instead of A4, and did not notice"])
            #expect(job.state == .completed && job.reasons == [.jobCompletedWithWarnings])
            #expect(bench.worker.requests.last?.sheetChanges == [.init(page: 1, media: .letter)])
            #expect(bench.worker.requests.last?.paper.media == .a4)
            #expect(bench.exists("job-000001/page-0003.png") && !bench.exists("job-000001/unprinted"))
            #expect(await bench.printer.status.trays.map(\.loaded) == [7, nil])
            // A printer that is switched on again knows no more, and its tray holds the same.
            let again = try bench.switchedOn()
            #expect(await again.status.trays.map(\.media) == [.a4, .letter])
        }
    }

    @Test func `a wrong size at a page stops a printer that notices, until it is cleared or the right size loaded`()
        async throws
    {
        for ending in ["clear", "load"] {
            let bench = try bench(sensor: true)
            await bench.printer.plan(try Fault("media-wrong-size Letter at page 2"))
            try await bench.running {
                let id = try await bench.submit()
                let stopped = try await bench.job(id) { $0.state == .processingStopped }
                #expect(stopped.impressionsCompleted == 1)
                #expect(stopped.message == "Tray 'main' holds Letter; load A4")
                #expect(await bench.printer.status.printer.reasons == ["media-needed-error"])
                if ending == "clear" {
                    await bench.printer.clear("media-wrong-size")
                } else {
                    try await bench.printer.load(tray: "main", media: .a4)
                }
                // Whoever has seen to it is told so at once.
                let status = await bench.printer.status.printer
                #expect(status.reasons == [] && status.state != .stopped, "\(status)")
                #expect(!status.message.contains("holds Letter"), "\(status)")
                let job = try await bench.ended(id)
                #expect(job.state == .completed && job.warnings == [])
                #expect(await bench.printer.status.trays[0].media == .a4)
            }
        }
    }

    @Test func `a wrong size at a page is printed on by a printer that does not notice`() async throws {
        let bench = try bench(sensor: false)
        await bench.printer.plan(try Fault("media-wrong-size at page 2"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit())
            #expect(
                job.warnings
                    == ["from page 2 on, tray 'main' fed Letter instead of A4, and did not notice"])
            #expect(
                bench.worker.requests.map(\.sheetChanges) == [[], [.init(page: 2, media: .letter)]])
        }
    }

    @Test func `a wrong size in a later copy is told, and the pages keep their images`() async throws {
        let bench = try bench(sensor: false)
        await bench.printer.plan(try Fault("media-wrong-size A5 at page 4"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit { $0.copies = 2 })
            #expect(
                job.warnings
                    == ["from page 1 of a later copy on, tray 'main' fed A5 instead of A4, and did not notice"])
            #expect(bench.worker.requests.map(\.sheetChanges) == [[]])
        }
    }

    @Test func `when the last sheet is printed first, the wrong size is that of the first pages`() async throws {
        let bench = try PrinterBench {
            $0.trays = [.init(name: "main", media: .a4, hasSensor: false)]
            $0.lastFirstBins = ["face-down"]
            $0.speed = .instant
        }
        await bench.printer.plan(try Fault("media-wrong-size A5 at page 2"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit())
            #expect(job.warnings == ["from page 2 on, tray 'main' fed A5 instead of A4, and did not notice"])
            #expect(
                bench.worker.requests.last?.sheetChanges
                    == [.init(page: 1, media: .a5), .init(page: 3, media: .a4)])
        }
    }

    @Test func `a wrong size is in every tray that had the right one`() async throws {
        let bench = try PrinterBench {
            $0.trays = [.init(name: "a"), .init(name: "b"), .init(name: "c", media: .a4), .init(name: "d", media: .a3)]
            $0.speed = .instant
        }
        await bench.printer.plan(try Fault("media-wrong-size at page 2"))
        try await bench.running {
            let id = try await bench.submit()
            _ = try await bench.job(id) { $0.state == .processingStopped }
            #expect(await bench.printer.status.trays.map(\.media) == [.letter, .letter, .letter, .a3])
            #expect(await bench.printer.status.printer.message == "Tray 'a' holds Letter; load A4")
            await bench.printer.mend("media-wrong-size")
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.status.trays.map(\.media) == [nil, nil, .a4, .a3])
        }
    }

    @Test func `a fault of the wrong size is written as it is read`() throws {
        for text in [
            "media-wrong-size until cleared", "media-wrong-size na_letter_8.5x11in at job 2 page 3 for 5 seconds",
        ] {
            #expect(try Fault(text).description == text)
        }
        #expect(try Fault("media-wrong-size A5").kind == .wrongSize(.a5))
        #expect(throws: SimulatorError.self) { try Fault("media-wrong-size Folio-ish at page 2") }
    }

    @Test func `a tray can be set back to any size, and to an endless stack`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) {
            $0.trays = [.init(name: "main", media: .letter, capacity: 20, loaded: 0)]
            $0.speed = .instant
        }
        try await bench.running {
            try await bench.printer.load(tray: "main", isAnySize: true, isEndless: true)
            #expect(await bench.printer.status.trays == [.init(name: "main", capacity: 20)])
            for paper in [Media.a4, .letter] {
                let job = try await bench.ended(try await bench.submit { $0.paper.media = paper })
                #expect(job.state == .completed && job.warnings == [])
            }
            #expect(try await bench.switchedOn().status.trays == [.init(name: "main", capacity: 20)])
            try await bench.printer.load(tray: "main", sheets: 3, media: .a4)
            #expect(
                await bench.printer.status.trays == [.init(name: "main", media: .a4, capacity: 20, loaded: 3)])
        }
    }

    @Test func `what cannot lie in a tray is refused in words`() async throws {
        let bench = try PrinterBench {
            $0.trays = [.init(name: "main", capacity: 20), .init(name: "roll", rollWidth: .inches(4), loaded: 900)]
            $0.papers.append(PrintPaper(media: .photo4x6))
        }
        func refusal(
            _ tray: String, sheets: Int? = nil, media: Media? = nil, isAnySize: Bool = false
        ) async -> String {
            do throws(SimulatorError) {
                try await bench.printer.load(tray: tray, sheets: sheets, media: media, isAnySize: isAnySize)
                return ""
            } catch {
                return error.message
            }
        }
        let tooMany = await refusal("main", sheets: 21)
        #expect(tooMany == "tray 'main' takes at most 20 sheets, not 21")
        let tooLarge = await refusal("main", media: .a3)
        #expect(tooLarge == "printer 'bench' has no size of paper 'A3'; it has 4x6, A4, Letter")
        let tooNarrow = await refusal("roll", media: .custom(width: .millimeters(62), height: .millimeters(62)))
        #expect(tooNarrow.hasPrefix("printer 'bench' has no roll of width '62.0 mm'; it has "))
        let anyWidth = await refusal("roll", isAnySize: true)
        #expect(anyWidth.hasSuffix("say how wide, such as 62mm"))
        #expect(await refusal("roll", media: .photo4x6) == "")
    }
}
