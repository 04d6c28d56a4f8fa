// The pages of a long document, made by several workers side by side.

import PrintModel
import Synchronization

/// Makes the page images of a document: the first ones by one worker, the others in parts, as many parts at a time as
/// there are processors.
///
/// A page at which a worker crashes, or which takes too long, is made again by another worker in another way
/// (`RenderingFallback`); the pages before it are kept.
struct PageImageWork: Sendable {
    /// Most documents are short: one worker makes them whole, without knowing their length in advance.
    private static let firstPart = 8
    /// A part costs the start of a worker, so it has enough pages to be worth that.
    private static let shortestPart = 8
    /// Enough parts for each worker that none waits long for the last one.
    private static let partsPerWorker = 4

    let pool: WorkerPool
    let request: RasterizeRequest
    let progress: @Sendable (WorkProgress) -> Void

    /// Makes all page images, and `sheets` if the request names it.
    func run() async throws(WorkError) -> RasterizedDocument {
        defer { UnfinishedFiles.remove(of: ["\(request.outputFolder)/page-", request.sheets].compactMap(\.self)) }
        let attempts = AttemptBudget()
        let count = FinishedCount(progress)
        let first = try await make(1...Self.firstPart, attempts, count)
        let total = first.document.documentPages.reduce(0, +)
        var document = first.document
        if total > Self.firstPart {
            let length = max(
                Self.shortestPart, (total - Self.firstPart - 1) / (pool.concurrent * Self.partsPerWorker) + 1)
            let parts = stride(from: Self.firstPart + 1, through: total, by: length).map {
                $0...min($0 + length - 1, total)
            }
            let made = try await pool.inParallel(parts) { part throws(WorkError) in
                try await make(part, attempts, count)
            }
            for part in made {
                document.pages += part.document.pages
                document.notices += part.document.notices
            }
        }
        if request.sheets != nil, !first.hasSheets || total > Self.firstPart {
            var last = request
            last.part = .sheets(documentPages: document.documentPages)
            _ = try await pool.answer(to: last)
        }
        // Every part reports what is wrong with the document as a whole.
        var known: Set<String> = []
        document.notices = Array(document.notices.filter { known.insert($0).inserted }.prefix(WorkerLine.mostNotices))
        return document
    }

    /// A part of the page images.
    private struct Made {
        var document: RasterizedDocument
        /// Whether the worker has written `sheets` too, if these are all pages.
        var hasSheets: Bool
    }

    /// Makes some page images, as often as it takes to find a way for each of them.
    private func make(
        _ images: ClosedRange<Int>, _ attempts: AttemptBudget, _ count: FinishedCount
    ) async throws(WorkError) -> Made {
        var request = request
        var earlier = RasterizedDocument(pages: [], documentPages: [], impressions: 0, sheets: 0)
        var next = images.lowerBound
        while true {
            request.part = .images(next...images.upperBound)
            let record = PageRecord(of: next...images.upperBound)
            do throws(WorkError) {
                var document = try await pool.answer(to: request) { progress in
                    record.add(progress)
                    count.add(progress)
                }
                let hasSheets = earlier.pages.isEmpty
                document.pages = earlier.pages + document.pages
                document.notices = earlier.notices + document.notices
                return Made(document: document, hasSheets: hasSheets)
            } catch {
                let page = try attempts.nextPage(
                    after: error, record, &request.detours, requiresFidelity: request.requiresFidelity)
                earlier.pages += record.outcomes.compactMap(\.image)
                earlier.notices += record.outcomes.compactMap(\.notice)
                next = page
            }
        }
    }
}

/// How far a worker has come with the pages of its part.
final class PageRecord: Sendable {
    private struct State {
        var isOpen = false
        var outcomes: [PageOutcome] = []
    }

    private let pages: ClosedRange<Int>
    private let state = Mutex(State())

    /// A record of the pages that a worker is to make.
    init(of pages: ClosedRange<Int>) { self.pages = pages }

    /// Notes what a worker reports.
    func add(_ progress: WorkProgress) {
        state.withLock { state in
            state.isOpen = true
            if let outcome = progress.outcome { state.outcomes.append(outcome) }
        }
    }

    /// What came of the pages that are finished.
    var outcomes: [PageOutcome] { state.withLock { $0.outcomes } }

    /// The page that the worker was making; nil while it had not opened the document, and when it reports too many pages.
    var pageInProgress: Int? {
        state.withLock { state in
            let page = pages.lowerBound + state.outcomes.count
            return state.isOpen && page <= pages.upperBound ? page : nil
        }
    }
}

/// How many pages of all parts are finished.
final class FinishedCount: Sendable {
    private let report: @Sendable (WorkProgress) -> Void
    private let count = Mutex(0)

    init(_ report: @escaping @Sendable (WorkProgress) -> Void) { self.report = report }

    func add(_ progress: WorkProgress) {
        guard progress.outcome != nil else { return }
        // Within the lock, so that reports come in order.
        count.withLock { count in
            count += 1
            report(WorkProgress(page: count, total: progress.total))
        }
    }
}
