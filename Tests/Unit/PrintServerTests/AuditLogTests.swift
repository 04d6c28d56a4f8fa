import Foundation
import Logging
import PrintModel
import PrintServer
import PrintTestSupport
import Testing

struct AuditLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func entry(_ job: Int, user: String = "anna", at time: Double = 1_800_000_000) -> AuditEntry {
        AuditEntry(
            time: time, user: user, proof: .token("ci"), address: "192.0.2.7", operation: "Print-Job", printer: "laser",
            job: job, status: "successful-ok")
    }

    private func log(longest: Int = 1 << 20) -> AuditLog {
        AuditLog(folder: folder.path, longest: longest, logger: Logger(label: "test"))
    }

    @Test func `entries are stored in a file that only its owner can read, and selected by user, job and time`()
        async throws
    {
        let log = log()
        for job in 1...3 { log.append(entry(job, user: job == 2 ? "ben" : "anna", at: 1_800_000_000 + Double(job))) }
        #expect(await log.entries(AuditQuery()).map(\.job) == [1, 2, 3])
        #expect(await self.log().entries(AuditQuery(user: "anna")).map(\.job) == [1, 3])
        #expect(await log.entries(AuditQuery(job: 2)) == [entry(2, user: "ben", at: 1_800_000_002)])
        #expect(await log.entries(AuditQuery(since: 1_800_000_002, limit: 1)).map(\.job) == [3])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("audit.log"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a long log continues in a new file, and a truncated line is omitted`() async throws {
        let log = log(longest: 1000)
        for job in 1...40 {
            log.append(entry(job))
            _ = await log.entries(AuditQuery(limit: 1))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["audit.log", "audit.log.1", "audit.log.2", "audit.log.3", "audit.log.4"])
        let jobs = await log.entries(AuditQuery()).compactMap(\.job)
        #expect(jobs.last == 40 && jobs == Array(jobs[0]...40))
        let file = try FileHandle(forWritingTo: URL(filePath: folder.path("audit.log")))
        try file.truncate(atOffset: try file.seekToEnd() - 5)
        #expect(await log.entries(AuditQuery()).last?.job == 39)
    }

    @Test func `a log that cannot be written does not stop requests`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("audit.log"), withIntermediateDirectories: false)
        let log = log()
        log.append(entry(1))
        #expect(await log.entries(AuditQuery()).isEmpty)
    }
}
