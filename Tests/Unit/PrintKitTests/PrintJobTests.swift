import FoundationEssentials
import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// Tests of jobs that are submitted without waiting for their end, at destinations without a queue.
@Suite(.timeLimit(.minutes(1)))
final class PrintJobTests: ControllerSuite {
    private struct Jam: Error {}

    /// Returns a destination whose jobs continue until `release` is called.
    private func holding(
        _ end: @escaping @Sendable () throws -> PrintEnd = { .completed }
    ) -> (destination: FakeDestination, release: @Sendable () -> Void) {
        let (gate, open) = AsyncStream<Never>.makeStream()
        let destination = FakeDestination(accepting: { _ in
            for await _ in gate {}
            try Task.checkCancellation()
            return try end()
        })
        return (destination, { open.finish() })
    }

    @Test func `'submit' returns when the job is accepted, and 'wait' returns when the job has ended`() async throws {
        let (destination, release) = holding()
        controller.printFormatter = text()
        let job = try await controller.submit(to: destination.printer())
        #expect(destination.jobs.count == 1 && destination.jobs[0].texts[0].contains("hello"))
        #expect(delegate.reports == [.accepted(jobID: nil)] && delegate.notes.last == "did finish")
        #expect(controller.printFormatter == nil)
        #expect(try await job.status().state == .processing)
        #expect(!FileManager.default.fileExists(atPath: destination.jobs[0].request.documentPath))
        release()
        #expect(try await job.wait() == .completed)
        #expect(try await job.status().state == .completed)
    }

    @Test func `'cancel' ends a submitted job, and a canceled wait does not`() async throws {
        let (destination, release) = holding()
        controller.printFormatter = text()
        let job = try await controller.submit(to: destination.printer())
        let waiting = Task { try await job.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await job.status().state == .processing)
        try await job.cancel()
        await #expect(throws: CancellationError.self) { try await job.wait() }
        release()
    }

    @Test func `the reports of a job contain its progress and alerts, for each reader`() async throws {
        let reports: [PrintReport] = [
            .accepted(jobID: 7), .progress(page: 1, of: 2), .alert("Out of paper"), .alertCleared,
            .progress(page: 2, of: 2),
        ]
        let destination = FakeDestination(reports: reports)
        controller.printFormatter = text()
        let job = try await controller.submit(to: destination.printer())
        #expect(job.number == 7)
        for _ in 1...2 {
            var read: [PrintReport] = []
            for try await report in job.reports { read.append(report) }
            #expect(read == Array(reports.dropFirst()))
        }
        let status = try await job.status()
        #expect(status.state == .completed && status.page == 2 && status.pageCount == 2 && status.alert == nil)
    }

    @Test func `a job that fails after its acceptance reports the error to those who wait`() async throws {
        let (destination, release) = holding { throw Jam() }
        controller.printFormatter = text()
        let job = try await controller.submit(to: destination.printer())
        release()
        await #expect(throws: Jam.self) { try await job.wait() }
        #expect(try await job.status().state == .aborted)
        let refusing = FakeDestination(answer: { throw Jam() })
        controller.printFormatter = text()
        let printer = try await refusing.printer()
        let error = await #expect(throws: PrintError.self) { try await controller.submit(to: printer) }
        #expect(error?.cause is Jam)
    }

    @Test func `several items at a destination for single documents are one value that ends with the last job`()
        async throws
    {
        let (destination, release) = holding()
        controller.printingItems = (1...3).map { .data(Data(PDFBuilder.numbered(pages: $0).bytes)) }
        let job = try await controller.submit(to: destination.printer(), submissionID: "x")
        release()
        #expect(try await job.wait() == .completed)
        #expect(destination.jobs.map(\.request.itemNumber) == [1, 2, 3])
        #expect(destination.jobs.map(\.request.submissionID) == ["x", "x", "x"])
    }

    @Test func `several items are one request at a destination for several documents`() async throws {
        let destination = FakeDestination(accepting: { _ in .completed })
        destination.isJoining.withLock { $0 = true }
        controller.printingItems = [
            .data(Data(PDFBuilder.numbered(pages: 2).bytes)), .image(try picture(width: 4, height: 4)),
        ]
        #expect(try await controller.print(to: destination.printer()))
        let request = try #require(destination.jobs.first?.request)
        #expect(destination.jobs.count == 1 && request.pageCount == 2)
        #expect(request.furtherDocuments.map(\.pageCount) == [1])
        // The drawn image has the size of the paper, and needs no scaling.
        #expect(request.ticket.scaling == nil)
        #expect(!FileManager.default.fileExists(atPath: request.furtherDocuments[0].path))
    }
}
