// Prepares one document for a printer from the documents of a job.

import FoundationEssentials
import PrintModel
import PrintSpool

/// A preparer of job documents for one printer.
///
/// The result is a PDF, or raster data for a printer that does not accept PDF.
struct Preparer: Sendable {
    let spool: Spool
    let directory: PrinterDirectory
    let worker: any DocumentWorking
    let printer: ConfiguredPrinter

    /// Prepares the document of a job.
    ///
    /// - Parameter earlier: A document that was prepared in advance. The function returns this document if a new
    ///   preparation would have the same result.
    /// - Throws: `PreparationError`, `CancellationError`.
    func prepare(_ job: Job, reusing earlier: Prepared? = nil) async throws -> Prepared {
        let plan = try await plan(for: job)
        let cover = plan.imposition.coverSheets.map { _ in coverText(of: job) }
        if let earlier, earlier.isGood(for: printer, plan, cover) { return earlier }
        var request = try await request(job, plan.imposition)
        request.cover = cover
        do {
            var document = try await worker.prepare(request) { _ in }
            if let most = plan.delivery?.maxPages, document.impressions > most {
                throw PreparationError.tooManyPages(printer, count: document.impressions)
            }
            let printed = plan.cut(into: document.pieces)
            if printed != plan, let pieces = document.pieces { document.notes.append(pieces.note) }
            for notice in try await render(document, printed, for: request) where !document.notices.contains(notice) {
                document.notices.append(notice)
            }
            return Prepared(
                printer: printer.name, deviceURI: printer.deviceURI, requestedPlan: plan, plan: printed,
                isColor: await isColor(plan.device.colorMode), cover: cover, document: document)
        } catch let error as WorkError {
            try Task.checkCancellation()
            throw PreparationError.worker(error)
        }
    }

    /// Returns the print plan of a job: the changes to the pages, and the options for the printer.
    ///
    /// - Throws: `PreparationError` when the printer has never reported its capabilities, or accepts no format that
    ///   `printd` produces.
    private func plan(for job: Job) async throws -> PrintPlan {
        let capabilities: PrinterCapabilities
        do {
            capabilities = try await directory.capabilities(of: printer)
        } catch let error as BackendError {
            try Task.checkCancellation()
            throw PreparationError.printer(error)
        }
        let plan = job.ticket.plan(for: capabilities, named: printer.name, from: job.resumeFrom)
        guard plan.delivery != nil else {
            throw PreparationError.noCommonFormat(printer, accepted: capabilities.formats)
        }
        return plan
    }

    /// Returns whether the printer prints colored pages in color.
    private func isColor(_ mode: ColorMode) async -> Bool {
        guard mode == .auto else { return mode == .color }
        return (try? await directory.capabilities(of: printer))?.colorModes.contains(.color) ?? false
    }

    /// Renders the PDF in the printer's format, unless that format is PDF.
    ///
    /// - Returns: The worker's messages about the rendered pages.
    private func render(
        _ document: PreparedDocument, _ plan: PrintPlan, for request: PrepareRequest
    ) async throws(WorkError) -> [String] {
        guard let delivery = plan.delivery, delivery.pixels != nil, document.impressions > 0 else { return [] }
        var pixels = RenderRequest(
            document: request.output, pages: 1...document.impressions, pageCount: document.impressions,
            delivery: delivery, options: plan.device, requiresFidelity: request.requiresFidelity)
        pixels.origin = request.origin
        return try await worker.render(pixels) { _ in }.notices
    }

    private func coverText(of job: Job) -> CoverText {
        CoverText(
            title: job.name, job: job.id, user: job.owner, host: ProcessInfo.processInfo.hostName,
            printer: printer.info.isEmpty ? printer.name : printer.info, date: job.createdAt)
    }

    private func request(_ job: Job, _ imposition: Imposition) async throws(PreparationError) -> PrepareRequest {
        do throws(SpoolError) {
            var request = PrepareRequest(
                documents: try await spool.documents(of: job.id), imposition: imposition,
                output: spool.preparedPath(of: job.id), requiresFidelity: job.ticket.requiresFidelity ?? false)
            request.origin = WorkOrigin(printer: printer.name, owner: job.owner)
            request.conversion = ConversionLayout(
                paper: imposition.paper, text: job.ticket.text ?? TextOptions(),
                fillsPage: job.ticket.outputType?.isPhoto == true && imposition.paper.isBorderless, date: job.createdAt)
            return request
        } catch {
            throw .spool(error)
        }
    }
}
