// Decides how to retry a page after a worker has failed.

import PrintModel
import Synchronization

/// The retry policy for a document.
///
/// After a worker has failed at a page, the policy chooses the next rendering method for this page. The policy limits
/// the number of failures for the whole document.
final class AttemptBudget: Sendable {
    /// The maximum number of failures; a page that fails with both renderers counts twice.
    ///
    /// After more failures, the policy rejects the document, because each failure can take minutes.
    private static let most = 50

    private let left = Mutex(AttemptBudget.most)

    /// Chooses the next rendering method for the page at which a worker has failed.
    ///
    /// - Parameters:
    ///   - error: The failure of the worker.
    ///   - record: The progress of the worker.
    ///   - fallbacks: The pages that use another rendering method. The function adds the failed page if the page itself
    ///     is the cause of the failure.
    ///   - requiresFidelity: Whether a page that cannot be drawn is an error.
    /// - Returns: The page at which a new worker starts.
    /// - Throws: `error`, if there is no other rendering method or the number of failures is too large.
    func nextPage(
        after error: WorkError, _ record: PageRecord, _ fallbacks: inout [Int: RenderingFallback],
        requiresFidelity: Bool
    ) throws(WorkError) -> Int {
        guard let page = record.pageInProgress else { throw error }
        switch (error.code, fallbacks[page]?.way) {
        // The time limit applies to the part, not to the page. Another worker continues with a new limit.
        case (.processorTimeExceeded, _) where !record.outcomes.isEmpty,
            (.timeExceeded, _) where !record.outcomes.isEmpty:
            return page
        case (.pageTimeExceeded, nil), (.workerCrashed, nil), (.memoryExceeded, nil):
            fallbacks[page] = RenderingFallback(.otherRenderer, because: "the first renderer \(error.pageFault)")
        case (.pageTimeExceeded, .otherRenderer), (.workerCrashed, .otherRenderer), (.memoryExceeded, .otherRenderer),
            (.processorTimeExceeded, .otherRenderer), (.timeExceeded, .otherRenderer):
            guard !requiresFidelity else { throw error }
            fallbacks[page] = RenderingFallback(
                .notice, because: "both renderers failed: the second renderer \(error.pageFault)")
        // The page used all the time of its worker, with the first renderer only or with both.
        case (.processorTimeExceeded, nil), (.timeExceeded, nil):
            guard !requiresFidelity else { throw error }
            fallbacks[page] = RenderingFallback(.notice, because: "drawing the page \(error.pageFault)")
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
    /// A description of the error as a verb phrase, such as `took too long`.
    fileprivate var pageFault: String {
        switch code {
        case .memoryExceeded: "needed more memory than a worker is allowed to use"
        case .pageTimeExceeded, .processorTimeExceeded, .timeExceeded: "took too long"
        default: "crashed"
        }
    }
}
