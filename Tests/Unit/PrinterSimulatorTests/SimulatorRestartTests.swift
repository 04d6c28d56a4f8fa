import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of restarts of a killed printer.
///
/// A copy of the printer's folder simulates the state after the kill.
@Suite(.timeLimit(.minutes(1))) struct SimulatorRestartTests {
    private func killed(_ bench: PrinterBench) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: bench.folder.path("bench"), toPath: copy.path("bench"))
        return copy
    }

    @Test func `a restarted printer continues the job numbers, with and without the state file`() async throws {
        let bench = try PrinterBench()
        #expect(try await bench.submit() == 1)
        #expect(try await bench.submit() == 2)
        let again = try PrinterBench(folder: killed(bench))
        #expect(try await again.submit() == 3)
        let copy = try killed(again)
        try Data("{ half".utf8).write(to: URL(filePath: copy.path("bench/state.json")))
        #expect(try await PrinterBench(folder: copy).submit() == 4)
    }

    @Test func `a printer keeps its UUID after a restart, and a second printer of the same name has a different UUID`()
        async throws
    {
        let bench = try PrinterBench()
        let uuid = await bench.printer.status.uuid
        #expect(uuid.wholeMatch(of: /urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil, "\(uuid)")
        #expect(try await PrinterBench(folder: killed(bench)).printer.status.uuid == uuid)
        #expect(try await PrinterBench().printer.status.uuid != uuid)
        // An old version of printsim wrote state files without UUIDs.
        let copy = try killed(bench)
        try Data(#"{ "nextJobID": 7 }"#.utf8).write(to: URL(filePath: copy.path("bench/state.json")))
        let old = try PrinterBench(folder: copy)
        #expect(try await old.submit() == 7)
        let drawn = await old.printer.status.uuid
        #expect(try await PrinterBench(folder: killed(old)).printer.status.uuid == drawn)
    }

    @Test func `if the state file of a simulated printer is unreadable, the previous state file is used`() async throws
    {
        let bench = try PrinterBench()
        await bench.printer.pause()
        #expect(try await bench.submit() == 1)
        let copy = try killed(bench)
        try Data("{ half".utf8).write(to: URL(filePath: copy.path("bench/state.json")))
        let again = try PrinterBench(folder: copy)
        #expect(await again.printer.status.isPaused)
        #expect(try await again.submit() == 2)
    }

    @Test func `if two printers use the same folder, the printers never assign the same job number`() async throws {
        let bench = try PrinterBench()
        let other = try PrinterBench(folder: bench.folder)
        #expect(try await bench.submit() == 1)
        #expect(try await other.submit() == 2)
        #expect(try await bench.submit() == 3)
    }

    @Test func `a restarted printer aborts a partly printed job, and reports the number of printed sides`() async throws
    {
        let bench = try PrinterBench()
        try await bench.running {
            let begun = try await bench.submit()
            let waiting = try await bench.submit()
            await bench.printSide()
            _ = try await bench.job(begun) { $0.message == "Printing page 2 of 3" }

            let again = try PrinterBench(ScriptedWorker(pages: 1), folder: killed(bench))
            let job = try #require(await again.printer.job(begun))
            #expect(job.state == .aborted && job.reasons == [.abortedBySystem] && job.uuid == "urn:uuid:1")
            #expect(job.message == "The printer was switched off after printing 1 of 3 sides")
            #expect(job.impressionsCompleted == 1 && job.sidesCompleted == 1 && job.warnings == [job.message])
            #expect(again.exists("job-000001/page-0001.png") && !again.exists("job-000001/unprinted"))
            #expect(try again.text("printer.log").contains("\"aborted\""))
            try await again.running {
                await again.printSide()
                let ended = try await again.ended(waiting)
                #expect(ended.state == .completed)
            }
        }
    }

    @Test func `a restarted printer prints a job without printed pages from the start`() async throws {
        let bench = try PrinterBench(ScriptedWorker(.pages([ScriptedWorker.page(1, clipped: [.top])])))
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            let again = try PrinterBench(bench.worker, folder: killed(bench))
            #expect(await again.printer.job(id)?.state == .pending)
            try await again.running {
                await again.printSide()
                let job = try await again.ended(id)
                #expect(job.state == .completed && job.impressionsCompleted == 1)
                #expect(job.warnings == ["content clipped at the top margin on page 1"])
            }
        }
    }

    @Test func `a restarted printer aborts a job without a complete document and deletes the partial document`()
        async throws
    {
        let bench = try PrinterBench()
        let job = try await bench.printer.createJob(
            SimulatedJobRequest(name: "w", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)))
        try Data("%PDF".utf8).write(to: URL(filePath: bench.printer.nextDocument()))
        let again = try PrinterBench(folder: killed(bench))
        // The reason means that the client must send the document in a new job.
        #expect(await again.printer.job(job.id)?.reasons == [.jobDataInsufficient, .abortedBySystem])
        #expect(await again.printer.job(job.id)?.state == .aborted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: again.path("incoming")).isEmpty)
    }

    @Test func `a printer keeps only the newest jobs, also after a restart with a lower limit`() async throws {
        let bench = try PrinterBench(
            ScriptedWorker(pages: 1), keptJobs: 3, { $0.speed = .instant }, remove: { _ in })
        try await bench.running {
            for _ in 1...5 { _ = try await bench.ended(try await bench.submit()) }
        }
        #expect(await bench.printer.endedJobs.map(\.id) == [5, 4, 3])
        #expect((1...5).map { bench.exists("job-00000\($0)") } == [false, false, true, true, true])
        await #expect(throws: SimulatorError.self) { try await bench.printer.deleteJob(1) }
        let again = try PrinterBench(bench.worker, folder: killed(bench), keptJobs: 1)
        #expect(await again.printer.endedJobs.map(\.id) == [5])
        #expect(!again.exists("job-000004") && again.exists("job-000005"))
        #expect(try await again.submit() == 6)
        await #expect(throws: SimulatorError.self) { try await again.printer.deleteJob(6) }
        #expect(try await again.printer.deleteEndedJobs() == 1)
        #expect(await again.printer.unfinishedJobs.map(\.id) == [6])
    }

    @Test func `a restarted printer keeps its paper levels, supply levels, paused state and job history`() async throws
    {
        let change: (inout SimulatedPrinterDescription) -> Void = {
            $0.trays = [.init(name: "main", capacity: 10, loaded: 10)]
            $0.supplies = [.init(name: "K", color: "black", type: "toner", yield: 100)]
            $0.speed = .instant
        }
        let bench = try PrinterBench(ScriptedWorker(pages: 3), change)
        try await bench.running {
            let id = try await bench.submit("old")
            _ = try await bench.ended(id)
            await bench.printer.pause()
        }
        let again = try PrinterBench(ScriptedWorker(pages: 3), folder: killed(bench), change)
        let status = await again.printer.status
        #expect(status.trays.map(\.loaded) == [7] && status.supplies.map(\.level) == [97])
        #expect(status.isPaused && status.sheetsPrinted == 3 && status.printer.state == .stopped)
        #expect(await again.printer.endedJobs.map(\.name) == ["old"])
        #expect(await again.printer.job(1) == bench.printer.job(1))
    }

    @Test func `a job folder with an invalid report does not prevent the start of the printer`() async throws {
        let bench = try PrinterBench()
        _ = try await bench.submit()
        let copy = try killed(bench)
        try Data("{}".utf8).write(to: URL(filePath: copy.path("bench/job-000001/job.json")))
        let again = try PrinterBench(folder: copy)
        #expect(await again.printer.job(1) == nil)
        #expect(try await again.submit() == 2)
    }

    @Test func `if a printer is killed while it cancels a job, the restarted printer reports the job as canceled`()
        async throws
    {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            try await bench.printer.cancelJob(id)
            let again = try PrinterBench(bench.worker, folder: killed(bench))
            #expect(await again.printer.job(id)?.state == .canceled)
            #expect(try again.text("printer.log").contains("\"canceled\""))
        }
    }

    @Test func `a restarted printer writes a missing log line of an ended job once, and deletes unprinted page images`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        try await bench.running {
            for _ in 0..<2 { _ = try await bench.ended(try await bench.submit()) }
        }
        let copy = try killed(bench)
        let log = try bench.text("printer.log")
        let first = try #require(log.split(separator: "\n").first)
        // The printer was killed while it wrote the second line.
        try Data("\(first)\n{\"colorMo".utf8).write(to: URL(filePath: copy.path("bench/printer.log")))
        let pages = copy.path("bench/job-000002/unprinted")
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: false)
        for _ in 0..<2 { #expect(try PrinterBench(folder: copy).text("printer.log") == log) }
        #expect(!FileManager.default.fileExists(atPath: pages))
    }

    @Test func `a restarted printer removes a job folder without a report and does not reuse the job number`()
        async throws
    {
        let bench = try PrinterBench()
        _ = try await bench.submit()
        let copy = try killed(bench)
        let folder = copy.path("bench/job-000002")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("%PDF-1.4".utf8).write(to: URL(filePath: "\(folder)/original.pdf"))
        try Data("{".utf8).write(to: URL(filePath: "\(folder)/job.json.new"))
        let again = try PrinterBench(folder: copy)
        #expect(!again.exists("job-000002"))
        #expect(try await again.submit() == 3)
    }

    @Test func `a restarted printer keeps a job folder without a report if the folder has printed pages`() async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 1)) { $0.speed = .instant }
        try await bench.running { _ = try await bench.ended(try await bench.submit()) }
        let copy = try killed(bench)
        try FileManager.default.removeItem(atPath: copy.path("bench/job-000001/job.json"))
        let again = try PrinterBench(folder: copy)
        #expect(await again.printer.job(1) == nil)
        #expect(again.exists("job-000001/original.pdf") && again.exists("job-000001/page-0001.png"))
    }

    @Test func `a refused job leaves no job folder, and the document file is not moved`() async throws {
        let bench = try PrinterBench()
        let file = bench.printer.nextDocument()
        try Data("no document".utf8).write(to: URL(filePath: file))
        await #expect(throws: SimulatorError.self) {
            try await bench.printer.createJob(
                SimulatedJobRequest(name: "x", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)),
                document: file)
        }
        #expect(!bench.exists("job-000001") && FileManager.default.fileExists(atPath: file))
        #expect(try await bench.submit() == 1)
    }
}
