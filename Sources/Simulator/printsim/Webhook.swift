// Sends each ended job to the address of a webhook.

import FoundationEssentials
import IPPNetworkClient
import PrintCenter
import PrintModel
import PrinterSimulator
import ServiceLifecycle
import SpoolerClient
import Synchronization

/// A service that sends each job to an address when the job ends.
///
/// The body of a request is a JSON object with the name of the printer and the job, in the form of the HTTP API.
final class Webhook: Service {
    private let post: HTTPPost
    private let printers = Mutex<[SimulatedPrinter]>([])
    private let ended = AsyncStream.makeStream(of: (printer: String, job: Int).self)

    /// The pauses before further attempts to send a job.
    private static let pauses: [Duration] = [.seconds(1), .seconds(5)]

    init(_ post: HTTPPost) { self.post = post }

    func open(_ printers: [SimulatedPrinter]) { self.printers.withLock { $0 = printers } }

    func add(_ event: JobEvent) {
        guard event.kind == "job-completed", let job = event.jobID else { return }
        ended.continuation.yield((event.printer, job))
    }

    /// Sends jobs in the order in which they end; at the end, the jobs that have already ended are sent.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await (name, id) in ended.stream {
                let printer = printers.withLock { $0.first { $0.description.name == name } }
                guard let printer, let job = await printer.job(id) else { continue }
                await send(job, at: printer)
            }
        } onGracefulShutdown: {
            self.ended.continuation.finish()
        }
    }

    private func send(_ job: SimulatedJob, at printer: SimulatedPrinter) async {
        let record = SimulatedJobRecord(job, images: JobImages.count(of: job, at: printer))
        let body = JSONText.object([
            ("event", .string("job-completed")), ("printer", .string(printer.description.name)), ("job", record.json),
        ])
        for pause in Self.pauses.map(Optional.some) + [nil] {
            do throws(HTTPDocumentError) {
                return try await post.send(Array((body.compactText + "\n").utf8), type: "application/json")
            } catch {
                guard let pause, (try? await Task.sleep(for: pause)) != nil else {
                    return Notice.write("printsim: cannot send job \(job.id) to the webhook: \(error)")
                }
            }
        }
    }
}
