import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct SimulatedPrinterTests {
    @Test func `a job is printed page by page as the clock advances, and all output files are written`() async throws {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit("Report")
            await bench.clock.sleepers(1)
            var job = try #require(await bench.printer.job(id))
            #expect(job.state == .processing)
            #expect(job.message == "Printing page 1 of 3")
            #expect(job.impressions == 3)
            #expect(!bench.exists("job-000001/page-0001.png"))
            #expect(await bench.printer.status.printer.state == .processing)

            await bench.printSide()
            job = try await bench.job(id) { $0.impressionsCompleted == 1 && $0.message == "Printing page 2 of 3" }
            #expect(job.sheetsCompleted == 1)
            #expect(bench.exists("job-000001/page-0001.png"))
            #expect(!bench.exists("job-000001/page-0002.png"))

            await bench.printSide()
            await bench.printSide()
            job = try await bench.ended(id)
            #expect(job.state == .completed)
            #expect(job.reasons == [.jobCompletedSuccessfully])
            #expect(job.impressionsCompleted == 3)
            for file in ["original.pdf", "page-0003.png", "sheets.pdf", "job.json"] {
                #expect(bench.exists("job-000001/\(file)"), "\(file)")
            }
            #expect(!bench.exists("job-000001/unprinted"))
            _ = try await bench.status { $0.printer.state == .idle }
        }
    }

    @Test func `queued jobs are printed in order of arrival`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1))
        try await bench.running {
            let first = try await bench.submit("a")
            let second = try await bench.submit("b")
            let third = try await bench.submit("c")
            await bench.clock.sleepers(1)
            #expect(await bench.printer.unfinishedJobs.map(\.state) == [.processing, .pending, .pending])
            for id in [first, second, third] {
                await bench.printSide()
                #expect(try await bench.ended(id).state == .completed)
            }
            #expect(await bench.printer.endedJobs.map(\.name) == ["c", "b", "a"])
        }
    }

    @Test func `a job does not block the other jobs while it waits for its document`() async throws {
        let bench = try PrinterBench(ScriptedWorker(pages: 1))
        try await bench.running {
            let waiting = try await bench.printer.createJob(
                SimulatedJobRequest(name: "w", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)))
            #expect(waiting.state == .pendingHeld && waiting.reasons == [.jobIncoming])
            let id = try await bench.submit()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
            await #expect(throws: SimulatorError.self) {
                try await bench.printer.abortJob(id, .multipleOperationTimeOut, message: "too late")
            }
            try await bench.printer.abortJob(waiting.id, .multipleOperationTimeOut, message: "too late")
            #expect(try await bench.ended(waiting.id).reasons == [.multipleOperationTimeOut, .abortedBySystem])
        }
    }

    @Test func `a canceled job stops after the current side, and reports the printed sides`() async throws {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit()
            await bench.printSide()
            await bench.clock.sleepers(1)
            try await bench.printer.cancelJob(id)
            let stopping = try #require(await bench.printer.job(id))
            #expect(stopping.state == .processing)
            #expect(stopping.reasons == [.processingToStopPoint, .jobCanceledByUser])
            await #expect(throws: SimulatorError.self) { try await bench.printer.cancelJob(id) }
            await bench.printSide()
            let job = try await bench.ended(id)
            #expect(job.state == .canceled && job.reasons == [.jobCanceledByUser])
            #expect(job.impressionsCompleted == 2)
            #expect(bench.exists("job-000001/page-0002.png"))
            #expect(!bench.exists("job-000001/page-0003.png"))
            #expect(!bench.exists("job-000001/sheets.pdf"))
            let report = try JobReport(folder: bench.path("job-000001"))
            #expect(report.job.state == .canceled && report.job.impressionsCompleted == 2)
        }
    }

    @Test func `a canceled job ends before its unprinted pages are removed, and the next start removes left pages`()
        async throws
    {
        let removed = Mutex<[String]>([])
        let bench = try PrinterBench(remove: { folder in removed.withLock { $0.append(folder) } })
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            try await bench.printer.cancelJob(id)
            await bench.printSide()
            #expect(try await bench.ended(id).state == .canceled)
        }
        let folder = try #require(removed.withLock { $0.count == 1 ? $0.first : nil })
        #expect(!bench.exists("job-000001/unprinted"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains("page-0003.png"))
        _ = try PrinterBench(folder: bench.folder, remove: { folder in removed.withLock { $0.append(folder) } })
        #expect(removed.withLock { $0 } == [folder, folder])
        SimulatorEnvironment(worker: bench.worker).remove(folder)
        try await eventually("the folder is removed") { !bench.exists("removed") }
    }

    @Test func `a waiting job is canceled immediately, and a rendering job is canceled when the worker stops`()
        async throws
    {
        let bench = try PrinterBench(ScriptedWorker(.untilCancelled))
        try await bench.running {
            let first = try await bench.submit()
            let second = try await bench.submit()
            _ = try await bench.job(first) { $0.state == .processing }
            try await bench.printer.cancelJob(second, byOperator: true)
            #expect(await bench.printer.job(second)?.reasons == [.jobCanceledByOperator])
            try await bench.printer.cancelJob(first)
            #expect(try await bench.ended(first).state == .canceled)
        }
    }

    @Test func `a paused printer finishes the current side and continues when it is resumed`() async throws {
        let bench = try PrinterBench()
        try await bench.running {
            let id = try await bench.submit()
            await bench.clock.sleepers(1)
            await bench.printer.pause()
            #expect(await bench.printer.status.printer.reasons == ["moving-to-paused"])
            await bench.printSide()
            let job = try await bench.job(id) { $0.state == .processingStopped }
            #expect(job.impressionsCompleted == 1 && job.reasons == [.printerStopped])
            let status = await bench.printer.status
            #expect(status.printer.state == .stopped && status.printer.reasons == ["paused"])
            await bench.printer.resume()
            await bench.printSide()
            await bench.printSide()
            #expect(try await bench.ended(id).state == .completed)
        }
    }

    @Test func `the number of copies and the sides option determine the number of sheets`() async throws {
        let bench = try PrinterBench {
            $0.sides = [.none, .longEdge]
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await bench.submit {
                $0.copies = 2
                $0.duplex = .longEdge
            }
            let job = try await bench.ended(id)
            #expect(job.impressions == 6 && job.impressionsCompleted == 6)
            #expect(job.sheets == 4 && job.sheetsCompleted == 4)
            let request = try #require(bench.worker.requests.first)
            #expect(request.copies == 2 && request.duplex == .longEdge && request.resolution == 100)
        }
    }

    @Test func `unsupported color, sides and paper are replaced, and each replacement causes a warning`() async throws {
        let bench = try PrinterBench(ScriptedWorker(.pages([ScriptedWorker.page(1, clipped: [.left, .right])]))) {
            $0.speed = .instant
        }
        try await bench.running {
            let id = try await bench.submit {
                $0.colorMode = .color
                $0.duplex = .longEdge
                $0.paper = PrintPaper(media: .a3)
            }
            let job = try await bench.ended(id)
            #expect(bench.worker.requests.map(\.monochrome) == [true])
            #expect(bench.worker.requests.map(\.paper) == [PrinterBench.paper])
            #expect(job.state == .completed && job.reasons == [.jobCompletedWithWarnings])
            #expect(
                job.warnings == [
                    "no paper A3; used A4 instead",
                    "cannot print two-sided-long-edge; printed one-sided instead",
                    "cannot print in color; printed in monochrome instead",
                    "content clipped at the left and right margins on page 1",
                ])
        }
    }

    @Test(arguments: [
        (WorkError.Code.damaged, [JobStateReason.documentFormatError, .abortedBySystem]),
        (.passwordRequired, [.documentPasswordError, .abortedBySystem]),
        (.timeExceeded, [.abortedBySystem]),
    ])
    func `a job with an unreadable document is aborted with the worker's message, and the next job is started`(
        code: WorkError.Code, reasons: [JobStateReason]
    ) async throws {
        let bench = try PrinterBench(ScriptedWorker(.failure(WorkError(code, "It is broken"))))
        try await bench.running {
            let first = try await bench.submit()
            let second = try await bench.submit()
            let job = try await bench.ended(first)
            #expect(job.state == .aborted && job.reasons == reasons && job.message == "It is broken")
            #expect(try await bench.ended(second).state == .aborted)
            #expect(!bench.exists("job-000001/unprinted"))
        }
    }

    @Test func `a document in an unsupported format is refused, and the job keeps waiting for a document`() async throws
    {
        let bench = try PrinterBench()
        let job = try await bench.printer.createJob(
            SimulatedJobRequest(name: "w", owner: "ann", options: DeviceOptions(paper: PrinterBench.paper)))
        let file = bench.printer.nextDocument()
        try Data("hello".utf8).write(to: URL(filePath: file))
        let error = await #expect(throws: SimulatorError.self) {
            try await bench.printer.addDocument(file, format: .octetStream, to: job.id)
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(await bench.printer.job(job.id)?.isIncoming == true)
        try Data("%PDF-1.7".utf8).write(to: URL(filePath: file))
        let arrived = try await bench.printer.addDocument(file, format: .octetStream, to: job.id)
        #expect(arrived.state == .pending && arrived.documents.map(\.format) == [.pdf])
        let second = await #expect(throws: SimulatorError.self) {
            try await bench.printer.addDocument(file, format: .pdf, to: job.id)
        }
        #expect(second?.code == .notPossible)
    }
}
