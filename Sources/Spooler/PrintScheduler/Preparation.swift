// Represents a document that is prepared before its job starts.

import PrintModel
import AsyncPrimitives
import Synchronization

/// A prepared document, with the printer and the print plan for which the document was prepared.
///
/// This information exists only in the memory of the process, and the file of the document is not synced to the disk.
/// Therefore the document is prepared again after a restart.
struct Prepared: Sendable {
    let printer: String
    /// The printer's address.
    let deviceURI: String
    /// The print plan before the length of roll paper was chosen.
    let requestedPlan: PrintPlan
    /// The print plan: the changes to the pages, and the options for the printer.
    let plan: PrintPlan
    /// Whether the printer prints colored pages in color.
    let isColor: Bool
    /// The texts on the cover sheets; nil if the job has no cover sheets.
    let cover: CoverText?
    let document: PreparedDocument

    /// Returns whether a new preparation for the given printer, plan and cover sheets would produce the same document.
    func isGood(for printer: ConfiguredPrinter, _ plan: PrintPlan, _ cover: CoverText?) -> Bool {
        self.printer == printer.name && deviceURI == printer.deviceURI && requestedPlan == plan && self.cover == cover
    }

    /// The event that stores the page counts of the document and the messages about its preparation.
    var event: JobStateMachine.Event {
        let warnings = plan.conflicts.map(\.description) + document.notices
        let notices = warnings + document.notes
        let omitted = plan.imposition.resumePoint
        return .prepared(
            impressions: document.impressions * plan.device.copies + omitted.impressionsBefore,
            sheets: document.sheets * plan.device.copies + omitted.sheetsBefore,
            notice: notices.isEmpty ? nil : notices.joined(separator: "; "), warnings: warnings, plan: sheetPlan)
    }

    /// The order of the sheets, and the division of the copies between the document and the printer.
    ///
    /// The document contains some of the copies, and the printer makes the remaining copies.
    private var sheetPlan: SheetPlan {
        let laidOut = max(1, plan.imposition.copies)
        let covers = plan.imposition.coverSheets ?? CoverSheets()
        let sheets = max(0, document.sheets + plan.imposition.resumePoint.sheetsBefore - covers.count)
        let isReversed = plan.imposition.pageOrder == .reverse
        var sheetPlan = SheetPlan(
            media: plan.device.paper.media.name, isColor: isColor, copies: laidOut * max(1, plan.device.copies),
            sheetsPerCopy: sheets / laidOut, blankBacks: document.blankBacks,
            collated: plan.imposition.collated && plan.device.collated,
            isReversed: isReversed, pages: document.pages, pagesPerSide: plan.imposition.pagesPerSide,
            sidesPerPage: document.pieces?.piecesPerPage ?? plan.imposition.sidesPerPage)
        sheetPlan.coversBefore = (isReversed ? covers.end : covers.start) == nil ? 0 : 1
        sheetPlan.coversAfter = covers.count - sheetPlan.coversBefore
        return sheetPlan
    }
}

/// The preparation of a job's document, with the result.
///
/// The preparation of a waiting job runs in advance. The preparation of a started job ends before the job is sent, or
/// jobs of other owners overtake the job, and its preparation continues in advance.
final class Preparation: Sendable {
    typealias Outcome = Result<Prepared, any Error>

    private struct State {
        var outcome: Outcome?
        var isAhead: Bool
        var isSlow = false
        var isOvertaken = false
    }

    /// The job's record at the start of the preparation.
    let job: Job
    /// The preparation in advance that this preparation waits for; nil if the document was not prepared in advance.
    let earlier: Preparation?
    /// The working time of all attempts to prepare the document.
    let time: WorkTime
    /// The signal of `cancel()`.
    let stop = Signal()
    private let over = Signal()
    /// The signal that the job's delivery must not wait any longer.
    private let settled = Signal()
    private let state: Mutex<State>

    /// Creates a preparation that is in progress.
    ///
    /// - Parameters:
    ///   - isAhead: Whether the job is waiting.
    ///   - earlier: The preparation in advance whose result is used, if possible.
    init(of job: Job, isAhead: Bool, after earlier: Preparation? = nil) {
        self.job = job
        self.earlier = earlier
        time = earlier?.time ?? WorkTime(used: job.preparationSeconds)
        state = Mutex(State(isAhead: isAhead))
    }

    /// Creates a finished preparation with the document of a failed delivery, for the next attempt.
    init(of job: Job, made prepared: Prepared) {
        self.job = job
        earlier = nil
        time = WorkTime()
        state = Mutex(State(outcome: .success(prepared), isAhead: true))
        over.give()
    }

    /// Whether the preparation has ended.
    var isOver: Bool { over.isGiven }
    /// The document; nil if the preparation is in progress or has failed.
    var document: Prepared? { try? state.withLock(\.outcome)?.get() }
    /// Whether the job is waiting.
    var isAhead: Bool { state.withLock(\.isAhead) }
    /// Whether jobs of other owners may overtake the job.
    var isSlow: Bool { state.withLock(\.isSlow) || earlier?.isSlow == true }
    /// Whether jobs of other owners overtake the job, because its preparation is still in progress.
    var isOvertaken: Bool { state.withLock { $0.isOvertaken && $0.outcome == nil } }
    /// The error of the preparation, if another attempt cannot fix it; otherwise nil.
    var permanentFailure: PreparationError? {
        guard case .failure(let error as PreparationError) = state.withLock(\.outcome) else { return nil }
        return error.permanentFault == nil ? nil : error
    }

    /// Records that the preparation takes long.
    func noteSlowness() { state.withLock { $0.isSlow = true } }

    /// Lets the started job wait again, unless the preparation has ended.
    func overtake() {
        let isInProgress = state.withLock { state in
            if state.outcome == nil { (state.isAhead, state.isOvertaken) = (true, true) }
            return state.outcome == nil
        }
        if isInProgress { settled.give() }
    }

    /// Stops the preparation, whose result is no longer required.
    func cancel() {
        stop.give()
        earlier?.cancel()
    }

    /// Ends the preparation with its result.
    ///
    /// After an error, the document is prepared again when the job starts.
    func end(_ outcome: Outcome) {
        state.withLock { $0.outcome = outcome }
        over.give()
        settled.give()
    }

    /// Waits until the preparation has ended.
    func wait() async { await over.wait() }

    /// Waits until the preparation of a started job has ended, and returns its result; nil if the job is overtaken.
    func settlement() async -> Outcome? {
        await settled.wait()
        return state.withLock { $0.isAhead ? nil : $0.outcome }
    }
}
