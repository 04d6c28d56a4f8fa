// Opens documents to show their pages, and lays them out as for a printer.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import PrintWork

/// A type that converts, lays out and opens documents for display.
struct ViewMaker: Sendable {
    let pool: ConvertingWorkerPool
    let viewer: PageViewer

    /// The options that determine the appearance of the pages.
    struct Order: Sendable {
        var ticket: JobTicket
        var capabilities: PrinterCapabilities
        var printer: String?
        var owner: String
        var date: UnixTime?
        /// The number of the job; nil for a job that is not submitted.
        var job: Int?
        /// The title of the job; nil for the name of its first document.
        var title: String?

        /// The print plan for one copy in page order, with the options of the printer.
        var plan: PrintPlan {
            var plan = ticket.plan(for: capabilities, named: printer)
            plan.imposition.copies = 1
            plan.imposition.pageOrder = .normal
            return plan
        }

        /// Whether the printer prints all pages in gray.
        var isGray: Bool {
            let mode = plan.device.colorMode
            return mode == .monochrome || mode == .auto && !capabilities.colorModes.contains(.color)
        }

        func request(_ documents: [InputDocument], output: String) -> PrepareRequest {
            let imposition = plan.imposition
            var request = PrepareRequest(
                documents: documents, imposition: imposition, output: output,
                requiresFidelity: ticket.requiresFidelity ?? false)
            // Previews take turns with the printers, and users with one another.
            request.origin = WorkOrigin(printer: "", owner: owner)
            if imposition.coverSheets != nil {
                request.cover = CoverText(
                    title: title ?? documents.first?.name, job: job, user: owner, printer: printer, date: date)
            }
            request.conversion = ConversionLayout(
                paper: imposition.paper, text: ticket.text ?? TextOptions(),
                fillsPage: ticket.outputType?.isPhoto == true && imposition.paper.isBorderless, date: date)
            return request
        }
    }

    /// The failed conversion of one of several documents.
    struct DocumentFailure: Error {
        /// The index of the document.
        var index: Int
        var error: WorkError
    }

    /// Opens documents without layout.
    ///
    /// Documents without pages, such as text files, are converted.
    ///
    /// - Parameter conversions: The folder with earlier conversions of the documents; nil if there is no such folder.
    /// - Throws: `DocumentFailure` if a document cannot be converted.
    func open(
        _ documents: [InputDocument], _ order: Order, in folder: String, conversions: String? = nil
    ) async throws -> OpenView {
        do {
            var own: [InputDocument] = []
            for (index, document) in documents.enumerated() {
                own.append(try Self.link(document, to: "\(folder)/document-\(index + 1)"))
            }
            if let conversions { Self.linkConversions(from: conversions, to: folder) }
            let request = order.request(own, output: "\(folder)/prepared.pdf")
            var pages: [InputDocument] = []
            for (index, document) in own.enumerated() {
                do throws(WorkError) {
                    pages.append(try await pool.converted(document, number: index + 1, for: request))
                } catch {
                    throw DocumentFailure(index: index, error: error)
                }
            }
            let viewed = ViewedDocuments(
                id: folder, request: ViewRequest(documents: pages.map { ViewedDocument($0) }))
            let opened = try await viewer.pages(of: viewed, for: order.owner)
            return OpenView(folder: folder, documents: pages, viewed: viewed, opened: opened)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Lays out the pages of open documents in the same way as for printing.
    func layOut(_ view: OpenView, _ order: Order, in folder: String) async throws -> OpenView {
        do {
            let output = "\(folder)/prepared.pdf"
            let request = order.request(view.documents, output: output)
            let prepared = try await pool.pool.prepare(request) { _ in }
            let document = InputDocument(path: output, format: .pdf, name: view.documents.first?.name)
            let plan = order.plan.cut(into: prepared.pieces)
            let viewed = ViewedDocuments(
                id: folder,
                request: ViewRequest(documents: [
                    ViewedDocument(
                        document, isGray: order.isGray, printableArea: plan.imposition.paper.printableRect)
                ]))
            let plain = ViewedDocuments(
                id: "\(folder) plain", request: ViewRequest(documents: [ViewedDocument(document)]))
            let opened = try await viewer.pages(of: viewed, for: order.owner)
            return OpenView(
                folder: folder, documents: view.documents, viewed: viewed, opened: opened,
                layout: OpenView.Layout(
                    plan: plan,
                    sides: Self.sides(
                        view.opened, plan.imposition, on: prepared.pieces, count: opened.sizes.count),
                    sidesPerSheet: plan.imposition.duplex == .none ? 1 : 2, plain: plain, prepared: prepared),
                preparedPath: output)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Returns the pages that appear on each printed side.
    static func sides(
        _ opened: OpenedPages, _ imposition: Imposition, on pieces: RollPieces? = nil, count: Int
    ) -> [OpenView.Side] {
        let documentPages = opened.documentPages
        let chosen = imposition.pages(of: documentPages)
        let pieces = pieces?.counts.map(\.count) == chosen.map(\.count) ? pieces : nil
        let sequence = SheetSequence(pages: chosen, imposition: imposition, on: pieces)
        let starts = documentPages.indices.map { documentPages[..<$0].reduce(0, +) }
        let sides = sequence.order.map { index in
            var side = OpenView.Side(
                pages: (index.map { sequence.sides[$0].places } ?? []).compactMap { place in
                    place.map { starts[$0.document] + $0.page }
                })
            if let page = side.pages.first, opened.sizes.indices.contains(page - 1) {
                side.turns = SideLayout(for: imposition, page: opened.sizes[page - 1]).turns
            }
            return side
        }
        // The worker leaves out pages that it cannot read; their places are then not known.
        return sides.count == count ? sides : (0..<count).map { _ in OpenView.Side(pages: [0]) }
    }

    /// Links or copies a document into a folder, so that the document exists until the view is closed.
    private static func link(_ document: InputDocument, to path: String) throws(WorkError) -> InputDocument {
        BlockingCall.check()
        var own = document
        own.path = path
        own.name = document.name ?? document.path.split(separator: "/").last.map(String.init)
        if Glibc.link(document.path, path) == 0 { return own }
        do {
            try FileManager.default.copyItem(atPath: document.path, toPath: path)
        } catch {
            throw WorkError(.documentMissing, "cannot read \(own.name ?? "the document")", detail: "\(error)")
        }
        return own
    }

    private static func linkConversions(from source: String, to folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []
        for name in names where name.hasPrefix("converted-") {
            _ = Glibc.link("\(source)/\(name)", "\(folder)/\(name)")
        }
    }
}
