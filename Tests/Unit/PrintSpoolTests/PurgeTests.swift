import Foundation
import PrintModel
import PrintSpool
import Testing

struct PurgeTests {
    let files = TestSpool()

    @Test func `job IDs are not reused after all jobs are purged and the spool is reopened`() async throws {
        let spool = try await files.open()
        for _ in 0..<3 { try await spool.complete(spool.submit().id) }
        let latest = try await spool.latestEventSequence()
        #expect(try await spool.purge(keepJobs: 0) == [1, 2, 3])
        #expect(try await spool.jobs(JobFilter(.all)).isEmpty)
        try spool.close()
        let reopened = try await files.open()
        #expect(try await reopened.submit().id == 4)
        #expect(try await reopened.latestEventSequence() > latest)
    }

    @Test func `a purge removes ended jobs beyond the maximum age or number, and keeps jobs that have not ended`()
        async throws
    {
        let spool = try await files.open()
        for name in ["old", "older than most", "young", "youngest"] {
            try await spool.complete(spool.submit(name).id)
            files.clock.advance(by: 100)
        }
        try await spool.submit("waiting")
        _ = try await spool.documents(of: 1)
        #expect(files.names(in: "jobs") == ["1"])
        #expect(try await spool.purge(keepJobs: 10, keepSeconds: 350) == [1])
        #expect(files.names(in: "jobs").isEmpty)
        #expect(try await spool.events(after: 0, jobID: 1).isEmpty)
        #expect(try await spool.purge(keepJobs: 2, keepSeconds: 1000) == [2])
        #expect(try await spool.jobs(JobFilter(.all)).map(\.name) == ["waiting", "youngest", "young"])
    }

    @Test
    func `when a spool is opened, files that belong to no accepted job are removed, and all other files are kept`()
        async throws
    {
        let spool = try await files.open()
        let document = spool.makeIncoming()
        try document.write([UInt8](repeating: 1, count: 70_000))
        try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "kept"), documents: [(document, name: nil, format: .pdf)])
        try spool.close()
        let manager = FileManager.default
        #expect(manager.createFile(atPath: files.folder + "/incoming/half", contents: Data("%PDF".utf8)))
        try manager.createDirectory(atPath: files.folder + "/jobs/2", withIntermediateDirectories: false)
        #expect(manager.createFile(atPath: files.folder + "/jobs/2/document-1.txt", contents: Data("ghost".utf8)))
        for half in ["prepared.pdf.7f0a.partial", "document-2.pdf.7f0a"] {
            #expect(manager.createFile(atPath: files.folder + "/jobs/1/" + half, contents: Data("%PDF".utf8)))
        }

        let reopened = try await files.open()
        #expect(files.names(in: "incoming").isEmpty)
        #expect(files.names(in: "jobs") == ["1"])
        #expect(files.names(in: "jobs/1") == ["document-1.pdf"])
        let next = try await reopened.submit(text: "mine")
        let path = try await reopened.documents(of: next.id)[0].path
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test(.requiresSQLite("large documents are files only with SQLite"))
    func `the error for a missing document contains the path, and deleted documents cannot be read`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 1, count: 70_000))
        let id = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "x"), documents: [(large, name: nil, format: .pdf)]
        ).id
        try FileManager.default.removeItem(atPath: files.folder + "/jobs/\(id)/document-1.pdf")
        let error = await #expect(throws: SpoolError.self) { try await spool.documents(of: id) }
        #expect(error?.code == .documentMissing)
        #expect(error?.message.contains("jobs/\(id)/document-1.pdf") == true)

        let small = try await spool.submit().id
        #expect(try await spool.dropDocuments(keepSeconds: -1) == 0)
        try await spool.complete(small)
        _ = try await spool.documents(of: small)
        #expect(try await spool.dropDocuments(keepSeconds: -1) == 1)
        #expect(files.names(in: "jobs") == ["\(id)"])
        #expect(await code { _ = try await spool.documents(of: small) } == .documentMissing)
        #expect(try await spool.job(small)?.documents.count == 1)
    }

    @Test func `a resubmitted job keeps its documents when the original job is purged`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 9, count: 70_000))
        let submission = Submission(printer: "laser", owner: "ada", name: "x")
        let id = try await spool.submit(
            submission,
            documents: [(large, name: "a.pdf", format: .pdf), (spool.document("b"), name: "b.txt", format: .text)]
        ).id
        try await spool.complete(id)
        let again = try await spool.resubmit(id, as: submission)
        #expect(again.id != id)
        #expect(again.state == .pending)
        try await spool.purge(keepJobs: 0)
        let paths = try await spool.documents(of: again.id).map(\.path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[0])) == Data(repeating: 9, count: 70_000))
        #expect(try String(contentsOfFile: paths[1], encoding: .utf8) == "b")

        try await spool.complete(again.id)
        try await spool.dropDocuments(keepSeconds: -1)
        #expect(await code { _ = try await spool.resubmit(again.id, as: submission) } == .documentMissing)
        #expect(try await spool.jobs().isEmpty)
    }

    @Test(arguments: [0, 1])
    func `after a query for the documents of a job, the folder for the prepared pages exists`(count: Int) async throws {
        let spool = try await files.open()
        let documents: [(IncomingDocument, name: String?, format: DocumentFormat)] = try (0..<count).map { _ in
            (try spool.document("a"), name: nil, format: .text)
        }
        let id = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "x"), documents: documents
        ).id
        _ = try await spool.documents(of: id)
        let path = spool.preparedPath(of: id)
        #expect(path == files.folder + "/jobs/\(id)/prepared.pdf")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    }
}
