import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct SimulatedPrinterSuppliesTests {
    @Test func `an empty tray stops the printer until paper is loaded`() async throws {
        let bench = try PrinterBench { $0.trays = [.init(name: "main", capacity: 10, loaded: 2)] }
        try await bench.running {
            let id = try await bench.submit()
            await bench.printSide()
            await bench.printSide()
            let stopped = try await bench.job(id) { $0.state == .processingStopped }
            #expect(stopped.impressionsCompleted == 2 && stopped.message == "Tray 'main' is empty; load paper")
            let status = await bench.printer.status
            #expect(status.printer.state == .stopped && status.printer.reasons == ["media-empty-error"])
            #expect(status.trays.map(\.loaded) == [0])

            try await bench.printer.load(tray: "main", sheets: 5)
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.status.trays.map(\.loaded) == [4])
            await #expect(throws: SimulatorError.self) { try await bench.printer.load(tray: "top") }
        }
    }

    @Test func `a job can be canceled while it waits for paper, and the next job is printed`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) {
            $0.trays = [.init(name: "main", media: .a4)]
        }
        try await bench.running {
            let letter = try await bench.submit { $0.paper = PrintPaper(media: .letter) }
            _ = try await bench.status { $0.printer.reasons == ["media-needed-error"] }
            let next = try await bench.submit()
            try await bench.printer.cancelJob(letter)
            #expect(try await bench.ended(letter).state == .canceled)
            await bench.printSide()
            #expect(try await bench.ended(next).state == .completed)
        }
    }

    @Test func `if paper of a different size is loaded, the tray's paper size changes, and the job continues`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) {
            $0.trays = [.init(name: "main", media: .a4, loaded: 10)]
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await bench.submit { $0.paper = PrintPaper(media: .letter) }
            _ = try await bench.job(id) { $0.state == .processingStopped }
            try await bench.printer.load(tray: "main", sheets: 3, media: .letter)
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.status.trays.map(\.media) == [.letter])
        }
    }

    @Test func `color jobs use all supplies, monochrome jobs use only black, and the printer replaces an empty supply`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 2)) {
            $0.isColor = true
            $0.speed = .instant
            $0.supplies = [
                .init(name: "K", color: "black", type: "toner", level: 2, yield: 100),
                .init(name: "C", color: "cyan", type: "toner", yield: 100),
            ]
        }
        try await bench.running {
            _ = try await bench.ended(try await bench.submit { $0.colorMode = .monochrome })
            #expect(await bench.printer.status.supplies.map(\.level) == [100, 100])
            _ = try await bench.ended(try await bench.submit())
            #expect(await bench.printer.status.supplies.map(\.level) == [98, 98])
            #expect(await bench.printer.status.impressionsPrinted == 4)
        }
    }

    @Test func `with 'stopsWhenEmpty', the printer first reports a low supply, and stops when the supply is empty`()
        async throws
    {
        let bench = try PrinterBench {
            $0.supplies = [
                .init(name: "Black", color: "black", type: "toner", level: 2, yield: 50, stopsWhenEmpty: true)
            ]
        }
        try await bench.running {
            #expect(await bench.printer.status.printer.reasons == ["toner-low-warning"])
            let id = try await bench.submit()
            await bench.printSide()
            let job = try await bench.job(id) { $0.state == .processingStopped }
            #expect(job.impressionsCompleted == 1)
            #expect(await bench.printer.status.printer.reasons == ["toner-empty-error"])
            try await bench.printer.replace(supply: "Black")
            await bench.printSide()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `an error condition stops the printer until the condition is cleared`() async throws {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            await bench.printer.plan(try Fault("media-jam"))
            await bench.printSide()
            _ = try await bench.job(id) { $0.state == .processingStopped && $0.message == "Paper jam; clear the jam" }
            #expect(await bench.printer.status.printer.reasons == ["media-jam-error"])
            await bench.printer.clear("media-jam")
            await bench.printSide()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `if a two-sided job is canceled during a front side, the sheet is output and counted`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 4)) { $0.sides = [.none, .longEdge] }
        try await bench.running {
            let id = try await bench.submit { $0.duplex = .longEdge }
            await bench.printSide()
            await bench.printSide()
            await bench.clock.sleepers(1)
            try await bench.printer.cancelJob(id)
            await bench.printSide()
            let job = try await bench.ended(id)
            #expect(job.impressionsCompleted == 3 && job.sheetsCompleted == 2)
        }
    }
}
