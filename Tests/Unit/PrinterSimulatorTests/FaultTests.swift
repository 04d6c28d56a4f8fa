import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Faults as people write them.
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
    func `a fault is read, and written so that it is read again`(text: String, canonical: String) throws {
        let fault = try Fault(text)
        #expect(fault.description == canonical)
        #expect(try Fault(canonical) == fault)
    }

    @Test(arguments: [
        ("", "it says nothing"), ("fire", "'fire' cannot go wrong; what can is"), ("slow", "from x1 to x10000"),
        ("slow x0", "from x1 to x10000"), ("media-jam at", "after 'at' comes"),
        ("media-jam at noon", "'noon' is no operation"),
        ("media-jam at page 0", "a number from 1"), ("media-jam at page x", "a number from 1"),
        ("media-jam until tomorrow", "after 'until' comes 'cleared'"), ("media-jam for ever", "a number from 0"),
        ("media-jam for 3 days", "a number and 'seconds'"), ("media-jam 3 times", "only wrong answers end"),
        ("media-jam at Print-Job", "begins at a job or page"), ("busy at page 3", "begin at an operation"),
        ("media-jam with luck", "comes 'chance N%'"), ("media-jam with chance 0%", "above 0%"),
        ("media-jam soon", "'soon' is not known here"),
        ("busy 0 times", "at least 1 time, not 0"), ("media-jam at page 2 at page 3", "'page N' is said twice"),
        ("busy at Get-Jobs at Print-Job", "the operation is said twice"),
        ("busy once 2 times", "its end is said twice"),
        ("busy at Bogus-Op", "'Bogus-Op' is no operation here; there are those"),
        ("media-jam at page 0", "'0' is not a number from 1"), ("media-jam at page", "a number from 1 to"),
        ("http 200", "from 400 to 599"),
        ("status successful-ok", "an IPP status such as"), ("trickle", "how many bytes a second"),
        ("stall at byte 3", "only 'drop' and 'reset' begin at a byte"), ("media-jam after noon", "a number from 0"),
        ("tls-failure at Print-Job", "a handshake comes before any operation"),
        ("tls-failure at byte 3", "only 'drop' and 'reset' begin at a byte"),
        ("tls-failure at page 3", "not at a job or page"),
        ("media-jam after 3 pages", "after 'after' comes a number and 'seconds'"),
    ])
    func `what makes no sense is refused in words`(text: String, words: String) throws {
        let error = #expect(throws: SimulatorError.self) { try Fault(text) }
        #expect(error?.code == .badFault)
        #expect(error?.message.hasPrefix("the fault '\(text)' makes no sense: ") == true)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}

/// What faults do to a printer, and that the job goes on afterwards.
@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    private func bench(_ faults: String..., pages: Int = 3) throws -> PrinterBench {
        let planned = try faults.map { try Fault($0) }
        return try PrinterBench(ScriptedWorker(pages: pages), timePasses: true) { $0.faults = planned }
    }

    @Test func `a fault comes when its moment does, and not before`() async throws {
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

    @Test func `a fault that is to come at a moment can be taken back, and one comes also to an idle printer`()
        async throws
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
    func `the printer stops before the page with the reason, and goes on when it is cleared`(reason: String)
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
    func `a warning is shown and stops nothing`(reason: String) async throws {
        let bench = try bench(reason, pages: 1)
        try await bench.running {
            _ = try await bench.status { $0.printer.reasons == ["\(reason)-warning"] }
            let id = try await bench.submit()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `a printer without room takes no job and no document, and prints those it has`() async throws {
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
            #expect(await bench.printer.status.printer.message == "No room for more jobs; make some")
            #expect(await bench.printer.clear("spool-area-full"))
            #expect(try await bench.submit() == waiting.id + 1)
        }
    }

    @Test func `a fault with a time ends by itself`() async throws {
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

    @Test func `a fault at another job leaves this one alone`() async throws {
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

    @Test func `a slow printer takes as many times as long`() async throws {
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

    @Test func `loading paper ends what was about paper, a new supply what was about supplies`() async throws {
        let bench = try bench("media-empty", "media-low")
        try await bench.running {
            _ = try await bench.status { Set($0.printer.reasons) == ["media-empty-error", "media-low-warning"] }
            try await bench.printer.load(tray: "main")
            #expect(await bench.printer.status.printer.reasons == [])
        }
    }

    @Test func `a printer that loses its power gives up the job that had begun to come out, and prints the next`()
        async throws
    {
        let bench = try bench("crash at job 1 page 2")
        try await bench.running {
            let begun = try await bench.submit()
            let waiting = try await bench.submit()
            await bench.printSide()
            let lost = try await bench.ended(begun)
            #expect(lost.state == .aborted && lost.reasons == [.abortedBySystem])
            #expect(lost.message == "The printer was switched off after 1 of 3 sides of it had been printed")
            for _ in 1...3 { await bench.printSide() }
            #expect(try await bench.ended(waiting).state == .completed)
        }
    }

    @Test func `a job of which nothing had come out waits through a loss of power`() async throws {
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

    @Test func `chance follows from the seed`() async throws {
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
                    // The chance stays; the jam goes.
                    await bench.printer.mend("media-jam")
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
