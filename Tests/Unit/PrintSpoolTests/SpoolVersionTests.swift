import Foundation
import PrintModel
import PrintSpool
import Testing

/// Tests of spools that another version of printq has written.
struct SpoolVersionTests {
    let files = TestSpool()

    @Test func `a spool of a newer version is refused and not changed`() async throws {
        let spool = try await files.open()
        try await spool.submit("letter")
        try spool.close()
        let database = Database(files)
        let written = try database.shell(
            "INSERT INTO grdb_migrations VALUES ('99'); PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(written == "0|0|0\n")
        try FileManager.default.createDirectory(
            atPath: files.folder + "/jobs/job-000009", withIntermediateDirectories: false)
        let path = files.folder + "/spool.sqlite"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect {
            _ = try Spool(folder: files.folder)
        } throws: { error in
            (error as? SpoolError)?.code == .tooNew && "\(error)".contains("a newer version of printq")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(files.names(in: "jobs").contains("job-000009"), "no folder is removed")
    }

    /// Stored options that this version does not fully support.
    static let unknown = [
        #"{"copies":"many"}"#, #"{"duplex":"three-sided"}"#, #"{"copies":2,"stapling":"left"}"#,
    ]

    @Test(arguments: unknown) func `a job with unsupported options is held, and its stored options do not change`(
        ticket: String
    ) async throws {
        let spool = try await files.open()
        try await spool.submit("newer", priority: 60)
        try await spool.submit("plain")
        func stored() throws -> String {
            try Database(files).shell("SELECT ticket FROM jobs WHERE id = 1").trimmingCharacters(in: .newlines)
        }
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '\(ticket)' WHERE id = 1").isEmpty)
        #expect(try await spool.jobs().map(\.id) == [1, 2])
        #expect(try stored() == ticket, "reading does not change the stored options")
        #expect(try await spool.claimAll(from: ["laser"]) == ["plain"])
        let held = try #require(try await spool.job(1))
        #expect(held.state == .pendingHeld)
        #expect(held.message.contains("does not support") && held.message.contains("printq release 1"))
        #expect(try stored() == ticket)
        // A job released by a version without support for its options is held again.
        try await spool.change(1, .releaseRequested)
        #expect(try stored() == ticket)
        #expect(try await spool.claimAll(from: ["laser"]).isEmpty)
        #expect(try await spool.job(1)?.state == .pendingHeld)
        #expect(await code { try await spool.update(1, ticket: JobTicket()) } == .notPossible)
        try await spool.update(1, priority: 70)
        try await spool.change(1, .cancelRequested(byOperator: false))
        #expect(try stored() == ticket)
    }

    @Test func `a held job can be printed by a version that supports its options`() async throws {
        let spool = try await files.open()
        try await spool.submit("newer")
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '{\"copies\":\"many\"}'").isEmpty)
        #expect(try await spool.claimAll(from: ["laser"]).isEmpty)
        #expect(try Database(files).shell("UPDATE jobs SET ticket = '{\"copies\":4}'").isEmpty)
        try await spool.change(1, .releaseRequested)
        #expect(try await spool.claimAll(from: ["laser"]) == ["newer"])
        let job = try #require(try await spool.job(1))
        #expect(job.ticket.copies == 4)
        #expect(job.reasons == [] || !job.reasons.map(\.rawValue).contains("unsupported-attributes-or-values"))
    }
}
