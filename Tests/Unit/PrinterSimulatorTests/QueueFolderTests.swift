import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// Tests of the job folders of a printer that belongs to a spooler's queue.
@Suite(.timeLimit(.minutes(1))) struct QueueFolderTests {
    private func bench(_ folder: TemporaryFolder? = nil, isOfQueue: Bool = true) throws -> PrinterBench {
        try PrinterBench(ScriptedWorker(pages: 1), folder: folder, isOfQueue: isOfQueue) { $0.speed = .instant }
    }

    /// Returns the folders of all jobs, by the printer's job numbers.
    private func folders(of bench: PrinterBench) async -> [Int: String] {
        let jobs = await bench.printer.endedJobs + bench.printer.unfinishedJobs
        return Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.folder) })
    }

    /// Returns a printer in the state after a kill and a restart of a printer.
    private func again(_ bench: PrinterBench, isOfQueue: Bool = true) throws -> PrinterBench {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: bench.folder.path("bench"), toPath: copy.path("bench"))
        return try self.bench(copy, isOfQueue: isOfQueue)
    }

    private let expected = [
        1: "job-000003", 2: "printer-job-000002", 3: "job-000002", 4: "job-000003-2", 5: "job-1234567",
    ]

    private func printFive(at bench: PrinterBench) async throws {
        try await bench.running {
            for number in [3, nil, 2, 3, 1_234_567] {
                _ = try await bench.ended(try await bench.submit(queueNumber: number))
            }
        }
    }

    @Test
    func `a queue job's folder is named after the queue's job number, and other folders begin with 'printer-job'`()
        async throws
    {
        let bench = try bench()
        try await printFive(at: bench)
        #expect(await folders(of: bench) == expected)
        for folder in expected.values {
            for file in ["page-0001.png", "sheets.pdf", "job.json", "original.pdf"] {
                #expect(bench.exists("\(folder)/\(file)"), "\(folder)/\(file)")
            }
            #expect(!bench.exists("\(folder)/unprinted"))
        }
        #expect(try bench.text("job-000003/job.json").contains("\"queueJob\" : 3,"))
        #expect(try bench.text("printer.log").contains("\"folder\":\"printer-job-000002\""))
    }

    @Test
    func `a restarted printer finds its jobs and reuses no job number, with or without the state file`()
        async throws
    {
        let bench = try bench()
        try await printFive(at: bench)
        for losesMemory in [false, true] {
            let copy = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: bench.folder.path("bench"), toPath: copy.path("bench"))
            if losesMemory {
                for name in ["state.json", "state.json.old"] {
                    try? FileManager.default.removeItem(atPath: copy.path("bench/\(name)"))
                }
            }
            let again = try self.bench(copy)
            #expect(await folders(of: again) == expected, "\(losesMemory)")
            #expect(try await again.submit(queueNumber: 7) == 6)
            #expect(again.exists("job-000007"))
        }
    }

    @Test func `when a printer joins a queue, folders with the printer's job numbers are renamed`() async throws {
        let old = try bench(isOfQueue: false)
        try await old.running {
            for _ in 0..<2 { _ = try await old.ended(try await old.submit()) }
        }
        #expect(await folders(of: old) == [1: "job-000001", 2: "job-000002"])
        let new = try again(old)
        #expect(await folders(of: new) == [1: "printer-job-000001", 2: "printer-job-000002"])
        try await new.running { _ = try await new.ended(try await new.submit(queueNumber: 2)) }
        #expect(await folders(of: new)[3] == "job-000002")
        // A further restart changes nothing.
        #expect(await folders(of: try again(new)) == folders(of: new))
    }

    @Test func `if a printer serves no queue, the printer ignores the number of the queue's job in a request`()
        async throws
    {
        let bench = try bench(isOfQueue: false)
        try await bench.running { _ = try await bench.ended(try await bench.submit(queueNumber: 9)) }
        #expect(await folders(of: bench) == [1: "job-000001"])
    }

    @Test func `after a printer restart, the output folder of a waiting job is named after the queue's job number`()
        async throws
    {
        let bench = try bench()
        _ = try await bench.submit(queueNumber: 4)
        let again = try again(bench)
        try await again.running {
            let job = try await again.ended(1)
            #expect(job.state == .completed)
            #expect(again.exists("job-000004/page-0001.png"))
        }
    }
}
