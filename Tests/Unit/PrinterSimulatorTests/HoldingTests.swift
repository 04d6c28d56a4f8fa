import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct HoldingTests {
    @Test func `a held job does not delay the next job, and the held job is printed after its release`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        await bench.printer.pause()
        let held = try await bench.submit()
        let other = try await bench.submit()
        try await bench.printer.holdJob(held, until: .indefinite)
        try await bench.running {
            await bench.printer.resume()
            #expect(try await bench.ended(other).state == .completed)
            let waiting = try #require(await bench.printer.job(held))
            #expect(waiting.state == .pendingHeld && waiting.reasons == [.jobHoldUntilSpecified])
            try await bench.printer.releaseJob(held)
            #expect(try await bench.ended(held).state == .completed)
            await #expect(throws: SimulatorError.self) { try await bench.printer.holdJob(held, until: .indefinite) }
            await #expect(throws: SimulatorError.self) { try await bench.printer.releaseJob(held) }
        }
    }

    @Test func `jobs are printed by priority, and jobs of equal priority in order of arrival`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        await bench.printer.pause()
        var ids: [Int] = []
        for priority in [50, 10, 90, 90] {
            let id = try await bench.submit()
            var request = SimulatedJobRequest(
                name: "job", owner: "ann", options: DeviceOptions(paper: .init(media: .a4)))
            request.priority = priority
            try await bench.printer.changeJob(id, to: request)
            ids.append(id)
        }
        try await bench.running {
            await bench.printer.resume()
            for id in ids { _ = try await bench.ended(id) }
            #expect(await bench.printer.endedJobs.map(\.id) == [ids[1], ids[0], ids[3], ids[2]])
        }
    }

    @Test func `if a job is held until a given time, the job is printed at this time`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1), timePasses: true) { $0.speed = .instant }
        await bench.printer.pause()
        let id = try await bench.submit()
        try await bench.printer.holdJob(id, until: .time(PrinterBench.start + 60))
        try await bench.running {
            await bench.printer.resume()
            await bench.clock.sleepers(1)
            bench.clock.advance(by: .seconds(60))
            let job = try await bench.ended(id)
            #expect(job.state == .completed)
        }
    }

    @Test func `purged jobs of a simulated printer are not listed, even after a restart of the printer`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        try await bench.running {
            let id = try await bench.submit()
            _ = try await bench.ended(id)
            await bench.printer.purgeJobs()
            #expect(await bench.printer.job(id) == nil)
            let next = try await bench.submit()
            #expect(try await bench.ended(next).id == id + 1)
        }
        let again = try bench.switchedOn()
        #expect(await again.endedJobs.map(\.id) == [2])
    }

    @Test func `after a simulated printer restarts, held jobs are still held and the printer is still disabled`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 1))
        let id = try await bench.submit()
        try await bench.printer.holdJob(id, until: .indefinite)
        await bench.printer.setAccepting(false)
        try await bench.printer.set(["printer-info": "Upstairs"])
        let again = try bench.switchedOn()
        #expect(await again.job(id)?.state == .pendingHeld)
        #expect(await again.status.printer.isAccepting == false)
        #expect(await again.status.settings == ["printer-info": "Upstairs"])
    }
}
