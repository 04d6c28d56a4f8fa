// The imposition plan for CQPDF.

import CQPDF
import FoundationEssentials
import Glibc
import PrintModel
import PrintRaster
import SafeFiles

/// The imposition plan of a job: the pages on each printed side, and the positions of the pages.
///
/// The format is the input format of `cqpdf_impose`.
struct ImpositionPlan {
    let sequence: SheetSequence
    /// The documents of the job, followed by the overlay documents for annotations and texts.
    private let documents: [OpenDocument]
    private let imposition: Imposition
    private var placements: [cqpdf_placement] = []
    private var sides: [cqpdf_side] = []
    /// The scales of the pages that become smaller than half of their size, for each document.
    private var smallPages: [Int: [Int: Double]] = [:]

    /// Plans the sides for the chosen pages.
    ///
    /// - Parameters:
    ///   - overlays: The documents whose pages are laid over other pages.
    ///   - pieces: The pieces of a roll, whose paper is the paper of the imposition; nil if the pages need no pieces.
    ///   - cover: The texts on the cover sheets.
    ///   - output: The output file, whose folder receives a scratch file for texts on the pages.
    /// - Throws: `WorkError` when the texts on the pages cannot be drawn.
    init(
        documents: [OpenDocument], overlays: [OpenDocument] = [], pages: [[Int]], imposition: Imposition,
        on pieces: RollPieces? = nil, cover: CoverText = CoverText(), beside output: String
    ) throws(WorkError) {
        self.imposition = imposition
        self.sequence = SheetSequence(pages: pages, imposition: imposition, on: pieces)
        let layouts = SideLayouts(documents, pages: pages, imposition: imposition)
        let coverSheets = sequence.sides.compactMap(\.cover)
        var covers: [OpenDocument] = []
        if !coverSheets.isEmpty {
            let drawing = CoverDrawing(
                cover, on: imposition.paper, pages: pages.reduce(0) { $0 + $1.count },
                sheets: sequence.sheets + imposition.resumePoint.sheetsBefore, copies: imposition.copies)
            covers = [try drawing.document(coverSheets, beside: output)]
        }
        let coverDocument = documents.count + overlays.count
        var texts = SideOverlays(
            documents, imposition: imposition, sides: sequence.sides, firstDocument: coverDocument + covers.count)
        placements.reserveCapacity(pages.reduce(0) { $0 + $1.count })
        sides.reserveCapacity(sequence.sides.count)
        for (number, side) in sequence.sides.enumerated() {
            let first = placements.count
            if let cover = side.cover {
                placements.append(
                    Self.placement(of: cover, among: coverSheets, on: imposition.paper, document: coverDocument))
                sides.append(cqpdf_side(first: first, count: 1))
                continue
            }
            guard let place = side.places.lazy.compactMap({ $0 }).first else { continue }
            let sideLayout = layouts.layout(for: place)
            let extras = texts.placements(on: side, number: number, sideLayout)
            placements += extras.under
            for (cell, place) in side.places.enumerated() {
                guard let place else { continue }
                let document = documents[place.document]
                let geometry = document.geometry(ofPage: place.page)
                let placement =
                    if sideLayout.poster != nil {
                        sideLayout.placement(of: geometry, onTile: place.tile)
                    } else if pieces != nil, document.hasSize {
                        sideLayout.placement(of: geometry, onPiece: place.tile)
                    } else {
                        sideLayout.placement(of: geometry, inCell: cell)
                    }
                if imposition.pagesPerSide == 1, sideLayout.poster == nil, !document.isImage {
                    let scale = placement.scale(of: geometry)
                    // Paper of half the size, such as A6 for A4, is not worth a warning.
                    if scale < 0.495 { smallPages[place.document, default: [:]][place.page] = scale }
                }
                placements.append(cqpdf_placement(placement, document: place.document, page: place.page))
            }
            placements += extras.over
            sides.append(cqpdf_side(first: first, count: placements.count - first))
        }
        self.documents = documents + overlays + covers + (try texts.document(beside: output).map { [$0] } ?? [])
    }

    /// Returns the placement of a cover sheet, which covers the whole side.
    private static func placement(
        of cover: CoverSheet, among sheets: [CoverSheet], on paper: PrintPaper, document: Int
    ) -> cqpdf_placement {
        let geometry = PageGeometry(
            box: Rect(origin: .zero, size: paper.paperSize), turns: 0, userUnit: 1)
        let layout = SideLayout(for: Imposition(paper: paper, scaling: .none), page: paper.paperSize)
        return cqpdf_placement(
            layout.placement(of: geometry, inCell: 0), document: document,
            page: (sheets.firstIndex(of: cover) ?? 0) + 1, isOverlay: true)
    }

    /// Sentences about the pages that become smaller than half of their size, one for each document.
    var scaleNotices: [String] {
        smallPages.sorted { $0.key < $1.key }.map { document, pages in
            let smallest = pages.min { ($0.value, $0.key) < ($1.value, $1.key) }
            let percent = max(1, Int(((smallest?.value ?? 0) * 100).rounded()))
            let which =
                pages.count == 1
                ? "page \(smallest?.key ?? 1) of \(documents[document].name) is printed at \(percent) % of its size"
                : "\(pages.count) pages of \(documents[document].name) are printed at less than half of their size, "
                    + "page \(smallest?.key ?? 1) at \(percent) %"
            return which + "; choose larger paper, or print on several sheets with --poster"
        }
    }

    /// Writes the PDF to a temporary file in the folder of `output`, and renames the complete file to `output`.
    func write(to output: String, progress: @escaping @Sendable (WorkProgress) -> Void) throws(WorkError) {
        let file = try AtomicFile(path: output, mode: OutputFileMode.mode) {
            WorkError(
                .writeFailed, "cannot write '\(output)': \($0); free some space or choose another folder",
                detail: "errno \($0.number)")
        }
        var status = cqpdf_status()
        guard impose(to: file.openPath, progress: progress, status: &status) else {
            throw .imposing(onto: output, status: status, names: documents.map(\.name))
        }
        try file.finish()
    }

    private func impose(
        to path: String, progress: @escaping @Sendable (WorkProgress) -> Void, status: inout cqpdf_status
    ) -> Bool {
        let total = sequence.order.count
        var pace = ReportPace(total: total)
        let report = Report { done in
            if done > 0, pace.isDue(done, at: .now) { progress(WorkProgress(page: done, total: total)) }
            return !Task.isCancelled
        }
        let handles = documents.map { Optional($0.handle) }
        let order = sequence.order.map { $0.map { UInt32($0) } ?? UInt32.max }
        let paper = imposition.paper.paperSize
        let border = imposition.numberUp.border
        return withExtendedLifetime((documents, report)) {
            handles.withUnsafeBufferPointer { handles in
                placements.withUnsafeBufferPointer { placements in
                    sides.withUnsafeBufferPointer { sides in
                        order.withUnsafeBufferPointer { order in
                            var plan = cqpdf_plan(
                                documents: handles.baseAddress, document_count: handles.count,
                                placements: placements.baseAddress, placement_count: placements.count,
                                sides: sides.baseAddress, side_count: sides.count,
                                order: order.baseAddress, order_count: order.count,
                                paper_width: paper.width, paper_height: paper.height,
                                shared_sides: imposition.pagesPerSide > 1, border_lines: Int32(border.lines),
                                border_width: border.lineWidth)
                            return cqpdf_impose(
                                &plan, path,
                                { context, done in
                                    guard let context else { return true }
                                    return Unmanaged<Report>.fromOpaque(context).takeUnretainedValue().tell(done)
                                },
                                Unmanaged.passUnretained(report).toOpaque(), &status)
                        }
                    }
                }
            }
        }
    }

    /// An object that holds a closure, so that a C function can receive a pointer to the closure.
    private final class Report {
        let tell: (Int) -> Bool
        init(tell: @escaping (Int) -> Bool) { self.tell = tell }
    }
}

/// The rule that decides when to report progress.
///
/// Not every page is reported, because a report takes longer than the imposition of a simple page.
struct ReportPace {
    private let total: Int
    private var next: ContinuousClock.Instant?

    /// The minimum time between two progress reports.
    static let interval = Duration.milliseconds(100)

    /// Creates the rule for a job with the given number of pages.
    init(total: Int) { self.total = total }

    /// Returns whether to report that a page is complete.
    ///
    /// Page numbers count from 1. The first page and the last page are always reported. Another page is reported if the
    /// minimum time has passed since the last report.
    mutating func isDue(_ page: Int, at instant: ContinuousClock.Instant) -> Bool {
        if let next, instant < next, page < total { return false }
        next = instant + Self.interval
        return true
    }
}

/// The layouts of the printed sides of all documents.
private struct SideLayouts {
    private let documents: [OpenDocument]
    private let impositions: [Imposition]
    /// The layouts of sides with several pages, one layout for each document; nil if each side has one page.
    ///
    /// Only the first page of a document determines the orientation. Therefore all pages on a side have the same
    /// orientation, and readers do not have to turn the sheets.
    private let shared: [SideLayout]?

    init(_ documents: [OpenDocument], pages: [[Int]], imposition: Imposition) {
        self.documents = documents
        let impositions = documents.map { $0.hasSize ? imposition : imposition.fittingImages }
        self.impositions = impositions
        guard imposition.pagesPerSide > 1 else {
            shared = nil
            return
        }
        let own = documents.indices.map { index in
            pages[index].first.map {
                SideLayout(for: impositions[index], page: documents[index].geometry(ofPage: $0).size)
            }
        }
        let first = own.lazy.compactMap { $0 }.first ?? SideLayout(for: imposition, page: imposition.paper.paperSize)
        shared = own.map { imposition.documentJoining == .sameSide ? first : $0 ?? first }
    }

    func layout(for place: SheetSequence.Place) -> SideLayout {
        shared?[place.document]
            ?? SideLayout(
                for: impositions[place.document],
                page: documents[place.document].geometry(ofPage: place.page).size)
    }
}

extension cqpdf_placement {
    init(_ placement: PagePlacement, document: Int, page: Int, isOverlay: Bool = false, multiplies: Bool = false) {
        let (transform, clip) = (placement.transform, placement.clip)
        self.init(
            document: UInt32(document), page: UInt32(page - 1),
            matrix: (transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty),
            clip: (clip.minX, clip.minY, clip.width, clip.height),
            as_it_is: placement.leavesPageAsItIs, is_overlay: isOverlay, multiplies: multiplies)
    }
}
