// From a job's documents to one document for its printer.

import PrintModel
import PrintSpool

/// Makes the PDF of a job for a printer, and of that the pixels for one that takes no PDF.
struct Preparer: Sendable {
    let spool: Spool
    let directory: PrinterDirectory
    let worker: any DocumentWorking
    let printer: ConfiguredPrinter

    /// What is done to the pages of a job, and what its printer is asked to do.
    ///
    /// - Throws: `JobRun.Failure` when the printer has never said what it can do.
    func plan(for job: Job) async throws -> PrintPlan {
        do {
            let capabilities = try await directory.capabilities(of: printer)
            let plan = job.ticket.plan(for: capabilities, named: printer.name, from: job.resumeFrom)
            if plan.delivery == nil { throw JobRun.Failure(printer, takingOnly: capabilities.formats) }
            return plan
        } catch let error as BackendError {
            try Task.checkCancellation()
            throw JobRun.Failure(error)
        }
    }

    /// Has the worker make the document.
    ///
    /// - Throws: `JobRun.Failure`.
    func prepare(_ job: Job, _ plan: PrintPlan) async throws -> Prepared {
        let request = try await request(job, plan.imposition)
        do {
            var document = try await worker.prepare(request) { _ in }
            if let most = plan.delivery?.maxPages, document.impressions > most {
                throw JobRun.Failure(printer, pages: document.impressions)
            }
            document.notices += try await render(document, plan, for: request)
            return Prepared(
                printer: printer.name, deviceURI: printer.deviceURI, plan: plan,
                isColor: await isColor(plan.device.colorMode), document: document)
        } catch let error as WorkError {
            try Task.checkCancellation()
            throw JobRun.Failure(error)
        }
    }

    /// Whether pages come out in colour where they have any.
    private func isColor(_ mode: ColorMode) async -> Bool {
        guard mode == .auto else { return mode == .color }
        return (try? await directory.capabilities(of: printer))?.colorModes.contains(.color) ?? false
    }

    /// Has the worker make what the printer takes of the PDF, where that is not the PDF itself; returns the notices.
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

    private func request(_ job: Job, _ imposition: Imposition) async throws -> PrepareRequest {
        do throws(SpoolError) {
            var request = PrepareRequest(
                documents: try await spool.documents(of: job.id), imposition: imposition,
                output: try spool.preparedPath(of: job.id), requiresFidelity: job.ticket.requiresFidelity ?? false)
            request.origin = WorkOrigin(printer: printer.name, owner: job.owner)
            return request
        } catch {
            throw JobRun.Failure(error)
        }
    }
}
