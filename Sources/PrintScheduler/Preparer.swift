// From a job's documents to one document for its printer.

import PrintModel
import PrintSpool

/// Makes the PDF of a job for a printer.
struct Preparer: Sendable {
    let spool: Spool
    let directory: PrinterDirectory
    let worker: any DocumentWorking
    let printer: Printer

    /// What is done to the pages of a job, and what its printer is asked to do.
    ///
    /// - Throws: `JobRun.Failure` when the printer has never said what it can do.
    func plan(for job: Job) async throws -> PrintPlan {
        do {
            return job.ticket.plan(for: try await directory.capabilities(of: printer), from: job.resumeFrom)
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
        do throws(WorkError) {
            let document = try await worker.prepare(request) { _ in }
            return Prepared(
                printer: printer.name, deviceURI: printer.deviceURI, plan: plan,
                isColor: await isColor(plan.device.colorMode), document: document)
        } catch {
            try Task.checkCancellation()
            throw JobRun.Failure(error)
        }
    }

    /// Whether pages come out in colour where they have any.
    private func isColor(_ mode: ColorMode) async -> Bool {
        guard mode == .auto else { return mode == .color }
        return (try? await directory.capabilities(of: printer))?.colorModes.contains(.color) ?? false
    }

    private func request(_ job: Job, _ imposition: Imposition) async throws -> PrepareRequest {
        do throws(SpoolError) {
            return PrepareRequest(
                documents: try await spool.documents(of: job.id), imposition: imposition,
                output: try spool.preparedPath(of: job.id))
        } catch {
            throw JobRun.Failure(error)
        }
    }
}
