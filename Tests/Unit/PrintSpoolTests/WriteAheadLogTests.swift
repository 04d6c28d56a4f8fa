import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

@Suite(.requiresSQLite("the test reads SQLite's write-ahead log"))
struct WriteAheadLogTests {
    let files = TestSpool()

    @Test func `SQLite reuses the write-ahead log from the beginning, even if there are always readers`() async throws {
        let spool = try await files.open()
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<100 { try await spool.submit(text: text) }
        let readers = (0..<4).map { _ in
            Task { while !Task.isCancelled { _ = try await spool.jobs(JobFilter(.all), in: JobListRange(limit: 100)) } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<200 { try await spool.submit(text: text) } }
            }
            try await group.waitForAll()
        }
        for reader in readers { reader.cancel() }
        for reader in readers { _ = await reader.result }
        // The test has written 1.5 times this size in total.
        let log = try FileManager.default.attributesOfItem(atPath: files.folder + "/spool.sqlite-wal")
        #expect(try #require(log[.size] as? Int) < 80 << 20)
    }

    @Test func `if a database reader never ends, writers are not blocked`() async throws {
        let spool = try await files.open()
        let text = String(repeating: "x", count: 60_000)
        try await spool.submit(text: text)
        let reader = try ChildProgram("sqlite3", [files.folder + "/spool.sqlite"])
        try reader.write("BEGIN; SELECT COUNT(*) FROM jobs;\n")
        #expect(reader.readLine() == "1")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<60 { try await spool.submit(text: text) } }
            }
            try await group.waitForAll()
        }
        try reader.write("SELECT COUNT(*) FROM jobs; COMMIT; SELECT COUNT(*) FROM jobs;\n")
        #expect(try reader.finish().output == "1\n481\n")
    }
}
