import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// A printer whose output folder has no room stops and says so; no job is given up for it.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    /// Lets the next writing of a file find no room: what is written goes where there is never any, once.
    private func fillDisk(at name: String, of bench: PrinterBench) {
        unlink(bench.path(name))
        #expect(symlink("/dev/full", bench.path(name)) == 0)
    }

    /// Waits until the printer has stopped for want of room, and moves the clock to its next try.
    private func waitForRoom(_ bench: PrinterBench) async throws {
        let status = try await bench.status { $0.printer.state == .stopped }
        #expect(status.printer.reasons == ["spool-area-full-error"])
        #expect(status.printer.message.contains("No space left on device"))
        await bench.printSide()
    }

    @Test func `a side that was printed is not forgotten because its count found no room`() async throws {
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

    @Test func `a job ends when its end is written down, and not before`() async throws {
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

    @Test func `a job for which there is no room is refused, and leaves no folder`() async throws {
        let bench = try PrinterBench()
        fillDisk(at: "state.json.old", of: bench)
        let error = await #expect(throws: SimulatorError.self) { _ = try await bench.submit() }
        #expect(error?.code == .noSpace)
        #expect(!bench.exists("job-000001"))
        #expect(try await bench.submit() == 2)
    }
}
