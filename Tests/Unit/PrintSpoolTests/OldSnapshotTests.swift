import Foundation
import PostgresClient
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintSpool

/// Tests of the pages that the statements of a shared queue read while another session holds a transaction open.
///
/// The server counts the pages of each statement (`pg_stat_statements`).
@Suite(.disabled(if: TestStore.isPostgreSQL, "the suite runs with the tests of SQLite"))
struct OldSnapshotTests {
    private let server: PrivatePostgres
    private let database: String
    private let folder: TemporaryFolder
    private let spool: Spool

    init() async throws {
        server = try PrivatePostgres(settings: ["shared_preload_libraries": "pg_stat_statements", "autovacuum": "off"])
        database = try server.makeDatabase()
        folder = try TemporaryFolder()
        try server.query("CREATE EXTENSION pg_stat_statements", database: database)
        spool = try Spool(
            folder: folder.path("spool"), clock: Spool.systemTime,
            medium: .postgres(try PostgresAddress(server.address(database: database)), host: "a"))
        try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "ipp://localhost/laser"))
        try await spool.renewLeases()
    }

    /// Submits, lists and prints jobs; returns the pages that the server reads for each statement of a job.
    private func pagesPerJob() async throws -> [String: Double] {
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.address(database: database)))
        defer { connection.close() }
        let floor = try #require((spool.database as? PostgresStore)?.floor)
        // Otherwise the host raises the lower bound every ten seconds.
        for _ in 0..<3 { try floor.advance(on: connection, isForced: true) }
        // Autovacuum, which is off, would do this.
        try server.query("ANALYZE", database: database)
        try server.query("SELECT pg_stat_statements_reset()", database: database)
        for _ in 0..<10 { try await printJob() }
        let rows = try server.query(
            """
            SELECT (shared_blks_hit + shared_blks_read) / 10.0, calls, regexp_replace(query, '\\s+', ' ', 'g')
            FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat%' AND query NOT LIKE 'BEGIN%'
            """, database: database)
        return rows.split(separator: "\n").reduce(into: [:]) { pages, row in
            let fields = row.split(separator: "|", maxSplits: 2)
            pages[String(fields[2]), default: 0] += Double(fields[0]) ?? 0
        }
    }

    private func printJob() async throws {
        try await spool.renewLeases()
        let job = try await spool.submit()
        _ = try await spool.jobs()
        _ = try await spool.claimAll(fromPrinters: ["laser"])
        _ = try await spool.events(after: 0, jobID: job.id)
        guard let lease = spool.leases["laser"] else { return }
        try await spool.change(job.id, .delivered(warning: nil), under: lease)
        _ = try await spool.job(job.id)
    }

    @Test func `while another session holds a transaction open, no statement of a job reads the rows of ended jobs`()
        async throws
    {
        let old = try PostgresConnection.connect(to: PostgresAddress(server.address(database: database)))
        defer { old.close() }
        try old.begin(.snapshot)
        try old.query("SELECT count(*) FROM jobs")
        for _ in 0..<100 { try await printJob() }
        let before = try await pagesPerJob()
        for _ in 0..<500 { try await printJob() }
        let after = try await pagesPerJob()
        for (statement, pages) in after {
            let earlier = before[statement] ?? pages
            #expect(pages < earlier * 1.5 + 32, "\(earlier) pages, then \(pages): \(statement)")
        }
    }
}
