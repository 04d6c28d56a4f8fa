// Tests jobs whose documents are deleted when the job ends.

import Foundation
import PrintModel
import PrintSpool
import Testing

struct NoKeepTests {
    let files = TestSpool()
    private static let secret = "a secret that nobody shall find: "

    /// Submits a job whose small and large documents contain the secret and must not be kept.
    private func submit(to spool: Spool, keeps: Bool? = false) async throws -> Int {
        var submission = Submission(printer: "laser", owner: "ada", name: "x")
        submission.ticket.keepsDocuments = keeps
        let large = spool.makeIncoming()
        for _ in 0..<3000 { try large.write(Self.secret.utf8) }
        let small = try spool.document(String(repeating: Self.secret, count: 1000))
        return try await spool.submit(
            submission, documents: [(small, name: "a.txt", format: .text), (large, name: "b.txt", format: .text)]
        ).id
    }

    /// Returns the files of the spool that contain the secret.
    private func findings() throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: files.folder)).compactMap { $0 as? String }
        return names.filter { name in
            let data = try? Data(contentsOf: URL(fileURLWithPath: files.folder + "/" + name))
            return data?.range(of: Data(Self.secret.utf8)) != nil
        }
    }

    private static let ends: [[JobStateMachine.Event]] = [
        [.claimed, .delivered(warning: nil)], [.cancelRequested(byOperator: false)],
        [.claimed, .failed(.documentFormatError, message: "damaged")],
        [.claimed, .cancelRequested(byOperator: true), .backendStopped],
    ]

    @Test(arguments: ends)
    func `if 'keepsDocuments' is false, a job's documents are deleted when the job ends, and its history is kept`(
        _ events: [JobStateMachine.Event]
    ) async throws {
        let spool = try await files.open()
        let id = try await submit(to: spool)
        _ = try await spool.documents(of: id)
        #expect(try findings().contains("jobs/\(id)/document-2.txt"))
        for event in events { try await spool.change(id, event) }
        await spool.finishRemovals()
        #expect(files.names(in: "jobs").isEmpty)
        #expect(try await !spool.keepsDocuments(of: id))
        #expect(try await spool.job(id)?.documents.map(\.name) == ["a.txt", "b.txt"])
        try await spool.sweep()
        #expect(try findings() == [])

        let error = await #expect(throws: SpoolError.self) {
            try await spool.resubmit(id, as: Submission(printer: "laser", owner: "ada", name: "x"))
        }
        #expect(error?.message == "document 1 of job \(id) was not kept when the job ended; submit the document again")
    }

    @Test func `if 'keepsDocuments' is false and a job times out, the job's documents are deleted`() async throws {
        let spool = try await files.open()
        var submission = Submission(printer: "laser", owner: "ada", name: "x")
        submission.ticket.keepsDocuments = false
        let id = try await spool.createJob(submission).id
        let large = spool.makeIncoming(for: id)
        for _ in 0..<3000 { try large.write(Self.secret.utf8) }
        _ = try await spool.addDocument(large, name: nil, format: .text, to: id, isLast: false)
        files.clock.advance(by: 301)
        #expect(try await spool.releaseDueJobs().map(\.state) == [.aborted])
        #expect(files.names(in: "jobs").isEmpty)
        #expect(try findings() == [])
    }

    @Test
    func `if the process is killed after a job ends and before the job's files are deleted, a sweep deletes the files`()
        async throws
    {
        var spool = try await files.open()
        let id = try await submit(to: spool)
        let path = files.folder + "/jobs/\(id)/document-2.txt"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try await spool.change(id, .cancelRequested(byOperator: false))
        await spool.finishRemovals()
        try spool.close()
        // The row was committed, but the file was not removed yet.
        try FileManager.default.createDirectory(
            atPath: files.folder + "/jobs/\(id)", withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: path))
        spool = try await files.open()
        #expect(try await spool.sweep() == 1)
        #expect(try findings() == [])
    }

    @Test func `if 'keepsDocuments' is false, a suspended job keeps its documents until a user cancels the job`()
        async throws
    {
        let spool = try await files.open()
        let id = try await submit(to: spool)
        for event: JobStateMachine.Event in [.claimed, .sent, .doubted(message: "lost")] {
            try await spool.change(id, event)
        }
        #expect(try await spool.keepsDocuments(of: id))
        try await spool.change(id, .cancelRequested(byOperator: false))
        #expect(try await !spool.keepsDocuments(of: id))
    }

    @Test func `the documents of a reprint are kept when the original job's documents are deleted`() async throws {
        let spool = try await files.open()
        let id = try await submit(to: spool, keeps: nil)
        try await spool.complete(id)
        let again = try await spool.resubmit(id, as: Submission(printer: "laser", owner: "ada", name: "x")).id
        try await spool.dropDocuments(keepSeconds: -1)
        #expect(try await spool.documents(of: again).count == 2)
    }

    @Test func `the documents of many old jobs are deleted in several transactions`() async throws {
        let spool = try await files.open()
        var ids: [Int] = []
        for _ in 0..<230 { ids.append(try await spool.submit().id) }
        let large = try await submit(to: spool, keeps: nil)
        for id in ids + [large] { try await spool.complete(id) }
        files.clock.advance(by: 100)
        let young = try await spool.submit().id
        try await spool.complete(young)
        #expect(try await spool.dropDocuments(keepSeconds: 200) == 0)
        #expect(try await spool.dropDocuments(keepSeconds: 50) == 231)
        #expect(try await spool.dropDocuments(keepSeconds: 50) == 0)
        #expect(files.names(in: "jobs").isEmpty)
        #expect(try await spool.keepsDocuments(of: young))
        #expect(try await spool.holdings().jobs == 232)
    }
}
