// Makes the page images of a document with several workers in parallel.

import AsyncPrimitives
import PrintModel
import ProcessPools
import Synchronization

/// The work that creates the page images of a document.
///
/// One worker creates the first pages. The remaining pages are divided into parts, and several workers process the
/// parts in parallel, up to the number of processors.
///
/// If a worker crashes at a page or exceeds a time or memory limit, another worker draws the page with another
/// rendering method (`RenderingFallback`). The earlier pages are kept.
struct PageImageWork: Sendable {
    /// The number of pages in the first part.
    ///
    /// Most documents have no more pages than the first part, so one worker creates all their page images.
    private static let firstPart = 8
    /// The minimum number of pages in a part.
    ///
    /// Each part requires a new worker. The start of a worker takes longer than the time that a shorter part saves.
    private static let shortestPart = 8
    /// The number of parts for each worker.
    ///
    /// Several parts per worker reduce the wait for the last part.
    private static let partsPerWorker = 4

    let pool: WorkerPool
    let request: RasterizeRequest
    let progress: @Sendable (WorkProgress) -> Void

    /// Creates all page images, and the `sheets` file if the request contains its path.
    func run() async throws(WorkError) -> RasterizedDocument {
        defer { UnfinishedFiles.remove(of: ["\(request.outputFolder)/page-", request.sheets].compactMap(\.self)) }
        // The time limit applies to each document.
        WorkTime.current?.extend(by: Double(request.others.count * pool.limits.wallSeconds), for: "documents")
        extendTime(forPages: Self.firstPart)
        let attempts = AttemptBudget()
        let count = FinishedCount(progress)
        let first = try await make(1...Self.firstPart, attempts, count)
        let total = first.document.documentPages.reduce(0, +)
        extendTime(forPages: total)
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
                document.missingFonts += part.document.missingFonts
            }
        }
        if request.sheets != nil, !first.hasSheets || total > Self.firstPart {
            var last = request
            last.part = .sheets(documentPages: document.documentPages)
            _ = try await pool.answer(to: last)
        }
        // Each part reports the notices that concern the whole document.
        var known: Set<String> = []
        document.notices = Array(document.notices.filter { known.insert($0).inserted }.prefix(WorkerLine.mostNotices))
        document.missingFonts = document.missingFonts.filter { known.insert($0).inserted }
        return document
    }

    /// Each page may use its own time limit.
    private func extendTime(forPages count: Int) {
        WorkTime.current?.extend(by: Double(count * pool.limits.pageSeconds), for: "pages")
    }

    /// The result of one part of the work.
    private struct Made {
        var document: RasterizedDocument
        /// Whether the worker has also written the `sheets` file.
        ///
        /// A worker writes this file only if the part contains all pages.
        var hasSheets: Bool
    }

    /// Creates the page images of a part, and retries failed pages with other rendering methods.
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
                document.missingFonts = earlier.missingFonts + document.missingFonts
                return Made(document: document, hasSheets: hasSheets)
            } catch {
                guard WorkTime.current?.remaining(of: Double(pool.limits.wallSeconds)) != 0 else { throw error }
                let page = try attempts.nextPage(
                    after: error, record, &request.fallbacks, requiresFidelity: request.requiresFidelity)
                earlier.pages += record.outcomes.compactMap(\.image)
                earlier.notices += record.outcomes.compactMap(\.notice)
                next = page
            }
        }
    }
}

/// A record of the finished pages of one part of a document, which one worker draws.
final class PageRecord: Sendable {
    private struct State {
        var isOpen = false
        var outcomes: [PageOutcome] = []
    }

    private let pages: ClosedRange<Int>
    private let state = Mutex(State())

    /// Creates a record for the pages of one part.
    init(of pages: ClosedRange<Int>) { self.pages = pages }

    /// Adds a progress report of a worker.
    func add(_ progress: WorkProgress) {
        state.withLock { state in
            state.isOpen = true
            if let outcome = progress.outcome { state.outcomes.append(outcome) }
        }
    }

    /// The rendering results of the finished pages.
    var outcomes: [PageOutcome] { state.withLock { $0.outcomes } }

    /// The page at which the worker is working; nil if the worker has not opened the document or has reported too many
    /// pages.
    var pageInProgress: Int? {
        state.withLock { state in
            let page = pages.lowerBound + state.outcomes.count
            return state.isOpen && page <= pages.upperBound ? page : nil
        }
    }
}

/// A counter of the finished pages of all parts of a document.
final class FinishedCount: Sendable {
    private let report: @Sendable (WorkProgress) -> Void
    private let count = Mutex(0)

    init(_ report: @escaping @Sendable (WorkProgress) -> Void) { self.report = report }

    func add(_ progress: WorkProgress) {
        guard progress.outcome != nil else { return }
        // The report is sent inside the lock, so that reports arrive in order.
        count.withLock { count in
            count += 1
            report(WorkProgress(page: count, total: progress.total))
        }
    }
}
