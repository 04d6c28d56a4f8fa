import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of trays with and without a sensor for the paper size.
@Suite(.timeLimit(.minutes(1))) struct TraySensorTests {
    private func bench(
        sensor: Bool, media: Media? = .a4, pages: Int = 3, speed: PrintSpeed = .instant
    ) throws -> PrinterBench {
        try PrinterBench(ScriptedWorker(pages: pages)) {
            $0.trays = [.init(name: "main", media: media, hasSensor: sensor), .init(name: "rear", media: .letter)]
            $0.speed = speed
        }
    }

    @Test func `a tray with a size sensor stops the printer if the loaded size is not the requested size`() async throws
    {
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

    @Test func `a tray without a size sensor prints the page on the loaded size, with a warning`() async throws {
        let bench = try bench(sensor: false)
        try await bench.running {
            try await bench.printer.load(tray: "main", sheets: 10, media: .letter)
            // The printer still assumes the size from its description.
            #expect(await bench.printer.status.trays.map(\.media) == [.a4, .letter])
            let job = try await bench.ended(try await bench.submit())
            #expect(
                job.warnings
                    == [
                        "from page 1 on, tray 'main' fed Letter instead of A4; "
                            + "the printer did not detect the wrong size"
                    ])
            #expect(job.state == .completed && job.reasons == [.jobCompletedWithWarnings])
            #expect(bench.worker.requests.last?.sheetChanges == [.init(page: 1, media: .letter)])
            #expect(bench.worker.requests.last?.paper.media == .a4)
            #expect(bench.exists("job-000001/page-0003.png") && !bench.exists("job-000001/unprinted"))
            #expect(await bench.printer.status.trays.map(\.loaded) == [7, nil])
            // After a restart the printer still assumes the wrong size, and the tray still holds the loaded size.
            let again = try bench.switchedOn()
            #expect(await again.status.trays.map(\.media) == [.a4, .letter])
        }
    }

    @Test func `'media-wrong-size' stops a printer with a sensor until the fault is cleared or paper is loaded`()
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
                // The state is up to date as soon as the function returns.
                let status = await bench.printer.status.printer
                #expect(status.reasons == [] && status.state != .stopped, "\(status)")
                #expect(!status.message.contains("holds Letter"), "\(status)")
                let job = try await bench.ended(id)
                #expect(job.state == .completed && job.warnings == [])
                #expect(await bench.printer.status.trays[0].media == .a4)
            }
        }
    }

    @Test func `a printer without a sensor prints on paper of the wrong size, with a warning`() async throws {
        let bench = try bench(sensor: false)
        await bench.printer.plan(try Fault("media-wrong-size at page 2"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit())
            #expect(
                job.warnings
                    == [
                        "from page 2 on, tray 'main' fed Letter instead of A4; "
                            + "the printer did not detect the wrong size"
                    ])
            #expect(
                bench.worker.requests.map(\.sheetChanges) == [[], [.init(page: 2, media: .letter)]])
        }
    }

    @Test
    func `if 'media-wrong-size' starts in the second copy, the job has a warning and the page images do not change`()
        async throws
    {
        let bench = try bench(sensor: false)
        await bench.printer.plan(try Fault("media-wrong-size A5 at page 4"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit { $0.copies = 2 })
            #expect(
                job.warnings
                    == [
                        "from page 1 of a later copy on, tray 'main' fed A5 instead of A4; "
                            + "the printer did not detect the wrong size"
                    ])
            #expect(bench.worker.requests.map(\.sheetChanges) == [[]])
        }
    }

    @Test func `if the last sheet is printed first, 'media-wrong-size at page 2' affects page 2 and page 1`()
        async throws
    {
        let bench = try PrinterBench {
            $0.trays = [.init(name: "main", media: .a4, hasSensor: false)]
            $0.lastFirstBins = ["face-down"]
            $0.speed = .instant
        }
        await bench.printer.plan(try Fault("media-wrong-size A5 at page 2"))
        try await bench.running {
            let job = try await bench.ended(try await bench.submit())
            #expect(
                job.warnings
                    == ["from page 2 on, tray 'main' fed A5 instead of A4; the printer did not detect the wrong size"])
            #expect(
                bench.worker.requests.last?.sheetChanges
                    == [.init(page: 1, media: .a5), .init(page: 3, media: .a4)])
        }
    }

    @Test func `'media-wrong-size' loads the wrong size into every tray that could supply the requested size`()
        async throws
    {
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
            await bench.printer.endFaults(["media-wrong-size"])
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.status.trays.map(\.media) == [nil, nil, .a4, .a3])
        }
    }

    @Test func `the description of a parsed 'media-wrong-size' fault is equal to the parsed text`() throws {
        for text in [
            "media-wrong-size until cleared", "media-wrong-size na_letter_8.5x11in at job 2 page 3 for 5 seconds",
        ] {
            #expect(try Fault(text).description == text)
        }
        #expect(try Fault("media-wrong-size A5").kind == .wrongSize(.a5))
        #expect(throws: SimulatorError.self) { try Fault("media-wrong-size Folio-ish at page 2") }
    }

    @Test func `a tray can be set to supply every size and to never become empty`() async throws {
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

    @Test func `invalid paper is refused with a message`() async throws {
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
        #expect(tooMany == "tray 'main' holds at most 20 sheets, not 21")
        let tooLarge = await refusal("main", media: .a3)
        #expect(tooLarge == "printer 'bench' has no paper size 'A3'; available: 4x6, A4, Letter")
        let tooNarrow = await refusal("roll", media: .custom(width: .millimeters(62), height: .millimeters(62)))
        #expect(tooNarrow.hasPrefix("printer 'bench' has no roll with the width '62.0 mm'; available: "))
        let anyWidth = await refusal("roll", isAnySize: true)
        #expect(anyWidth.hasSuffix("give the width of the roll, such as 62mm, not 'any'"))
        #expect(await refusal("roll", media: .photo4x6) == "")
    }
}
