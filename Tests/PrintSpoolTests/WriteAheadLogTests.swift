import Foundation
import PrintModel
import PrintSpool
import Testing

struct WriteAheadLogTests {
    let files = TestSpool()

    @Test func `the log begins again although somebody reads at every moment`() async throws {
        let spool = try await files.open()
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<100 { try await spool.submit(text: text) }
        let readers = (0..<4).map { _ in
            Task { while !Task.isCancelled { _ = try await spool.jobs(JobFilter(.all, limit: 100)) } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<200 { try await spool.submit(text: text) } }
            }
            try await group.waitForAll()
        }
        for reader in readers { reader.cancel() }
        for reader in readers { _ = await reader.result }
        // Half as much again has gone through it.
        let log = try FileManager.default.attributesOfItem(atPath: files.folder + "/spool.sqlite-wal")
        #expect(try #require(log[.size] as? Int) < 80 << 20)
    }

    @Test func `a reader that never ends stops nobody from writing`() async throws {
        let spool = try await files.open()
        let text = String(repeating: "x", count: 60_000)
        try await spool.submit(text: text)
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        reader.arguments = ["sqlite3", files.folder + "/spool.sqlite"]
        let (orders, answers) = (Pipe(), Pipe())
        reader.standardInput = orders
        reader.standardOutput = answers
        try reader.run()
        orders.fileHandleForWriting.write(Data("BEGIN; SELECT COUNT(*) FROM jobs;\n".utf8))
        #expect(answers.fileHandleForReading.availableData == Data("1\n".utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<60 { try await spool.submit(text: text) } }
            }
            try await group.waitForAll()
        }
        orders.fileHandleForWriting.write(Data("SELECT COUNT(*) FROM jobs; COMMIT; SELECT COUNT(*) FROM jobs;\n".utf8))
        try orders.fileHandleForWriting.close()
        reader.waitUntilExit()
        #expect(answers.fileHandleForReading.readDataToEndOfFile() == Data("1\n481\n".utf8))
    }
}
