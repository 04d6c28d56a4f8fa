// Tests that a sweep removes only orphaned files.

import Foundation
import PrintModel
import PrintSpool
import Testing

struct SweepTests {
    let files = TestSpool()

    /// Creates an orphaned file, like the files that a killed process leaves behind.
    private func plant(_ path: String) throws {
        let url = URL(fileURLWithPath: files.folder + "/" + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("left".utf8).write(to: url)
    }

    private func submitLarge(_ spool: Spool) async throws -> Int {
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 9, count: 70_000))
        return try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "x"), documents: [(large, name: nil, format: .pdf)]
        ).id
    }

    @Test(.requiresSQLite("large documents are files only with SQLite"), arguments: [false, true])
    func `orphaned files of a killed process are removed at the next start or by a sweep`(atStart: Bool) async throws {
        var spool = try await files.open()
        let ended = try await submitLarge(spool)
        try await spool.complete(ended)
        await spool.finishRemovals()
        if atStart { try spool.close() }
        let orphans = ["incoming/6fd0", "jobs/77/document-1.pdf", "jobs/77/document-2.pdf", "jobs/stray"]
        for orphan in orphans { try plant(orphan) }
        if atStart { spool = try await files.open() }
        #expect(files.names(in: "incoming").isEmpty == atStart)
        #expect(files.names(in: "jobs") == (atStart ? ["\(ended)"] : ["\(ended)", "77", "stray"]))
        let leftovers = ["prepared.pdf", "prepared.pdf.6fd0.partial", "document-2.txt", "document-1.pdf.6fd0"]
        for leftover in leftovers { try plant("jobs/\(ended)/\(leftover)") }

        #expect(try await spool.sweep() == (atStart ? 4 : 7))
        #expect(files.names(in: "incoming").isEmpty)
        #expect(files.names(in: "jobs") == ["\(ended)"])
        #expect(files.names(in: "jobs/\(ended)") == ["document-1.pdf"])
        #expect(try await spool.documents(of: ended).count == 1)
        #expect(try await spool.holdings().orphansRemoved == 7)
        #expect(try await spool.sweep() == 0)
    }

    @Test func `a sweep keeps uploads in progress and the files of jobs that have not ended`() async throws {
        let spool = try await files.open()
        let upload = spool.makeIncoming()
        try upload.write([UInt8](repeating: 1, count: 70_000))
        let waiting = try await submitLarge(spool)
        let held = try await spool.submit(holdUntil: .indefinite).id
        let printing = try await spool.submit(priority: 90).id
        #expect(try await spool.claim(fromPrinters: ["laser"])?.id == printing)
        for id in [waiting, held, printing] {
            for name in ["prepared.pdf", "prepared.pdf.6fd0.partial", "document-1.txt.6fd0"] {
                try plant("jobs/\(id)/\(name)")
            }
        }
        let names = { [waiting, held, printing].map { files.names(in: "jobs/\($0)") } }
        let before = names()
        #expect(try await spool.sweep() == 0)
        #expect(names() == before)
        #expect(files.names(in: "incoming").count == 1)
        let late = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "late"), documents: [(upload, name: nil, format: .pdf)])
        #expect(try await spool.documents(of: late.id).count == 1)

        // After a restart there are no uploads in progress, so unfinished files are removed.
        try spool.close()
        let again = try await files.open()
        #expect(try await again.holdings().orphansRemoved == 6)
        #expect(names() == [["document-1.pdf", "prepared.pdf"], ["prepared.pdf"], ["prepared.pdf"]])
    }

    @Test(.requiresSQLite("only SQLite databases are copied"))
    func `a sweep keeps the journal beside the copy of a database for a backup`() async throws {
        let spool = try await files.open()
        let copy = try spool.makeCopy()
        let name = try #require(files.names(in: "incoming").first)
        for orphan in ["incoming/\(name)-journal", "incoming/\(name)-wal", "incoming/6fd0-journal"] {
            try plant(orphan)
        }
        #expect(try await spool.sweep() == 1)
        #expect(files.names(in: "incoming").sorted() == [name, "\(name)-journal", "\(name)-wal"])
        await copy.end()
        #expect(try await spool.sweep() == 2)
        #expect(files.names(in: "incoming").isEmpty)
    }

    @Test func `an abandoned upload leaves no orphaned file`() async throws {
        let spool = try await files.open()
        do {
            let upload = spool.makeIncoming()
            try upload.write([UInt8](repeating: 1, count: 70_000))
            #expect(files.names(in: "incoming").count == 1)
        }
        #expect(files.names(in: "incoming").isEmpty)
        #expect(try await spool.sweep() == 0)
    }

    @Test func `a sweep removes no documents of concurrent submissions`() async throws {
        let spool = try await files.open()
        let isOver = spool.changes()
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var ids: [Int] = []
                    for _ in 0..<25 { ids.append(try await submitLarge(spool)) }
                    return ids
                }
            }
            group.addTask {
                for await _ in isOver {
                    #expect(try await spool.sweep() == 0)
                    if try await spool.holdings().jobs == 100 { break }
                }
                return []
            }
            let ids = try await group.reduce(into: []) { $0 += $1 }
            #expect(ids.count == 100)
            for id in ids { #expect(try await spool.documents(of: id).count == 1) }
        }
    }

    @Test(.requiresSQLite("large documents are files only with SQLite"))
    func `when a job ends, the prepared files are removed and the documents are kept`() async throws {
        let spool = try await files.open()
        let large = try await submitLarge(spool)
        let small = try await spool.submit().id
        for id in [large, small] {
            _ = try await spool.documents(of: id)
            try plant("jobs/\(id)/prepared.pdf")
            try await spool.complete(id)
        }
        await spool.finishRemovals()
        #expect(files.names(in: "jobs") == ["\(large)"])
        #expect(files.names(in: "jobs/\(large)") == ["document-1.pdf"])
        #expect(try await spool.keepsDocuments(of: small))
    }

    @Test(.requiresSQLite("large documents are files only with SQLite"))
    func `'holdings' returns the number of jobs and their disk usage`() async throws {
        let spool = try await files.open()
        try await spool.complete(try await submitLarge(spool))
        try await spool.submit()
        let held = try await spool.holdings()
        #expect((held.jobs, held.unfinished, held.fileBytes) == (2, 1, 70_000))
        #expect((20_000...(TestStore.isPostgreSQL ? 20_000_000 : 2_000_000)).contains(held.databaseBytes))
    }
}
