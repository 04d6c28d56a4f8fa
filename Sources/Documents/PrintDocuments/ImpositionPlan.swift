// The imposition plan for CQPDF.

import CQPDF
import FoundationEssentials
import Glibc
import PrintModel

/// All sides of a job with the positions of their pages, as one plan for `cqpdf_impose`.
struct ImpositionPlan {
    let sequence: SheetSequence
    private let documents: [OpenDocument]
    /// The documents whose pages are laid over other pages.
    ///
    /// The overlays follow `documents` in the plan.
    private let overlays: [OpenDocument]
    private let imposition: Imposition
    private var placements: [cqpdf_placement] = []
    private var sides: [cqpdf_side] = []

    /// Plans the sides for the chosen pages.
    init(documents: [OpenDocument], overlays: [OpenDocument] = [], pages: [[Int]], imposition: Imposition) {
        self.documents = documents
        self.overlays = overlays
        self.imposition = imposition
        self.sequence = SheetSequence(pages: pages, imposition: imposition)
        let own = documents.map { $0.hasSize ? imposition : imposition.fittingImages }
        // All pages that share a side are turned like the document's first page, so that readers do not have to turn
        // the sheets.
        let shared =
            imposition.numberUp.count == 1
            ? nil
            : documents.indices.map { index in
                SideLayout(for: own[index], page: documents[index].geometry(ofPage: pages[index][0]).size)
            }
        placements.reserveCapacity(pages.reduce(0) { $0 + $1.count })
        sides.reserveCapacity(sequence.sides.count)
        for side in sequence.sides {
            sides.append(cqpdf_side(first: placements.count, count: side.pages.count))
            for (cell, page) in side.pages.enumerated() {
                let geometry = documents[side.document].geometry(ofPage: page)
                let layout = shared?[side.document] ?? SideLayout(for: own[side.document], page: geometry.size)
                let placement = layout.placement(of: geometry, inCell: cell)
                placements.append(cqpdf_placement(placement, document: side.document, page: page))
            }
        }
    }

    /// Writes the PDF to a temporary file beside `output` and renames it when it is complete.
    func write(to output: String, progress: @escaping @Sendable (WorkProgress) -> Void) throws(WorkError) {
        let partial = "\(output).\(UUID().uuidString).partial"
        var status = cqpdf_status()
        guard impose(to: partial, progress: progress, status: &status) else {
            unlink(partial)
            throw .imposing(onto: output, status: status, names: documents.map(\.name))
        }
        guard rename(partial, output) == 0 else {
            let error = errno
            unlink(partial)
            throw WorkError(
                .writeFailed,
                "cannot write '\(output)': \(String(cString: strerror(error))); choose another name",
                detail: "errno \(error)")
        }
    }

    private func impose(
        to path: String, progress: @escaping @Sendable (WorkProgress) -> Void, status: inout cqpdf_status
    ) -> Bool {
        let total = sequence.order.count
        let report = Report { done in
            if done > 0 { progress(WorkProgress(page: done, total: total)) }
            return !Task.isCancelled
        }
        let handles = (documents + overlays).map { Optional($0.handle) }
        let order = sequence.order.map { $0.map { UInt32($0) } ?? UInt32.max }
        let paper = imposition.paper.paperSize
        return withExtendedLifetime((documents, overlays, report)) {
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
                                shared_sides: imposition.numberUp.count > 1, border: imposition.numberUp.border)
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

    /// Passes a closure through the C interface.
    private final class Report {
        let tell: (Int) -> Bool
        init(tell: @escaping (Int) -> Bool) { self.tell = tell }
    }
}

extension cqpdf_placement {
    init(_ placement: PagePlacement, document: Int, page: Int) {
        let (transform, clip) = (placement.transform, placement.clip)
        self.init(
            document: UInt32(document), page: UInt32(page - 1),
            matrix: (transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty),
            clip: (clip.minX, clip.minY, clip.width, clip.height),
            as_it_is: placement.leavesPageAsItIs)
    }
}
