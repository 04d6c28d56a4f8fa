// What is tried next when a worker fails at a page.

import PrintModel
import Synchronization

/// Decides how a page is made again at which a worker has failed, and how often that is done for one document.
final class AttemptBudget: Sendable {
    /// A document with more pages that fail is given up: each of them may cost minutes.
    private static let most = 50

    private let left = Mutex(AttemptBudget.most)

    /// Finds a way for the page at which a worker has failed.
    ///
    /// - Parameters:
    ///   - error: How the worker failed.
    ///   - record: How far the worker had come.
    ///   - detours: The ways of all pages that are not made in the usual way; receives the way of the failed page.
    ///   - requiresFidelity: Whether a page that cannot be drawn is an error.
    /// - Returns: The page that a new worker is to begin with.
    /// - Throws: The error, when there is no other way, or too many pages have failed.
    func nextPage(
        after error: WorkError, _ record: PageRecord, _ detours: inout [Int: RenderingFallback], requiresFidelity: Bool
    ) throws(WorkError) -> Int {
        guard let page = record.pageInProgress else { throw error }
        switch (error.code, detours[page]?.way) {
        // The part took too long, not the page: another worker goes on with a new limit.
        case (.processorTimeExceeded, _) where !record.outcomes.isEmpty,
            (.timeExceeded, _) where !record.outcomes.isEmpty:
            return page
        case (.pageTimeExceeded, nil), (.workerCrashed, nil), (.memoryExceeded, nil):
            detours[page] = RenderingFallback(.otherRenderer, because: "the usual renderer \(error.pageFault)")
        case (.pageTimeExceeded, .otherRenderer), (.workerCrashed, .otherRenderer), (.memoryExceeded, .otherRenderer),
            (.processorTimeExceeded, nil), (.processorTimeExceeded, .otherRenderer), (.timeExceeded, nil),
            (.timeExceeded, .otherRenderer):
            guard !requiresFidelity else { throw error }
            detours[page] = RenderingFallback(
                .notice, because: "both renderers failed: the last one \(error.pageFault)")
        default: throw error
        }
        let isWithin = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isWithin else { throw error }
        return page
    }
}

extension WorkError {
    /// What happened at a page, as it follows a subject.
    fileprivate var pageFault: String {
        switch code {
        case .memoryExceeded: "needed more memory than a worker may use"
        case .pageTimeExceeded, .processorTimeExceeded, .timeExceeded: "took too long"
        default: "crashed"
        }
    }
}
