import Logging
import OpenMetrics
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of the metrics and the health of a spool.
@Suite(.timeLimit(.minutes(1))) struct SpoolMetricsTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let directory: PrinterDirectory
    private let metrics: SpoolMetrics

    init() async throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path)
        try await spool.addPrinter(ConfiguredPrinter(name: "quiet", deviceURI: "test:quiet", isDefault: true))
        directory = PrinterDirectory(clock: Spool.systemTime) { _ in QuietPrinter() }
        metrics = SpoolMetrics(RecentEvents(spool: spool, after: 0), directory: directory, after: 0)
    }

    private func submit(_ name: String, owner: String = "ann") async throws -> Job {
        let document = spool.makeIncoming()
        try document.write(Array("%PDF-1.4".utf8)[...])
        return try await spool.submit(
            Submission(printer: "quiet", owner: owner, name: name, ticket: JobTicket()),
            documents: [(document, name: "secret.pdf", format: .pdf)])
    }

    private func value(_ name: String, _ labels: [String: String] = [:]) async -> Double? {
        let family = await metrics.families().first { $0.name == name }
        return family?.samples.first { sample in
            labels.allSatisfy { label in sample.labels.contains { $0.name == label.key && $0.value == label.value } }
        }?.value
    }

    @Test func `waiting jobs are counted per printer and state, and ended jobs are counted per final state`()
        async throws
    {
        let following = Task { try await metrics.run() }
        _ = try await submit("one")
        let second = try await submit("two")
        try await spool.change(second.id, .holdRequested(until: nil))
        #expect(await value("printq_queue_depth", ["printer": "quiet"]) == 2)
        #expect(await value("printq_jobs", ["printer": "quiet", "state": "pending"]) == 1)
        #expect(await value("printq_jobs", ["printer": "quiet", "state": "pending-held"]) == 1)
        #expect(await value("printq_oldest_job_age_seconds", ["printer": "quiet"]).map { $0 >= 0 && $0 < 60 } == true)
        try await spool.change(second.id, .cancelRequested(byOperator: false))
        try await eventually("the metrics have counted the canceled job") {
            await value("printq_jobs_ended", ["printer": "quiet", "state": "canceled"]) == 1
        }
        #expect(await value("printq_jobs_accepted", ["printer": "quiet"]) == 2)
        #expect(await value("printq_queue_depth", ["printer": "quiet"]) == 1)
        #expect(await value("printq_event_lag") == 0)
        following.cancel()
        _ = try? await following.value
    }

    @Test func `a paused printer is reported as stopped, and a query of the metrics sends no request to a printer`()
        async throws
    {
        #expect(await value("printq_printer_state", ["printq_printer_state": "idle"]) == 1)
        try await spool.pausePrinter(named: "quiet", message: "")
        #expect(await value("printq_printer_state", ["printq_printer_state": "stopped"]) == 1)
        #expect(await value("printq_printer_state", ["printq_printer_state": "idle"]) == 0)
        // No request was sent, so nothing is known about the device.
        #expect(await value("printq_printer_responding") == nil)
        _ = await directory.status(of: try #require(try await spool.printer(named: "quiet")))
        #expect(await value("printq_printer_responding") == 1)
    }

    @Test func `the metrics count failed preparations by operation and error, and contain no job names or user names`()
        async throws
    {
        let worker = MeasuredWorker(RefusingWorker(), metrics: metrics.factory)
        let broken = MeasuredWorker(RefusingWorker(.damaged), metrics: metrics.factory)
        let job = try await submit("salaries", owner: "ann-of-personnel")
        var request = PrepareRequest(
            documents: try await spool.documents(of: job.id), imposition: Imposition(paper: PrintPaper(media: .a4)),
            output: folder.path("out.pdf"))
        request.origin = WorkOrigin(printer: "quiet", owner: "ann-of-personnel")
        for worker in [worker, broken] {
            let request = request
            await #expect(throws: WorkError.self) { _ = try await worker.prepare(request) { _ in } }
        }
        #expect(
            await value("printq_worker_failures", ["operation": "prepare", "error": "damaged"]) == 1)
        // A canceled request is not a failure.
        #expect(await value("printq_worker_failures", ["error": "canceled"]) == nil)
        let text = MetricsText.text(of: await metrics.families())
        for secret in ["salaries", "ann", "secret", folder.path] { #expect(!text.contains(secret), "\(secret)") }
        let families = try await OpenMetricsParser.families(in: text)
        #expect(families.contains("printq_prepare_seconds histogram"))
        #expect(families.contains("printq_printer_state stateset"))
        #expect(families.contains("printq_worker_failures counter"))
    }

    @Test func `the health check reports an error after the database is closed`() async throws {
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: RefusingWorker(), logger: Logger(label: "test"))
        let health = SpoolHealth(spool: spool, scheduler: scheduler, folder: folder.path)
        #expect(await health.reasons() == [])
        try spool.close()
        #expect(await health.reasons() == ["the database cannot be read; run 'printq doctor'"])
    }
}
