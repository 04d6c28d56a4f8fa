// The durable queue: every job and printer, in one folder.

import FoundationEssentials
import GRDB
public import PrintModel
import Synchronization

/// The durable queue: one FIFO of jobs for all printers, in one folder.
///
/// A job that `submit` returned is on the disk, document and all, and stays there whatever is killed when. What may
/// happen to a job is decided by `JobStateMachine`; the spool loads the job, asks the rule, and stores what comes out
/// together with a row of the event log, in one transaction. Writes that arrive together share one commit.
///
///     let spool = try Spool(folder: "/var/spool/printq")
///     let document = try spool.makeIncoming()
///     try document.write(bytes)
///     let job = try await spool.submit(
///         Submission(printer: "color-laser", owner: "ada", name: "Letter"),
///         documents: [(document, name: "letter.pdf", format: .pdf)])
///     let next = try await spool.claim(fromPrinters: ["color-laser"])
///
/// One process has a spool at a time: it holds a lock on the file `lock`.
public final class Spool: Sendable {
    /// The spool's folder.
    public let folder: String
    /// A name that no other spool has, as long as this one is kept.
    public let identity: String
    /// How long a job made by `createJob` waits for its next document, in seconds (IPP `multiple-operation-time-out`).
    public let incomingTimeout: Double

    let clock: @Sendable () -> UnixTime
    let store: DocumentStore
    let observers = Observers()
    let printerList = PrinterList()
    let dueTimes = DueTimes()
    let uploads = Uploads()
    let budgets: BudgetTracker
    /// How many files and folders of nobody were removed.
    let orphans = Atomic(0)
    /// How many jobs' documents were forgotten since the log was last overwritten; an earlier process may have had some.
    let forgottenDocuments = Atomic(1)
    private let database: any SpoolDatabase
    private let committer: GroupCommitter
    private let lock: FolderLock
    private let isClosed = Atomic(false)

    /// Opens the spool in `folder`, making what is missing and sweeping away what a process that died left unfinished.
    ///
    /// Folders are made with mode 0700, files with 0600.
    ///
    /// - Parameters:
    ///   - folder: Where the spool is or shall be.
    ///   - incomingTimeout: How long a job waits for its next document, in seconds.
    ///   - budget: How much one user may take.
    ///   - clock: What time it is.
    /// - Throws: `locked` when another process has the spool, `tooNew`, `corrupt`, `unwritable`, `noSpace`.
    public convenience init(
        folder: String, incomingTimeout: Double = 300, budget: UserBudget = UserBudget(),
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime
    ) throws(SpoolError) {
        try self.init(folder: folder, incomingTimeout: incomingTimeout, budget: budget, clock: clock, medium: .disk)
    }

    /// Opens the spool in `folder` of a medium, as the other initializer does on the machine's own disk.
    package init(
        folder: String, incomingTimeout: Double = 300, budget: UserBudget = UserBudget(),
        clock: @escaping @Sendable () -> UnixTime, medium: SpoolMedium
    ) throws(SpoolError) {
        budgets = BudgetTracker(budget)
        self.folder = folder
        self.incomingTimeout = incomingTimeout
        self.clock = clock
        store = DocumentStore(
            folder: folder, files: Files(system: medium.files), makeName: medium.makeName)
        try store.makeFolders()
        lock = try FolderLock(folder: folder, system: medium.files)
        do {
            database = try medium.openDatabase(Self.databasePath(in: folder))
        } catch {
            throw .database(error, path: Self.databasePath(in: folder))
        }
        committer = GroupCommitter(database: database) { [dueTimes, observers] isNews in
            dueTimes.endChange()
            observers.wake(isNews: isNews)
        }
        do {
            identity = try database.readNow { try String.fetchOne($0, sql: "SELECT name FROM identity") } ?? folder
            let orphaned = try database.readNow { db in try store.sweep { try JobRecord.existing($0, in: db) } }
            orphans.store(orphaned, ordering: .relaxed)
        } catch {
            throw .database(error, path: Self.databasePath(in: folder))
        }
    }

    /// What time the system says it is.
    @Sendable public static func systemTime() -> UnixTime { Date().timeIntervalSince1970 }

    /// Closes the spool: streams of `changes()` end, whatever is asked later throws `closed`.
    ///
    /// - Throws: `locked` when a query is still running.
    public func close() throws(SpoolError) {
        do { try database.close() } catch { throw failure(error) }
        isClosed.store(true, ordering: .releasing)
        printerList.beginChange()  // and never ends
        observers.finish()
        lock.release()
    }

    // MARK: - The database

    /// Runs `body` in a transaction, together with all that arrive meanwhile, and returns when it is on the disk.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SpoolError) -> Value {
        try await write(.forced, body)
    }

    /// Runs `body` in a transaction, together with all that arrive meanwhile, and returns when it is as durable as that.
    ///
    /// `undo` takes back what `body` did beside the database when that is not to be. `isNews` says whether those who print
    /// must look at the queue because of what it did.
    func write<Value: Sendable>(
        _ durability: GroupCommitter.Durability, undo: @escaping @Sendable () -> Void = {},
        isNews: @escaping @Sendable (Value) -> Bool = { _ in true },
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SpoolError) -> Value {
        do { return try await committer.write(durability, undo: undo, isNews: isNews, body) } catch {
            try await setAside(after: failure(error))
        }
        return try await write(durability, undo: undo, isNews: isNews, body)
    }

    /// Runs `body` on a snapshot of what is committed.
    ///
    /// It finishes also in a canceled task: what a caller reads is short, and half an answer helps nobody.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SpoolError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            database.startReading { snapshot in
                continuation.resume(returning: Result { try body(snapshot.get()) })
            }
        }
        do { return try result.get() } catch { try await setAside(after: failure(error)) }
        return try await read(body)
    }

    /// Writes the database's log into the database and empties it, so that what was deleted is nowhere on the disk.
    func overwriteLog() async {
        await withCheckedContinuation { continuation in
            database.startWriting { database in
                _ = try? database.checkpoint(.truncate)  // a reader may still need it: then the next time
                continuation.resume()
            }
        }
    }

    private func failure(_ error: any Error) -> SpoolError {
        isClosed.load(ordering: .acquiring) ? .closed : .database(error, path: Self.databasePath(in: folder))
    }

    /// How hard SQLite tries to get a commit onto the disk: 2 is `FULL` (`PRAGMA synchronous`).
    package func synchronousLevel() async throws(SpoolError) -> Int? {
        try await write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    private static func databasePath(in folder: String) -> String { folder + "/spool.sqlite" }
}
