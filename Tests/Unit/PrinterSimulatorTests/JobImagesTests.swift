import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

@Suite(.timeLimit(.minutes(1))) struct JobImagesTests {
    /// Writes the image of a page, which the worker of the bench does not draw.
    private func draw(_ page: Int, in bench: PrinterBench, _ text: String = "png") throws {
        try Data(text.utf8).write(to: URL(filePath: bench.path("job-000001/page-000\(page).png")))
    }

    private func images(_ bench: PrinterBench) async throws -> JobImages {
        try JobImages(of: try #require(await bench.printer.job(1)), at: bench.printer)
    }

    @Test func `each page of a printing job has a sheet side and the state 'printed', 'printing' or 'waiting'`()
        async throws
    {
        let bench = try PrinterBench { $0.sides = [.none, .longEdge] }
        try await bench.running {
            let id = try await bench.submit { $0.duplex = .longEdge }
            await bench.printSide()
            _ = try await bench.job(id) { $0.impressionsCompleted == 1 && $0.message == "Printing page 2 of 3" }
            let pages = try await images(bench).pages
            #expect(pages.map(\.state) == [.printed, .printing, .waiting])
            #expect(pages.map(\.side.sheet) == [1, 1, 2])
            #expect(pages.map(\.side.isFront) == [true, false, true])
            #expect(pages.allSatisfy { $0.size == PrinterBench.paper.paperSize })
            #expect(JobImages.count(of: try #require(await bench.printer.job(id)), at: bench.printer) == 1)
            try await bench.printer.cancelJob(id)
            await bench.printSide()
            _ = try await bench.ended(id)
            #expect(try await images(bench).pages.map(\.state) == [.printed, .printed, .omitted])
        }
    }

    @Test func `a page image is read only if it is a regular file in the job's folder`() async throws {
        let bench = try PrinterBench { $0.speed = .instant }
        try await bench.running { _ = try await bench.ended(try await bench.submit()) }
        try draw(1, in: bench)
        let first = try #require(try await images(bench).png(1))
        #expect(String(decoding: first.bytes, as: UTF8.self) == "png")
        #expect(try await images(bench).png(1)?.tag == first.tag)
        try draw(1, in: bench, "another")
        #expect(try await images(bench).png(1)?.tag != first.tag)
        // Page 4 does not exist, and the image of page 2 was removed.
        unlink(bench.path("job-000001/page-0002.png"))
        for page in [0, 2, 4] { #expect(try await images(bench).png(page) == nil, "\(page)") }
        unlink(bench.path("job-000001/page-0003.png"))
        symlink("/etc/passwd", bench.path("job-000001/page-0003.png"))
        await #expect(throws: SimulatorError.self) { try await images(bench).png(3) }
        // A changed report must not lead to a file in another folder.
        let json = try bench.text("job-000001/job.json").replacing("page-0001.png", with: "page-/../original.pdf.png")
        try Data(json.utf8).write(to: URL(filePath: bench.path("job-000001/job.json")))
        #expect(try await images(bench).png(1) == nil)
    }

    @Test func `page images cannot be read if the job folder was removed or belongs to a different job`() async throws {
        let bench = try PrinterBench { $0.speed = .instant }
        try await bench.running { _ = try await bench.ended(try await bench.submit()) }
        let json = try bench.text("job-000001/job.json").replacing("urn:uuid:1", with: "urn:uuid:2")
        try Data(json.utf8).write(to: URL(filePath: bench.path("job-000001/job.json")))
        await #expect(throws: SimulatorError.self) { try await images(bench) }
        try FileManager.default.removeItem(atPath: bench.path("job-000001"))
        do {
            _ = try await images(bench)
            Issue.record("the folder was removed")
        } catch let error as SimulatorError {
            #expect(error.message.contains("'job-000001' of job 1 at printer 'bench' was removed"), "\(error)")
        }
        #expect(JobImages.count(of: try #require(await bench.printer.job(1)), at: bench.printer) == 0)
    }

    @Test func `if a job is waiting for the printer, the list of its page images is empty`() async throws {
        let bench = try PrinterBench()
        _ = try await bench.submit()
        #expect(try await images(bench).pages.isEmpty)
    }
}
