// Tests the passwords of encrypted documents, which the spool keeps until the job ends.

import Foundation
import PrintModel
import PrintSpool
import Testing

struct DocumentPasswordTests {
    let files = TestSpool()
    private static let secret = "a password that nobody shall find"

    private func submission(_ password: String?, name: String = "x") -> Submission {
        var submission = Submission(printer: "laser", owner: "ada", name: name)
        submission.documentPassword = password
        return submission
    }

    private func submit(to spool: Spool, _ password: String? = secret) async throws -> Job {
        try await spool.submit(
            submission(password), documents: [(spool.document("hello"), name: "a.pdf", format: .pdf)])
    }

    private func passwords(_ spool: Spool, _ id: Int) async throws -> [String?] {
        try await spool.documents(of: id).map(\.password)
    }

    /// Returns the files of the spool that contain the password.
    private func findings() throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: files.folder)).compactMap { $0 as? String }
        return names.filter { name in
            let data = try? Data(contentsOf: URL(fileURLWithPath: files.folder + "/" + name))
            return data?.range(of: Data(Self.secret.utf8)) != nil
        }
    }

    @Test func `a job keeps the passwords of its documents over a restart, and no description contains them`()
        async throws
    {
        var spool = try await files.open()
        let one = try await submit(to: spool)
        let two = try await spool.createJob(submission(nil, name: "two"))
        for password in [nil, Self.secret, "other"] {
            let document = try spool.document("hello")
            _ = try await spool.addDocument(
                document, name: "b.pdf", format: .pdf, password: password, to: two.id, isLast: password == "other")
        }
        try await spool.change(one.id, .holdRequested(until: nil))
        try spool.close()
        spool = try await files.open()
        #expect(try await passwords(spool, one.id) == [Self.secret])
        #expect(try await passwords(spool, two.id) == [nil, Self.secret, "other"])
        let jobs = try await spool.jobs(JobFilter(.all))
        #expect(jobs.allSatisfy { $0.ticket.hasDocumentPassword == true })
        let all = "\(jobs) \(try await spool.events(after: 0, limit: 100)) \(try await spool.documents(of: one.id))"
        #expect(!all.contains(Self.secret))
    }

    @Test(
        arguments: [
            [.claimed, .delivered(warning: nil)], [.cancelRequested(byOperator: false)],
            [.claimed, .failed(.documentPasswordError, message: "wrong")],
        ] as [[JobStateMachine.Event]])
    func `the password is deleted when the job ends, and its document is kept`(_ events: [JobStateMachine.Event])
        async throws
    {
        let spool = try await files.open()
        let id = try await submit(to: spool).id
        for event in events { try await spool.change(id, event) }
        #expect(try await passwords(spool, id) == [nil])
        #expect(try await spool.job(id)?.ticket.hasDocumentPassword == true)
        #expect(try await spool.keepsDocuments(of: id))
        await spool.finishRemovals()
        #expect(try findings() == [])
    }

    @Test func `canceling several jobs deletes their passwords`() async throws {
        let spool = try await files.open()
        let ids = [try await submit(to: spool).id, try await submit(to: spool, nil).id, try await submit(to: spool).id]
        try await spool.change(ids.map { ($0, .cancelRequested(byOperator: false)) })
        for id in ids { #expect(try await passwords(spool, id) == [nil]) }
        #expect(try findings() == [])
    }

    @Test func `a reprint has no password unless the password is given again`() async throws {
        let spool = try await files.open()
        let id = try await submit(to: spool).id
        try await spool.complete(id)
        let without = try await spool.resubmit(id, as: submission(nil))
        #expect(try await passwords(spool, without.id) == [nil] && without.ticket.hasDocumentPassword == nil)
        let with = try await spool.resubmit(id, as: submission("again"))
        #expect(try await passwords(spool, with.id) == ["again"] && with.ticket.hasDocumentPassword == true)
    }

    @Test(.requiresSQLite("only SQLite databases are copied")) func `a copy for a backup contains no password`()
        async throws
    {
        let spool = try await files.open()
        let id = try await submit(to: spool).id
        let copy = try spool.makeCopy()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy.databasePath))
        #expect(bytes.range(of: Data("a.pdf".utf8)) != nil && bytes.range(of: Data(Self.secret.utf8)) == nil)
        await copy.end()
        #expect(try await passwords(spool, id) == [Self.secret])
    }
}
