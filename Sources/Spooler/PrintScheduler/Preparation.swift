// Represents a document that is prepared before its job starts.

import PrintModel
import AsyncPrimitives
import Synchronization

/// A prepared document, with the printer and the print plan for which the document was prepared.
///
/// This information exists only in the memory of the process, and the file of the document is not synced to the disk.
/// Therefore the document is prepared again after a restart.
struct Prepared: Sendable {
    /// The name of the printer.
    let printer: String
    /// The printer's address.
    let deviceURI: String
    /// The print plan: the changes to the pages, and the options for the printer.
    let plan: PrintPlan
    /// Whether the printer prints colored pages in color.
    let isColor: Bool
    /// The prepared document.
    let document: PreparedDocument

    /// Returns whether a new preparation for the given printer and plan would produce the same document.
    func isGood(for printer: ConfiguredPrinter, _ plan: PrintPlan) -> Bool {
        self.printer == printer.name && deviceURI == printer.deviceURI && self.plan == plan
    }

    /// The event that stores the page counts of the document and the messages about its preparation.
    var event: JobStateMachine.Event {
        let notices = plan.conflicts.map(\.description) + document.notices + document.notes
        let omitted = plan.imposition.resumePoint
        return .prepared(
            impressions: document.impressions * plan.device.copies + omitted.impressionsBefore,
            sheets: document.sheets * plan.device.copies + omitted.sheetsBefore,
            notice: notices.isEmpty ? nil : notices.joined(separator: "; "), warnings: document.notices, plan: sheetPlan
        )
    }

    /// The order of the sheets, and the division of the copies between the document and the printer.
    ///
    /// The document contains some of the copies, and the printer makes the remaining copies.
    private var sheetPlan: SheetPlan {
        let laidOut = max(1, plan.imposition.copies)
        let sheets = document.sheets + plan.imposition.resumePoint.sheetsBefore
        return SheetPlan(
            media: plan.device.paper.media.name, isColor: isColor, copies: laidOut * max(1, plan.device.copies),
            sheetsPerCopy: sheets / laidOut, blankBacks: document.blankBacks,
            collated: plan.imposition.collated && plan.device.collated,
            isReversed: plan.imposition.pageOrder == .reverse, pages: document.pages,
            pagesPerSide: plan.imposition.pagesPerSide, sidesPerPage: plan.imposition.sidesPerPage)
    }
}

/// The preparation of a waiting job's document, with the result.
final class Preparation: Sendable {
    /// The job's record at the start of the preparation.
    let job: Job
    /// The signal that the result is no longer required.
    let stop = Signal()
    private let over = Signal()
    private let made: Mutex<Prepared?>

    /// Creates a preparation that is in progress.
    init(of job: Job) {
        self.job = job
        made = Mutex(nil)
    }

    /// Creates a finished preparation with the document of a failed delivery, for the next attempt.
    init(of job: Job, made prepared: Prepared) {
        self.job = job
        made = Mutex(prepared)
        over.give()
    }

    /// Whether the preparation has ended.
    var isOver: Bool { over.isGiven }

    /// Ends the preparation with its result.
    ///
    /// If the result is nil, the document is prepared when the job starts.
    func end(_ prepared: Prepared?) {
        made.withLock { $0 = prepared }
        over.give()
    }

    /// Waits until the preparation has ended, and returns its result.
    func result() async -> Prepared? {
        await over.wait()
        return made.withLock { $0 }
    }
}
