// Tests moving, resuming and reprinting jobs.

import Foundation
import PrintModel
import PrintSpool
import Testing

struct SpoolAgainTests {
    let files = TestSpool()

    /// Submits a job of six sides that is suspended after two sides.
    private func suspended(in spool: Spool) async throws -> Int {
        let id = try await spool.submit().id
        let events: [JobStateMachine.Event] = [
            .claimed, .prepared(impressions: 6, sheets: 6, notice: nil),
            .createdAtPrinter(RemoteJob(id: 5, uuid: "urn:uuid:5")), .sent, .progressed(impressions: 2, sheets: 2),
            .doubted(message: "lost"),
        ]
        for event in events { try await spool.change(id, event) }
        return id
    }

    @Test func `the start page of a resumed job survives a restart`() async throws {
        var spool = try await files.open()
        let id = try await suspended(in: spool)
        let job = try await spool.change(id, .resumeRequested(fromImpression: nil)).job
        #expect(job.resumeFrom == 3)
        #expect(try await spool.events(after: 0, jobID: id).last?.message == "Continues with page 3 of 6")
        try spool.close()
        spool = try await files.open()
        #expect(try await spool.job(id) == job)
        #expect(try await spool.claim(fromPrinters: ["laser"])?.resumeFrom == 3)
    }

    @Test func `a moved suspended job remains suspended and keeps its queue position`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        let id = try await suspended(in: spool)
        try await spool.submit("later", to: "photo")
        let moved = try await spool.update(id, printer: "photo")
        #expect((moved.printer, moved.movedFrom, moved.state) == ("photo", "laser", .processingStopped))
        #expect(try await spool.events(after: 0, jobID: id).last?.message == "Moved from laser to photo")
        try await spool.change(id, .resumeRequested(fromImpression: nil))
        #expect(try await spool.claim(fromPrinters: ["photo"])?.id == id)
        #expect(await code { try await spool.update(id, printer: "laser") } == .notPossible)
        #expect(await code { try await spool.update(id, printer: "laser", name: "n") } == .notPossible)
    }

    @Test func `a reprint stores the original job's ID, and a repeated request creates no second reprint`() async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        var again = Submission(printer: "laser", owner: "ada", name: "again", submissionID: "once more")
        again.resumeFrom = 4
        #expect(await code { _ = try await spool.resubmit(id, as: again) } == .notPossible)
        try await spool.complete(id)
        let first = try await spool.resubmit(id, as: again)
        #expect((first.parentID, first.resumeFrom) == (id, 4))
        #expect(try await spool.resubmit(id, as: again) == first)
        #expect(try await spool.jobs().map(\.id) == [first.id])
        #expect(
            await code { _ = try await spool.resubmit(99, as: Submission(printer: "laser", owner: "", name: "")) }
                == .noSuchJob)
    }

    @Test func `a suspended job cannot be resubmitted, and the message suggests commands`() async throws {
        let spool = try await files.open()
        let id = try await suspended(in: spool)
        let error = await #expect(throws: SpoolError.self) {
            try await spool.resubmit(id, as: Submission(printer: "laser", owner: "ada", name: "x"))
        }
        #expect(error?.message.contains("'printq resume \(id)' continues with page 3") == true)
    }

    @Test(.requiresSQLite("large documents are files only with SQLite"))
    func `a job cannot be reprinted if the file of a large document was deleted manually`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 9, count: 70_000))
        let submission = Submission(printer: "laser", owner: "ada", name: "x")
        let id = try await spool.submit(submission, documents: [(large, name: nil, format: .pdf)]).id
        try await spool.complete(id)
        try FileManager.default.removeItem(atPath: files.folder + "/jobs/\(id)/document-1.pdf")
        #expect(await code { _ = try await spool.resubmit(id, as: submission) } == .documentMissing)
        #expect(try await spool.jobs().isEmpty)
    }
}
