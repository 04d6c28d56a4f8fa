import PrintModel
import Testing

@testable import PrintWork

/// Tests of the choice of the next rendering method for a page at which a worker has failed.
struct AttemptBudgetTests {
    /// Returns the fallbacks for page 3 after a failure of a worker.
    private func fallbacks(
        after code: WorkError.Code, _ earlier: RenderingFallback? = nil, finished: Int = 0
    ) throws -> RenderingFallback? {
        let record = PageRecord(of: (3 - finished)...5)
        record.add(WorkProgress(page: 0, total: 5))
        for _ in 0..<finished {
            record.add(WorkProgress(page: 1, total: 5, outcome: PageOutcome()))
        }
        var fallbacks = earlier.map { [3: $0] } ?? [:]
        let next = try AttemptBudget().nextPage(
            after: WorkError(code, "x"), record, &fallbacks, requiresFidelity: false)
        #expect(next == 3)
        return fallbacks[3]
    }

    @Test(arguments: [
        (WorkError.Code.pageTimeExceeded, "the first renderer took too long"),
        (.workerCrashed, "the first renderer crashed"),
        (.memoryExceeded, "the first renderer needed more memory than a worker is allowed to use"),
    ])
    func `if the first renderer fails at a page, the second renderer draws the page`(
        code: WorkError.Code, reason: String
    ) throws {
        #expect(try fallbacks(after: code) == RenderingFallback(.otherRenderer, because: reason))
    }

    @Test(arguments: [WorkError.Code.processorTimeExceeded, .timeExceeded])
    func `if a page uses up a worker's time limit, the page is replaced by a notice with the reason 'took too long'`(
        code: WorkError.Code
    ) throws {
        let notice = try #require(try fallbacks(after: code))
        #expect(notice == RenderingFallback(.notice, because: "drawing the page took too long"))
        #expect(
            notice.notice(of: "page 3")
                == "page 3 could not be drawn and was replaced by a notice because drawing the page took too long")
    }

    @Test(arguments: [
        (WorkError.Code.pageTimeExceeded, "took too long"), (.workerCrashed, "crashed"),
        (.processorTimeExceeded, "took too long"), (.timeExceeded, "took too long"),
    ])
    func `if both renderers fail at a page, the page is replaced by a notice with the reason 'both renderers failed'`(
        code: WorkError.Code, fault: String
    ) throws {
        let first = RenderingFallback(.otherRenderer, because: "the first renderer crashed")
        let notice = try fallbacks(after: code, first)
        #expect(notice == RenderingFallback(.notice, because: "both renderers failed: the second renderer \(fault)"))
    }

    @Test(arguments: [WorkError.Code.processorTimeExceeded, .timeExceeded])
    func `if a worker finishes some pages before its time limit, the next page is drawn with the first renderer`(
        code: WorkError.Code
    ) throws {
        #expect(try fallbacks(after: code, finished: 1) == nil)
    }
}
