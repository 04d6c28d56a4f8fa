// How long a simulated printer works on one job's pages.

package import PrintModel
import Synchronization

/// How long the page images of a job may take.
///
/// A small document can be made so that its pages take minutes to draw. A real printer gives such a job up too. The time grows
/// with each page that is finished, so that a long document of pages that can be drawn has all the time it needs.
///
///     PageImageBudget().time(afterPages: 0)     // 30 s
///     PageImageBudget().time(afterPages: 100)   // 230 s
package struct PageImageBudget: Hashable, Sendable {
    /// The time until the first page.
    package var first: Duration
    /// The time that each finished page adds.
    package var perPage: Duration

    /// A budget.
    package init(first: Duration = .seconds(30), perPage: Duration = .seconds(2)) {
        (self.first, self.perPage) = (first, perPage)
    }

    /// The time since the start that may have passed when so many pages are finished.
    package func time(afterPages finished: Int) -> Duration { first + perPage * finished }

    /// Why a job is given up.
    func exceeded(afterPages finished: Int) -> WorkError {
        let seconds = time(afterPages: finished).components.seconds
        let pages = finished == 0 ? "no page" : finished == 1 ? "1 page" : "\(finished) pages"
        return WorkError(
            .timeExceeded,
            "the pages take too long to draw: \(pages) finished in \(seconds) s; simplify the document, or start printsim with "
                + "a longer --page-time")
    }
}

/// Has page images made, and gives a job up that takes longer than its budget.
///
/// All other work is passed on.
package struct BudgetedWorker: DocumentWorking {
    private let worker: any DocumentWorking
    private let budget: PageImageBudget
    private let clock: any Clock<Duration>

    /// A worker under a budget.
    package init(
        _ worker: any DocumentWorking, budget: PageImageBudget = PageImageBudget(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.worker, self.budget, self.clock) = (worker, budget, clock)
    }

    /// Turns a document into page images.
    ///
    /// - Throws: `timeExceeded` when too few pages are finished for the time that has passed.
    package func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        let finished = FinishedPages()
        let result = await withTaskGroup(of: Result<RasterizedDocument, WorkError>?.self) { group in
            group.addTask {
                do throws(WorkError) {
                    return .success(
                        try await worker.rasterize(request) { made in
                            finished.note(made.page)
                            progress(made)
                        })
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { await untilSpent(finished).map { .failure(budget.exceeded(afterPages: $0)) } }
            var first: Result<RasterizedDocument, WorkError>?
            // The work is told to stop, and waited for: nothing writes pages any more when this returns.
            for await end in group {
                guard first == nil, let end else { continue }
                first = end
                group.cancelAll()
            }
            return first ?? .failure(WorkError(.canceled, "the work on the document was canceled"))
        }
        return try result.get()
    }

    /// Waits until the budget is spent; how many pages were finished then, nil when nobody waits any more.
    private func untilSpent(_ finished: FinishedPages) async -> Int? {
        var waited = Duration.zero
        while true {
            let pages = finished.count
            let left = budget.time(afterPages: pages) - waited
            guard left > .zero else { return pages }
            do { try await clock.sleep(for: left) } catch { return nil }
            waited += left
        }
    }

    /// Says what a document is.
    package func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        try await worker.inspect(document)
    }

    /// Converts and imposes documents.
    package func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument { try await worker.prepare(request, progress: progress) }

    /// Makes pages into what a printer takes.
    package func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument { try await worker.render(request, progress: progress) }
}

/// How many pages are finished.
private final class FinishedPages: Sendable {
    private let pages = Mutex(0)

    var count: Int { pages.withLock { $0 } }

    func note(_ page: Int) { pages.withLock { $0 = max($0, page) } }
}
