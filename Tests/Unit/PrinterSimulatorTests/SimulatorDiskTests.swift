import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import PrinterSimulator

/// Tests of a printer whose disk is full.
///
/// The printer stops and reports the reason. The printer does not abort jobs.
@Suite(.timeLimit(.minutes(1))) struct SimulatorDiskTests {
    /// Makes the next write to a file fail as if the disk were full, with a symbolic link to /dev/full.
    private func fillDisk(at name: String, of bench: PrinterBench) {
        unlink(bench.path(name))
        #expect(symlink("/dev/full", bench.path(name)) == 0)
    }

    /// Waits until the printer has stopped because of the full disk, and advances the clock to the next retry.
    private func waitForRoom(_ bench: PrinterBench) async throws {
        let status = try await bench.status { $0.printer.state == .stopped }
        #expect(status.printer.reasons == ["spool-area-full-error"])
        #expect(status.printer.message.contains("No space left on device"))
        await bench.printSide()
    }

    @Test func `if a side is printed while the disk is full, the side is counted after disk space becomes available`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(pages: 2))
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            fillDisk(at: "state.json.old", of: bench)
            await bench.printSide()
            try await waitForRoom(bench)
            await bench.printSide()
            let job = try await bench.ended(id)
            #expect(job.state == .completed && job.impressionsCompleted == 2)
        }
    }

    @Test func `a job ends only after its report is written`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1))
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            fillDisk(at: "job-000001/job.json.new", of: bench)
            await bench.printSide()
            try await waitForRoom(bench)
            #expect(try await bench.ended(id).state == .completed)
            #expect(try JobReport(folder: bench.path("job-000001")).job.state == .completed)
        }
    }

    @Test func `a new job is refused if the disk is full, and no job folder is left`() async throws {
        let bench = try PrinterBench()
        fillDisk(at: "state.json.old", of: bench)
        let error = await #expect(throws: SimulatorError.self) { _ = try await bench.submit() }
        #expect(error?.code == .noSpace)
        #expect(!bench.exists("job-000001"))
        #expect(try await bench.submit() == 2)
    }

    @Test func `the error for a file that cannot be moved names the file and the target`() {
        let error = #expect(throws: SimulatorError.self) { try FileOperations.move("/missing/a", to: "/missing/b") }
        #expect(error?.message == "cannot move '/missing/a' to '/missing/b': No such file or directory")
    }
}
