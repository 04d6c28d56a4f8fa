// Limits the time for rendering the pages of a job.

package import PrintModel
import Synchronization

/// The time limit for rendering the page images of a job.
///
/// The pages of a small malicious document can take minutes to render. Real printers also abort jobs that take too
/// long. The limit increases with each rendered page. Therefore a long document with normal pages has enough time. The
/// limit applies to the processor time, so that other programs of a busy machine do not end a good job.
///
///     PageImageBudget().time(afterPages: 0)     // 30 s
///     PageImageBudget().time(afterPages: 100)   // 230 s
package struct PageImageBudget: Hashable, Sendable {
    package var first: Duration
    package var perPage: Duration

    package init(first: Duration = .seconds(30), perPage: Duration = .seconds(2)) {
        (self.first, self.perPage) = (first, perPage)
    }

    /// Returns the deadline for the next page after the given number of rendered pages.
    ///
    /// The deadline is the processor time from the start of the rendering.
    package func time(afterPages finished: Int) -> Duration { first + perPage * finished }

    func exceeded(afterPages finished: Int) -> WorkError {
        let seconds = time(afterPages: finished).components.seconds
        let pages = finished == 0 ? "no page" : finished == 1 ? "1 page" : "\(finished) pages"
        return WorkError(
            .timeExceeded,
            "rendering takes too long: \(pages) finished in \(seconds) s of processor time; simplify the document, or "
                + "start printsim with a longer --page-time")
    }
}

/// A worker that aborts the rendering of page images when the time limit has passed.
package struct BudgetedWorker: DocumentWorking {
    private let worker: any DocumentWorking
    private let budget: PageImageBudget
    private let clock: any Clock<Duration>

    package init(
        _ worker: any DocumentWorking, budget: PageImageBudget = PageImageBudget(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.worker, self.budget, self.clock) = (worker, budget, clock)
    }

    /// - Throws: `timeExceeded` when the time limit has passed.
    package func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        let (finished, processors) = (FinishedPages(), ProcessorTime())
        let result = await withTaskGroup(of: Result<RasterizedDocument, WorkError>?.self) { group in
            group.addTask {
                do throws(WorkError) {
                    return .success(
                        try await measured(request, by: processors) { made in
                            finished.note(made.page)
                            progress(made)
                        })
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { await untilSpent(finished, processors).map { .failure(budget.exceeded(afterPages: $0)) } }
            var first: Result<RasterizedDocument, WorkError>?
            // Wait until the canceled work has ended, so that no page is written after this function returns.
            for await end in group {
                guard first == nil, let end else { continue }
                first = end
                group.cancelAll()
            }
            return first ?? .failure(WorkError(.canceled, "the processing of the document was canceled"))
        }
        return try result.get()
    }

    private func measured(
        _ request: RasterizeRequest, by processors: ProcessorTime, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        let result = await ProcessorTime.$current.withValue(processors) {
            do throws(WorkError) {
                return Result<_, WorkError>.success(try await worker.rasterize(request, progress: progress))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Returns the number of rendered pages; nil when the task was canceled.
    private func untilSpent(_ finished: FinishedPages, _ processors: ProcessorTime) async -> Int? {
        var waited = Duration.zero
        while true {
            let pages = finished.count
            // Several processors can use more time than has passed, which must not shorten the time.
            let spent = processors.used.map { min($0, waited) } ?? waited
            let left = budget.time(afterPages: pages) - spent
            guard left > .zero else { return pages }
            let pause = max(left, .milliseconds(100))
            do { try await clock.sleep(for: pause) } catch { return nil }
            waited += pause
        }
    }

    package func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        try await worker.inspect(document)
    }

    package func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument { try await worker.prepare(request, progress: progress) }

    package func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument { try await worker.render(request, progress: progress) }
}

private final class FinishedPages: Sendable {
    private let pages = Mutex(0)

    var count: Int { pages.withLock { $0 } }

    func note(_ page: Int) { pages.withLock { $0 = max($0, page) } }
}
