// Accepts new jobs and their documents.

package import PrintIPP
package import PrintModel
import PrinterSimulator

extension SimulatorService {
    /// The document and the job's report are on disk when this function returns.
    package func printJob(_ request: JobRequest, document: DocumentRequest) async throws -> Job {
        let device = try device(named: request.printer.name)
        guard let arrived = try await receive(document, at: device) else {
            throw IPPFailure.badRequest("the document is empty; no job was created")
        }
        defer { arrived.removeIfLeft() }
        return try await device.createJob(
            request.simulated(for: device.description), document: arrived.path, format: arrived.format,
            name: document.name
        ).job(at: device.description)
    }

    package func createJob(_ request: JobRequest) async throws -> Job {
        let device = try device(named: request.printer.name)
        return try await device.createJob(request.simulated(for: device.description)).job(at: device.description)
    }

    /// A request without document data only closes the job.
    package func sendDocument(
        _ document: DocumentRequest?, to job: Job, isLast: Bool
    ) async throws -> Job {
        let device = try device(named: job.printer)
        guard let document else { return try await close(job, at: device) }
        let key = Arrivals.Key(printer: job.printer, job: job.id)
        arrivals.begin(key)
        defer { arrivals.end(key, at: environment.now()) }
        guard let arrived = try await receive(document, at: device) else {
            guard isLast else { throw IPPFailure.badRequest("the document of job \(job.id) is empty") }
            return try await close(job, at: device)
        }
        defer { arrived.removeIfLeft() }
        return try await device.addDocument(
            arrived.path, format: arrived.format, name: document.name, to: job.id, isLast: isLast,
            request: document.message?.received ?? []
        ).job(at: device.description)
    }

    private func close(_ job: Job, at device: SimulatedPrinter) async throws -> Job {
        try await device.closeJob(job.id).job(at: device.description)
    }
}
