// The two stores of a transfer, for tests.

import Foundation
import PostgresClient
import PrintModel
import PrintTestSupport

@testable import PrintSpool

/// A spool in a folder, and an empty PostgreSQL database.
final class TransferSite: Sendable {
    let files = TestSpool()
    let server: PrivatePostgres
    let database: String
    let address: PostgresAddress

    init() throws {
        server = try .shared()
        database = try server.makeDatabase()
        address = try PostgresAddress(server.address(database: database))
    }

    /// The content of a document that is stored in several parts.
    static let largeContent = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    /// Copies the queue to PostgreSQL.
    func copyToDatabase() throws -> SpoolTransfer.Result {
        try SpoolTransfer(
            folder: files.folder, database: server.address(database: database), direction: .toDatabase, host: "here"
        ).run()
    }

    /// Copies the queue from PostgreSQL to a folder.
    func copy(to folder: String, replaces: Bool = false) throws -> SpoolTransfer.Result {
        try SpoolTransfer(
            folder: folder, database: server.address(database: database), direction: .toFolder, host: "here",
            replaces: replaces
        ).run()
    }

    /// Opens the spool in the folder, even if the queue was copied to PostgreSQL.
    func openFolder(_ folder: String? = nil) throws -> Spool {
        let folder = folder ?? files.folder
        try? FileManager.default.removeItem(atPath: "\(folder)/copied-to")
        return try Spool(folder: folder, clock: { [files] in files.clock.now })
    }

    /// Opens the queue in PostgreSQL, with a separate folder for files.
    func openDatabase(_ folder: TemporaryFolder, host: String? = nil) throws -> Spool {
        try Spool(
            folder: folder.path("spool"), clock: { [files] in files.clock.now }, medium: .postgres(address, host: host))
    }

    @discardableResult
    func query(_ sql: String) throws -> String { try server.query(sql, database: database) }

    /// Runs SQL in the SQLite database, without checks of constraints.
    func damage(_ sql: String) throws {
        let answer = try Database(files).shell("PRAGMA ignore_check_constraints = 1; \(sql)")
        if !answer.isEmpty { throw ChildProgram.Failure(description: answer) }
    }

    // MARK: - Jobs

    /// Fills the spool with jobs in all states, small and large documents, events and accounting entries, and closes it.
    func fill() async throws {
        let spool = try openFolder()
        for (name, uri) in [
            ("laser", "ipp://localhost/laser"), ("office", "ipp://localhost/office"), ("sim", "printsim:color-laser"),
        ] {
            try await spool.addPrinter(
                ConfiguredPrinter(name: name, deviceURI: uri, info: "Ein Drucker für \(name)", isDefault: name == "sim")
            )
        }
        _ = try await spool.createToken(
            named: "screen", user: "ada", scope: .submit, printers: ["laser", "sim"], actsForOthers: true, lifetime: nil
        )
        _ = try await spool.createToken(named: "ci", user: "ben", scope: .submit, lifetime: 90 * 86_400)
        try await spool.addUser(named: "ada", scope: .submit, passwordHash: "$y$ada")
        try await spool.changeQuotas(.set(Quota(.everyone, per: .month, pages: 1000)))
        try await spool.changeQuotas(
            .set(Quota(.group("staff"), per: .job, copies: 20, color: ColorHours("08:00-17:00"))))
        try await spool.changeQuotas(.topUp(user: "ada", pages: 3, sheets: 4))
        try await spool.changeQuotas(.reset(user: "ada"))
        try await spool.addUser(named: "Ada", scope: .manage, passwordHash: "$y$Ada")
        try await addEnded(to: spool)
        try await addUnfinished(to: spool)
        // The newest job and its events are removed, because it ends before the other jobs by the wall-clock time.
        let last = try await spool.submit("removed")
        files.clock.advance(by: -50)
        try await spool.change(last.id, .cancelRequested(byOperator: false))
        files.clock.advance(by: 60)
        _ = try await spool.purge(keepJobs: 3)
        try spool.close()
    }

    private func addEnded(to spool: Spool) async throws {
        try await spool.submit("oldest")
        try await spool.complete(1)
        files.clock.advance(by: 1)
        let large = try await submitLarge(to: spool)
        try await spool.complete(large.id)
        files.clock.advance(by: 1)
        let again = try await spool.resubmit(large.id, as: Submission(printer: "laser", owner: "bob", name: "again"))
        try await spool.change(again.id, .cancelRequested(byOperator: true))
        files.clock.advance(by: 1)
        let aborted = try await spool.submit("“aborted”", submissionID: "once")
        try await spool.change(aborted.id, .failed(.abortedBySystem, message: "broken"))
    }

    private func addUnfinished(to spool: Spool) async throws {
        var held = Submission(printer: "laser", owner: "ada", name: "held")
        (held.ticket.holdUntil, held.documentPassword) = (.indefinite, "secret")
        try await spool.submit(held, documents: [(spool.document("hello"), name: "held.txt", format: .text)])
        var locked = Submission(printer: "laser", owner: "ada", name: "with a PIN")
        locked.releasePassword = PasswordHash(hash: "$y$j75$salt$hash", encryption: .sha256)
        try await spool.submit(locked, documents: [(spool.document("hello"), name: "pin.txt", format: .text)])
        try await spool.submit("waiting", to: "office", priority: 70)
        _ = try await spool.createJob(Submission(printer: "office", owner: "eve", name: "without documents"))
        try await spool.submit("in progress", to: "sim")
        let id = try await spool.claim(fromPrinters: ["sim"])?.id ?? 0
        try await spool.change(id, .createdAtPrinter(RemoteJob(id: 77, uuid: "urn:uuid:remote")))
        try await spool.change(id, .sent)
    }

    /// Submits a job with two large documents.
    @discardableResult
    func submitLarge(to spool: Spool) async throws -> Job {
        let documents = try [Self.largeContent, [UInt8](repeating: 65, count: 70_000)].map { bytes in
            let document = spool.makeIncoming()
            try document.write(bytes)
            return (document, name: String?.some("large.pdf"), format: DocumentFormat.pdf)
        }
        return try await spool.submit(Submission(printer: "laser", owner: "ada", name: "large"), documents: documents)
    }
}

/// Everything that a spool contains, as its users see it.
struct SpoolContent: Equatable {
    var jobs: [Job]
    var documents: [Int: [[UInt8]]]
    var events: [JobEvent]
    var printers: [ConfiguredPrinter]
    var accounting: [AccountingEntry]
    var tokens: [AccessToken]
    var users: [NetworkUser]
    var quotas: [Quota]
    var passwordHash: String?
    var identity: String
    var latestEvent: Int
    var purgedEvent: Int

    init(_ spool: Spool) async throws {
        jobs = try await spool.jobs(JobFilter(.all)).sorted { $0.id < $1.id }
        documents = [:]
        for job in jobs where !job.documents.isEmpty {
            documents[job.id] = try await spool.documents(of: job.id).map {
                Array(try Data(contentsOf: URL(fileURLWithPath: $0.path))) + Array(($0.password ?? "").utf8)
            }
        }
        events = try await spool.events(after: 0, limit: 10_000)
        printers = try await spool.printers()
        accounting = try await spool.read { try $0.accounting(AccountingQuery()) }
        tokens = try await spool.tokens()
        users = try await spool.users()
        quotas = try await spool.quotas()
        passwordHash = try await spool.user(named: "Ada")?.passwordHash
        identity = spool.identity
        latestEvent = try await spool.latestEventSequence()
        purgedEvent = try await spool.read { try $0.purgedEventSequence() }
    }
}
