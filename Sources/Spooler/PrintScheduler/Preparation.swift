// A document made ready for a printer ahead of its job's turn.

import PrintModel
import AsyncPrimitives
import Synchronization

/// A document that is ready for a printer, and what it was made for.
///
/// That it is good is known in memory only: its file is not forced onto the disk, so it is made again after a restart.
struct Prepared: Sendable {
    /// The printer it was made for.
    let printer: String
    /// Where that printer was.
    let deviceURI: String
    /// What was done to the pages, and what the printer is to do.
    let plan: PrintPlan
    /// Whether pages come out in colour where they have any.
    let isColor: Bool
    /// What was made.
    let document: PreparedDocument

    /// Whether it is what would be made for a printer with a plan now.
    func isGood(for printer: ConfiguredPrinter, _ plan: PrintPlan) -> Bool {
        self.printer == printer.name && deviceURI == printer.deviceURI && self.plan == plan
    }

    /// What the job's record says of it.
    var event: JobStateMachine.Event {
        let notices = plan.conflicts.map(\.description) + document.notices
        let omitted = plan.imposition.resumePoint
        return .prepared(
            impressions: document.impressions * plan.device.copies + omitted.impressionsBefore,
            sheets: document.sheets * plan.device.copies + omitted.sheetsBefore,
            notice: notices.isEmpty ? nil : notices.joined(separator: "; "), warnings: document.notices, plan: sheetPlan
        )
    }

    /// How the sheets come out: some copies may have been laid out, the others are made by the printer.
    private var sheetPlan: SheetPlan {
        let laidOut = max(1, plan.imposition.copies)
        let sheets = document.sheets + plan.imposition.resumePoint.sheetsBefore
        return SheetPlan(
            media: plan.device.paper.media.name, isColor: isColor, copies: laidOut * max(1, plan.device.copies),
            sheetsPerCopy: sheets / laidOut, blankBacks: document.blankBacks,
            collated: plan.imposition.collated && plan.device.collated,
            isReversed: plan.imposition.pageOrder == .reverse, pages: document.pages,
            pagesPerSide: plan.imposition.numberUp.count)
    }
}

/// The work on a waiting job's document, and what came of it.
final class Preparation: Sendable {
    /// The job as it was when the work began.
    let job: Job
    /// Given when the result is not wanted any more.
    let stop = Signal()
    private let over = Signal()
    private let made: Mutex<Prepared?>

    /// Work that is about to begin.
    init(of job: Job) {
        self.job = job
        made = Mutex(nil)
    }

    /// Work that is done: the document of a job that was not delivered.
    init(of job: Job, made prepared: Prepared) {
        self.job = job
        made = Mutex(prepared)
        over.give()
    }

    /// Whether the work has come to its end.
    var isOver: Bool { over.isGiven }

    /// Says what came of the work: nil when the document is to be prepared at its turn.
    func end(_ prepared: Prepared?) {
        made.withLock { $0 = prepared }
        over.give()
    }

    /// What came of the work, once it has come to its end.
    func outcome() async -> Prepared? {
        await over.wait()
        return made.withLock { $0 }
    }
}
