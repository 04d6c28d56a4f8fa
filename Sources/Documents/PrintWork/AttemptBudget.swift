// Decides how to retry a page after a worker has failed.

import PrintModel
import Synchronization

/// The retries of a document: the next rendering method for a page at which a worker has failed, and the limit of
/// retries.
final class AttemptBudget: Sendable {
    /// The maximum number of failed pages.
    ///
    /// If more pages fail, the document fails, because each failure can take minutes.
    private static let most = 50

    private let left = Mutex(AttemptBudget.most)

    /// Chooses the next rendering method for the page at which a worker has failed.
    ///
    /// - Parameters:
    ///   - error: The failure of the worker.
    ///   - record: The progress of the worker.
    ///   - detours: The pages that use another rendering method. The failed page is added.
    ///   - requiresFidelity: Whether a page that cannot be drawn is an error.
    /// - Returns: The page at which a new worker starts.
    /// - Throws: The error, if there is no other rendering method or too many pages have failed.
    func nextPage(
        after error: WorkError, _ record: PageRecord, _ detours: inout [Int: RenderingFallback], requiresFidelity: Bool
    ) throws(WorkError) -> Int {
        guard let page = record.pageInProgress else { throw error }
        switch (error.code, detours[page]?.way) {
        // The time limit applies to the part, not to the page. Another worker continues with a new limit.
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
                .notice, because: "both renderers failed; the second renderer \(error.pageFault)")
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
    /// The fault of a page as a verb phrase, to follow a subject.
    fileprivate var pageFault: String {
        switch code {
        case .memoryExceeded: "needed more memory than a worker may use"
        case .pageTimeExceeded, .processorTimeExceeded, .timeExceeded: "took too long"
        default: "crashed"
        }
    }
}
