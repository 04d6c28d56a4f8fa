import PrintModel
import PrintTestSupport
import PrinterSimulator
import Synchronization
import Testing

/// Tests of the time limit for rendering the pages of a job.
struct PageImageBudgetTests {
    private let clock = TestClock()

    /// A worker that reports a page when the test requests a page, and ends when the job is canceled.
    private final class SlowWorker: DocumentWorking {
        private let report = Mutex<(@Sendable (WorkProgress) -> Void)?>(nil)
        private let begun = AsyncStream.makeStream(of: Void.self)
        private let done = AsyncStream.makeStream(of: Void.self)
        let wasCancelled = Mutex(false)
        /// The processor time of the worker; nil if the worker does not measure its time.
        let processorTime = Mutex<Duration?>(nil)

        func untilBegun() async { for await _ in begun.stream { return } }
        func finish(page: Int) { report.withLock { $0 }?(WorkProgress(page: page, total: 1000)) }
        func end() { done.continuation.finish() }

        func rasterize(
            _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
        ) async throws(WorkError) -> RasterizedDocument {
            report.withLock { $0 = progress }
            if processorTime.withLock({ $0 }) != nil {
                ProcessorTime.current?.add { self.processorTime.withLock { $0 } ?? .zero }
            }
            begun.continuation.yield()
            for await _ in done.stream {}
            if Task.isCancelled {
                wasCancelled.withLock { $0 = true }
                throw WorkError(.canceled, "canceled")
            }
            return RasterizedDocument(pages: [], documentPages: [], impressions: 0, sheets: 0)
        }

        func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
            throw WorkError(.canceled, "the call of inspect was forwarded")
        }
        func prepare(
            _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
        ) async throws(WorkError) -> PreparedDocument { throw WorkError(.canceled, "") }
        func render(
            _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
        ) async throws(WorkError) -> RenderedDocument { throw WorkError(.canceled, "") }
    }

    private func budgeted(_ worker: any DocumentWorking) -> BudgetedWorker {
        BudgetedWorker(
            worker, budget: PageImageBudget(first: .seconds(30), perPage: .seconds(2)), clock: clock)
    }

    private func ask(_ worker: BudgetedWorker) async -> Result<RasterizedDocument, WorkError> {
        let request = RasterizeRequest(
            document: InputDocument(path: "/a.pdf", format: .pdf, name: "a"), paper: PrintPaper(media: .a4),
            resolution: 100, monochrome: false, outputFolder: "/")
        do throws(WorkError) {
            return .success(try await worker.rasterize(request) { _ in })
        } catch {
            return .failure(error)
        }
    }

    @Test func `the time limit for page images grows with the number of rendered pages`() {
        let budget = PageImageBudget(first: .seconds(30), perPage: .seconds(2))
        #expect(budget.time(afterPages: 0) == .seconds(30))
        #expect(budget.time(afterPages: 100) == .seconds(230))
    }

    @Test func `rendering is stopped at the time limit if no page is finished`() async throws {
        let worker = SlowWorker()
        async let result = ask(budgeted(worker))
        await worker.untilBegun()
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        guard case .failure(let error) = await result else {
            Issue.record("the work was not stopped")
            return
        }
        #expect(
            error.code == .timeExceeded && error.message.contains("no page finished in 30 s of processor time"),
            "\(error)")
        #expect(worker.wasCancelled.withLock { $0 })
    }

    @Test func `on a busy machine, only the processor time of the job counts`() async throws {
        let worker = SlowWorker()
        worker.processorTime.withLock { $0 = .seconds(1) }
        async let result = ask(budgeted(worker))
        await worker.untilBegun()
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))  // The machine is busy: the job has used 1 s.
        await clock.sleepers(1)
        worker.processorTime.withLock { $0 = .seconds(2) }
        clock.advance(by: .seconds(29))
        await clock.sleepers(1)
        #expect(!worker.wasCancelled.withLock { $0 })
        worker.processorTime.withLock { $0 = .seconds(30) }
        clock.advance(by: .seconds(28))
        guard case .failure(let error) = await result else {
            Issue.record("the work was not stopped")
            return
        }
        #expect(error.code == .timeExceeded && worker.wasCancelled.withLock { $0 })
    }

    @Test func `each rendered page extends the time limit, and rendering within the limit completes`() async throws {
        let worker = SlowWorker()
        async let result = ask(budgeted(worker))
        await worker.untilBegun()
        await clock.sleepers(1)
        for page in 1...5 { worker.finish(page: page) }
        clock.advance(by: .seconds(30))
        await clock.sleepers(1)  // 10 s more
        clock.advance(by: .seconds(9))
        worker.end()
        let made = await result
        #expect(throws: Never.self) { try made.get() }
    }

    @Test func `a document with many slow pages is stopped at the time limit`() async throws {
        let worker = SlowWorker()
        async let result = ask(budgeted(worker))
        await worker.untilBegun()
        await clock.sleepers(1)
        worker.finish(page: 1)
        clock.advance(by: .seconds(30))
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        guard case .failure(let error) = await result else {
            Issue.record("the work was not stopped")
            return
        }
        #expect(error.message.contains("1 page finished in 32 s of processor time"), "\(error)")
    }
}
