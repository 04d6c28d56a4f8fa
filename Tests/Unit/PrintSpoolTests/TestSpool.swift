// A spool in a temporary folder, with helper functions for tests.

import Foundation
import PostgresClient
import PrintModel
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

/// A spool in a temporary folder, which is removed after the test.
///
/// If the environment variable `PRINTQ_TEST_STORE` is `postgresql`, the spool uses a separate PostgreSQL database.
final class TestSpool: Sendable {
    let folder: String
    let clock = TestClock()
    /// The name of the PostgreSQL database; nil before the spool is opened.
    private let database = Mutex<String?>(nil)

    init(in parent: String = NSTemporaryDirectory()) {
        folder = parent + "/printq-spool-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Opens the spool, and adds the given printers if the spool has no printers.
    func open(
        printers: [String] = ["laser"], trace: (@Sendable (String) -> Void)? = nil
    ) async throws -> Spool {
        let spool = try Spool(folder: folder, clock: { [clock] in clock.now }, medium: medium(trace: trace))
        if try await spool.printers().isEmpty {
            for name in printers {
                try await spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: "printsim:\(name)"))
            }
        }
        return spool
    }

    /// Returns the storage of the spool.
    func medium(trace: (@Sendable (String) -> Void)? = nil) throws -> SpoolMedium {
        guard TestStore.isPostgreSQL else { return .disk(trace: trace) }
        let server = try PrivatePostgres.shared()
        let name = try database.withLock { name in
            if let name { return name }
            let new = try server.makeDatabase()
            name = new
            return new
        }
        // The tests look at the files of jobs under the same paths with both stores.
        return .postgres(try PostgresAddress(server.address(database: name)), jobsFolder: "jobs")
    }

    /// Returns the sorted names in a folder of the spool.
    func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + path)) ?? []).sorted()
    }

    /// Returns a copy of the current files, as if the process had been killed now.
    func copyAsKilled() throws -> TestSpool {
        let copy = TestSpool()
        try FileManager.default.copyItem(atPath: folder, toPath: copy.folder)
        try FileManager.default.removeItem(atPath: copy.folder + "/spool.sqlite-shm")
        return copy
    }
}

/// The store that the tests of the spool use.
enum TestStore {
    /// Whether the tests use PostgreSQL instead of SQLite.
    static let isPostgreSQL = ProcessInfo.processInfo.environment["PRINTQ_TEST_STORE"] == "postgresql"
}

extension Trait where Self == ConditionTrait {
    /// Returns a trait for tests that only SQLite can pass.
    static func requiresSQLite(_ reason: Comment) -> Self { .disabled(if: TestStore.isPostgreSQL, reason) }
}

/// A clock that a test advances.
final class TestClock: Sendable {
    private let time = Mutex<UnixTime>(1_000_000)

    var now: UnixTime { time.withLock { $0 } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}

extension Spool {
    /// Submits a job with a small text document.
    @discardableResult
    func submit(
        _ name: String = "job", to printer: String = "laser", owner: String = "ada", priority: Int? = nil,
        holdUntil: HoldUntil? = nil, submissionID: String? = nil, text: String = "hello"
    ) async throws -> Job {
        var ticket = JobTicket()
        ticket.priority = priority
        ticket.holdUntil = holdUntil
        let submission = Submission(
            printer: printer, owner: owner, name: name, ticket: ticket, submissionID: submissionID)
        return try await submit(submission, documents: [(document(text), name: "\(name).txt", format: .text)])
    }

    /// Returns an uploaded document with the given text.
    func document(_ text: String) throws -> IncomingDocument {
        let document = makeIncoming()
        try document.write(text.utf8)
        return document
    }

    /// Claims and completes a job.
    func complete(_ id: Int) async throws {
        let job = try await job(id)
        if job?.state == .pending { try await change(id, .claimed) }
        try await change(id, .delivered(warning: nil))
    }

    /// Claims all available jobs, and returns the names of these jobs.
    func claimAll(from printers: [String]) async throws -> [String] {
        var names: [String] = []
        while let job = try await claim(fromPrinters: printers) { names.append(job.name) }
        return names
    }
}

/// Returns the code of the `SpoolError` that `body` throws; nil if `body` throws no `SpoolError`.
func code(of body: () async throws -> Void) async -> SpoolError.Code? {
    do {
        try await body()
        return nil
    } catch { return (error as? SpoolError)?.code }
}
