import Foundation
import PrintTestSupport
import Testing

/// Tests of documents that exceed the limits of a worker.
@Suite(.timeLimit(.minutes(3))) struct WorkerLimitTests {
    /// Returns the reason for which a job with the document is aborted under the given limits.
    ///
    /// Checks that the next job prints.
    private func refusal(limits: String, _ pdf: PDFBuilder) async throws -> String {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data("{worker: {\(limits)}}".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        try spooler.start()
        let run = try await spooler.printq("submit", "--wait", try spooler.file("large.pdf", pdf))
        #expect(run.code == 1, "\(run)")
        let shown = try await spooler.printq("show", "1")
        let next = try await spooler.printq("submit", "--wait", try spooler.file("small.pdf", .numbered(pages: 1)))
        expect(next)
        let job = try await spooler.job(1)
        #expect(job.state == "aborted")
        let reason = job.message ?? "no reason"
        #expect(shown.output.contains(reason), "\(shown)")
        return reason
    }

    @Test func `if a document exceeds the CPU time limit, the job is aborted with a reason`() async throws {
        let reason = try await refusal(limits: "processorSeconds: 1", .numbered(pages: 40_000))
        #expect(reason.contains("CPU time"), "\(reason)")
    }

    @Test func `if a document exceeds the wall-clock time limit, the job is aborted with a reason`() async throws {
        let reason = try await refusal(limits: "wallSeconds: 1", .numbered(pages: 40_000))
        #expect(reason.contains("1 s"), "\(reason)")
    }

    @Test func `if a document exceeds the memory limit, the job is aborted with a reason`() async throws {
        let reason = try await refusal(limits: "memoryMiB: 256", .numbered(pages: 60_000))
        #expect(reason.contains("more memory"), "\(reason)")
    }

    @Test func `if the prepared file of a job exceeds the size limit, the job is aborted with a reason`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.content += String(repeating: "% nothing to see\n", count: 100_000) }
        let reason = try await refusal(limits: "outputMiB: 1", pdf)
        #expect(reason.contains("1 MiB"), "\(reason)")
    }
}
