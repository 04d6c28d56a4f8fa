import Foundation
import PrintModel
import Testing

@testable import PrintSpool

/// Tests of large documents in PostgreSQL.
@Suite(.disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"))
struct LargeDocumentTests {
    private let hosts: PostgresStoreTests.Hosts

    init() throws { hosts = try PostgresStoreTests.Hosts() }

    /// A content of several parts, in which every part differs from the others.
    private static let content = (0..<3_500_000).map { UInt8(truncatingIfNeeded: $0 / 7 + $0 >> 16) }

    private func submit(
        _ content: [UInt8] = content, to spool: Spool, printer: String = "laser", submissionID: String? = nil
    ) async throws -> Job {
        let document = spool.makeIncoming()
        try document.write(content)
        return try await spool.submit(
            Submission(printer: printer, owner: "ada", name: "large", submissionID: submissionID),
            documents: [(document, name: nil, format: .pdf)])
    }

    private func bytes(of id: Int, in spool: Spool) async throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: try await spool.documents(of: id)[0].path)))
    }

    /// The number of stored contents and the number of their parts.
    private func counts() throws -> String {
        try hosts.query("SELECT (SELECT count(*) FROM large_contents), (SELECT count(*) FROM chunks)")
    }

    @Test
    func `every host reads the same bytes of a large document, regardless of the host that accepted the document`()
        async throws
    {
        let (first, second) = (try await hosts.open(0), try await hosts.open(1))
        let id = try await submit(to: first).id
        #expect(try counts() == "1|4")
        #expect(try await bytes(of: id, in: first) == Self.content)
        #expect(try await bytes(of: id, in: second) == Self.content)
        // A deleted copy is written again.
        try FileManager.default.removeItem(atPath: try await second.documents(of: id)[0].path)
        #expect(try await bytes(of: id, in: second) == Self.content)
    }

    @Test func `if two tasks read a large document at the same time, both tasks use the same file`() async throws {
        let (first, second) = (try await hosts.open(0), try await hosts.open(1))
        let id = try await submit(to: first).id
        async let one = second.documents(of: id)[0].path
        async let other = second.documents(of: id)[0].path
        let path = try await one
        #expect(try await other == path)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["document-1.pdf"])
        #expect(try await bytes(of: id, in: second) == Self.content)
    }

    @Test
    func `a reprint shares a large document's content, and the content is removed with the last document that uses it`()
        async throws
    {
        let spool = try await hosts.open()
        let first = try await submit(to: spool).id
        try await spool.complete(first)
        let second = try await spool.resubmit(
            first, as: Submission(printer: "laser", owner: "ada", name: "again")
        ).id
        #expect(try counts() == "1|4")
        try await spool.dropDocuments(keepSeconds: -1)
        #expect(try counts() == "1|4")
        #expect(try await spool.keepsDocuments(of: first) == false)
        #expect(await code { _ = try await spool.documents(of: first) } == .documentMissing)
        #expect(try await bytes(of: second, in: spool) == Self.content)
        try await spool.complete(second)
        #expect(try await spool.purge(keepJobs: 0) == [first, second])
        #expect(try counts() == "0|0")
    }

    @Test func `a refused or repeated submission leaves no unused document content in the database`() async throws {
        let spool = try await hosts.open()
        #expect(await code { _ = try await submit(to: spool, printer: "nothing") } == .noSuchPrinter)
        #expect(try counts() == "0|0")
        let id = try await submit(to: spool, submissionID: "same").id
        #expect(try await submit(to: spool, submissionID: "same").id == id)
        #expect(try counts() == "1|4")
    }

    @Test func `a sweep removes document contents that are older than a day and belong to no document`() async throws {
        let spool = try await hosts.open()
        let id = try await submit(to: spool).id
        for age in ["2 days", "2 hours"] {
            try hosts.query("INSERT INTO large_contents (bytes, created_at) VALUES (1, now() - interval '\(age)')")
        }
        try hosts.query("UPDATE large_contents SET created_at = now() - interval '2 days' WHERE bytes > 1")
        #expect(try await spool.sweep() == 1)
        #expect(try counts() == "2|4")
        #expect(try await bytes(of: id, in: spool) == Self.content)
    }

    @Test func `a small document is stored in a row of the table 'documents', and every host can read the document`()
        async throws
    {
        let (first, second) = (try await hosts.open(0), try await hosts.open(1))
        let id = try await submit(Array("small".utf8), to: first).id
        #expect(try counts() == "0|0")
        #expect(try await bytes(of: id, in: second) == Array("small".utf8))
    }
}
