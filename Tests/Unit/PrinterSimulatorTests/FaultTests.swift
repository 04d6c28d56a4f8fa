import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of the text form of faults.
struct FaultTextTests {
    @Test(arguments: [
        ("media-jam", "media-jam until cleared"), ("media-jam at page 3", "media-jam at page 3 until cleared"),
        ("media-jam at job 2 page 3 for 10 seconds", "media-jam at job 2 page 3 for 10 seconds"),
        ("busy with chance 0.0001%", "status server-error-busy with chance 0.0001% until cleared"),
        ("toner-low with chance 2.5%", "toner-low with chance 2.5% until cleared"),
        ("slow x10", "slow x10 until cleared"),
        ("slow ×2.5 for 1 s", "slow x2.5 for 1 second"), ("crash at page 2", "crash at page 2 for 0 seconds"),
        ("crash until cleared", "crash until cleared"), ("busy once", "status server-error-busy once"),
        ("status client-error-gone at Print-Job 3 times", "status client-error-gone at Print-Job 3 times"),
        ("http 503 for 2 seconds", "http 503 for 2 seconds"),
        ("stall at Send-Document", "stall at Send-Document until cleared"),
        ("drop at Create-Job once", "drop at Create-Job once"),
        ("drop at byte 8 once", "drop at byte 8 once"),
        ("reset at Print-Job byte 4096", "reset at Print-Job byte 4096 until cleared"),
        ("media-jam after 30 s for 5 seconds", "media-jam after 30 seconds for 5 seconds"),
        ("trickle 100 at Get-Jobs", "trickle 100 at Get-Jobs until cleared"), ("refuse once", "refuse once"),
        ("tls-failure", "tls-failure until cleared"), ("tls-stall for 5 seconds", "tls-stall for 5 seconds"),
        ("tls-expired with chance 50%", "tls-expired with chance 50% until cleared"),
        ("tls-wrong-name once", "tls-wrong-name once"),
        ("duplicate at Print-Job after 2 seconds once", "duplicate at Print-Job after 2 seconds once"),
    ])
    func `the description of a simulated fault has a standard form and is parsed to an equal fault`(
        text: String, canonical: String
    ) throws {
        let fault = try Fault(text)
        #expect(fault.description == canonical)
        #expect(try Fault(canonical) == fault)
    }

    @Test(arguments: [
        ("", "the text is empty"), ("fire", "unknown fault 'fire'; known faults:"), ("slow", "from x1 to x10000"),
        ("slow x0", "from x1 to x10000"), ("media-jam at", "operation after 'at'"),
        ("media-jam at noon", "'noon' cannot follow 'at'"),
        ("media-jam at page 0", "a number from 1"), ("media-jam at page x", "a number from 1"),
        ("media-jam until tomorrow", "expected 'cleared' after 'until'"), ("media-jam for ever", "a number from 0"),
        ("media-jam for 3 days", "a number and 'seconds'"), ("media-jam 3 times", "cannot end after a number of"),
        ("media-jam at Print-Job", "can start at a job or page"), ("busy at page 3", "cannot start at a job or page"),
        ("media-jam with luck", "expected 'chance N%'"), ("media-jam with chance 0%", "above 0%"),
        ("media-jam soon", "unknown word 'soon'"),
        ("busy 0 times", "at least 1, not 0"), ("media-jam at page 2 at page 3", "'page N' occurs twice"),
        ("busy at Get-Jobs at Print-Job", "the operation occurs twice"),
        ("busy once 2 times", "the end occurs twice"),
        ("busy at Bogus-Op", "unknown operation 'Bogus-Op'; use an"),
        ("media-jam at page 0", "'0' is not a number from 1"), ("media-jam at page", "a number from 1 to"),
        ("http 200", "from 400 to 599"),
        ("status successful-ok", "an IPP status such as"), ("trickle", "a number of bytes per second"),
        ("stall at byte 3", "only 'drop' and 'reset' can start at a byte"), ("media-jam after noon", "a number from 0"),
        ("tls-failure at Print-Job", "a handshake fault cannot start at an operation"),
        ("tls-failure at byte 3", "only 'drop' and 'reset' can start at a byte"),
        ("tls-failure at page 3", "cannot start at a job or page"),
        ("media-jam after 3 pages", "expected a number and 'seconds' after 'after'"),
    ])
    func `an invalid description of a simulated fault is refused with a message`(text: String, words: String) throws {
        let error = #expect(throws: SimulatorError.self) { try Fault(text) }
        #expect(error?.code == .badFault)
        #expect(error?.message.hasPrefix("invalid fault '\(text)': ") == true)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}

/// Tests of the effects of faults on a printer, and of the job after the end of a fault.
@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    private func bench(_ faults: String..., pages: Int = 3) throws -> PrinterBench {
        let planned = try faults.map { try Fault($0) }
        return try PrinterBench(ScriptedWorker(pages: pages), timePasses: true) { $0.faults = planned }
    }

    @Test func `a simulated fault with a delay starts after the delay`() async throws {
        let bench = try bench("cover-open after 1.5 seconds for 5 seconds")
        try await bench.running {
            #expect(await bench.printer.plannedFaults.armed == ["cover-open after 1.5 seconds for 5 seconds"])
            let id = try await bench.submit()
            await bench.printSide()
            await bench.printSide()
            let stopped = try await bench.job(id) { $0.state == .processingStopped }
            #expect(stopped.impressionsCompleted == 2)
            #expect(await bench.printer.status.printer.reasons == ["cover-open-error"])
            await bench.clock.sleeper(for: .seconds(5))
            bench.clock.advance(by: .seconds(5))
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `the end of a response fault does not end another fault of the same name`() async throws {
        let bench = try bench("busy at Get-Jobs for 5 seconds", "busy at Create-Job for 60 seconds")
        #expect(await bench.printer.plannedFaults.armed.count == 2)
        bench.clock.advance(by: .seconds(6))
        #expect(await bench.printer.reception(of: "Get-Jobs").fault == nil)
        #expect(await bench.printer.reception(of: "Create-Job").fault != nil)
        bench.clock.advance(by: .seconds(60))
        #expect(await bench.printer.reception(of: "Create-Job").fault == nil)
    }

    @Test func `a response fault that was cleared and injected again has its full duration`() async throws {
        let bench = try bench("busy for 10 seconds")
        bench.clock.advance(by: .seconds(5))
        #expect(await bench.printer.clear("status"))
        await bench.printer.plan(try Fault("busy for 10 seconds"))
        bench.clock.advance(by: .seconds(6))
        #expect(await bench.printer.reception(of: "Get-Jobs").fault != nil)
        bench.clock.advance(by: .seconds(5))
        #expect(await bench.printer.reception(of: "Get-Jobs").fault == nil)
    }

    @Test func `a delayed fault starts even if the printer is idle, and can be cleared before the start`() async throws
    {
        let bench = try bench("media-jam after 10 seconds", "media-low after 20 seconds")
        try await bench.running {
            #expect(await bench.printer.clear("media-jam"))
            #expect(await bench.printer.plannedFaults.armed == ["media-low after 20 seconds until cleared"])
            await bench.clock.sleeper(for: .seconds(20))
            bench.clock.advance(by: .seconds(20))
            let status = try await bench.status { !$0.printer.reasons.isEmpty }
            #expect(status.printer.reasons == ["media-low-warning"])
            #expect(await bench.printer.plannedFaults.armed == [])
        }
    }

    @Test(arguments: Fault.stops.keys.sorted())
    func `a fault stops the printer before the given page, and the job continues when the fault is cleared`(
        reason: String
    )
        async throws
    {
        let bench = try bench("\(reason) at page 2")
        try await bench.running {
            let id = try await bench.submit()
            await bench.printSide()
            let stopped = try await bench.job(id) { $0.state == .processingStopped }
            #expect(stopped.impressionsCompleted == 1 && stopped.reasons == [.printerStopped])
            let status = await bench.printer.status.printer
            #expect(status.state == .stopped && status.reasons == ["\(reason)-error"] && !status.message.isEmpty)
            #expect(await bench.printer.clear(reason))
            await bench.printSide()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.clear(reason) == false)
        }
    }

    @Test(arguments: Fault.warnings.sorted().filter { $0 != Fault.spoolAreaFull })
    func `a warning fault is reported and does not stop the printer`(reason: String) async throws {
        let bench = try bench(reason, pages: 1)
        try await bench.running {
            _ = try await bench.status { $0.printer.reasons == ["\(reason)-warning"] }
            let id = try await bench.submit()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `a printer with a full spool area refuses new jobs and documents, and prints the accepted jobs`()
        async throws
    {
        let bench = try bench("spool-area-full at page 2")
        try await bench.running {
            let id = try await bench.submit()
            let waiting = try await bench.printer.createJob(
                SimulatedJobRequest(name: "late", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)))
            await bench.printSide()
            let status = try await bench.status { $0.printer.reasons == ["spool-area-full-warning"] }
            #expect(status.printer.state == .processing)
            await #expect(throws: SimulatorError.self) { try await bench.submit() }
            let file = bench.printer.nextDocument()
            await #expect(throws: SimulatorError.self) {
                try await bench.printer.addDocument(file, format: .pdf, to: waiting.id)
            }
            await bench.printSide()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
            #expect(await bench.printer.status.printer.message == "No space for more jobs; free some space")
            #expect(await bench.printer.clear("spool-area-full"))
            #expect(try await bench.submit() == waiting.id + 1)
        }
    }

    @Test func `a simulated fault with a duration ends after the duration`() async throws {
        let bench = try bench("cover-open at page 2 for 30 seconds", pages: 2)
        try await bench.running {
            let id = try await bench.submit()
            await bench.printSide()
            _ = try await bench.job(id) { $0.state == .processingStopped }
            await bench.clock.sleepers(1)
            bench.clock.advance(by: .seconds(30))
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `a simulated fault for one job does not affect another job`() async throws {
        let bench = try bench("media-jam at job 2 page 1", pages: 1)
        try await bench.running {
            let first = try await bench.submit()
            let second = try await bench.submit()
            await bench.printSide()
            #expect(try await bench.ended(first).state == .completed)
            _ = try await bench.job(second) { $0.state == .processingStopped }
            await bench.printer.clear("all")
            await bench.printSide()
            #expect(try await bench.ended(second).state == .completed)
        }
    }

    @Test func `the fault 'slow' multiplies the printing time of a side`() async throws {
        let bench = try bench("slow x10", pages: 1)
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            bench.clock.advance(by: .seconds(9))
            #expect(await bench.printer.job(id)?.state == .processing)
            bench.clock.advance(by: .seconds(1))
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `if paper is loaded into a tray, the faults 'media-empty' and 'media-low' are cleared`() async throws {
        let bench = try bench("media-empty", "media-low")
        try await bench.running {
            _ = try await bench.status { Set($0.printer.reasons) == ["media-empty-error", "media-low-warning"] }
            try await bench.printer.load(tray: "main")
            #expect(await bench.printer.status.printer.reasons == [])
        }
    }

    @Test func `a power failure aborts a partly printed job, and the next job is printed`()
        async throws
    {
        let bench = try bench("crash at job 1 page 2")
        try await bench.running {
            let begun = try await bench.submit()
            let waiting = try await bench.submit()
            await bench.printSide()
            let lost = try await bench.ended(begun)
            #expect(lost.state == .aborted && lost.reasons == [.abortedBySystem])
            #expect(lost.message == "The printer was switched off after printing 1 of 3 sides")
            for _ in 1...3 { await bench.printSide() }
            #expect(try await bench.ended(waiting).state == .completed)
        }
    }

    @Test func `a job without printed pages waits during a power failure and is printed afterwards`() async throws {
        let bench = try bench("crash at page 1 until cleared", pages: 1)
        try await bench.running {
            let id = try await bench.submit()
            let status = try await bench.status { $0.printer.reasons == ["shutdown"] }
            #expect(status.printer.state == .stopped)
            await bench.printer.clear("crash")
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `simulated printers with the same seed have the same random faults`() async throws {
        func jams(seed: UInt64) async throws -> [Int] {
            let fault = try Fault("media-jam with chance 20%")
            let bench = try PrinterBench(ScriptedWorker(pages: 40), seed: seed) {
                $0.faults = [fault]
                $0.speed = .instant
            }
            var jams: [Int] = []
            try await bench.running {
                let id = try await bench.submit()
                while true {
                    let job = try await bench.job(id) { $0.state.isTerminal || $0.state == .processingStopped }
                    if job.state.isTerminal { break }
                    jams.append(job.impressionsCompleted)
                    // Only the current jam is cleared. The random fault remains.
                    await bench.printer.endFaults(["media-jam"])
                    _ = try await bench.job(id) { $0.impressionsCompleted > job.impressionsCompleted }
                }
            }
            return jams
        }
        let first = try await jams(seed: 7)
        #expect((2...20).contains(first.count))
        #expect(try await jams(seed: 7) == first)
        #expect(try await jams(seed: 8) != first)
    }
}
