// Stores all jobs and printers durably in a folder.

import FoundationEssentials
import Glibc
public import PrintModel
import Synchronization

/// The durable job queue of all printers, stored in a folder.
///
/// When `submit` returns, the job and its documents are on the disk, and survive a crash at any time. `JobStateMachine`
/// defines how events change a job. In one transaction, the spool loads the job, applies the event, and stores the
/// result with a row of the event log. Concurrent writes share a commit.
///
///     let spool = try Spool(folder: "/var/spool/printq")
///     let document = try spool.makeIncoming()
///     try document.write(bytes)
///     let job = try await spool.submit(
///         Submission(printer: "color-laser", owner: "ada", name: "Letter"),
///         documents: [(document, name: "letter.pdf", format: .pdf)])
///     let next = try await spool.claim(fromPrinters: ["color-laser"])
///
/// Only one process at a time can open a spool. That process holds a lock on the file `lock`.
public final class Spool: Sendable {
    /// The spool's folder.
    public let folder: String
    /// The unique identifier of this spool.
    ///
    /// The identifier does not change as long as the database exists.
    public let identity: String
    /// The time that a job created by `createJob` waits for its next document, in seconds (IPP
    /// `multiple-operation-time-out`).
    public let incomingTimeout: Double

    let clock: @Sendable () -> UnixTime
    let store: DocumentStore
    let observers = Observers()
    let printerList = PrinterList()
    let dueTimes = DueTimes()
    let uploads = UploadCounts()
    let passwordChecks = PasswordChecks()
    /// The groups that had quotas at the last submission, which the next submission looks up in advance.
    let quotaGroups = Mutex<[String]>([])
    let heldLeases: HeldLeases
    let budgets: BudgetTracker
    /// The number of orphaned files and folders that this process has removed.
    let orphans = Atomic(0)
    /// The number of jobs whose documents or passwords were deleted since the write-ahead log was last overwritten.
    ///
    /// The number starts at 1 because an earlier process may have deleted documents.
    let forgottenDocuments = Atomic(1)
    let database: any SpoolStore
    private let committer: GroupCommitter
    private let lock: FolderLock
    private let isClosed = Atomic(false)

    /// Opens the spool in `folder`, creates missing files and folders, and removes unfinished files of an earlier
    /// process.
    ///
    /// Folders are created with mode 0700, files with mode 0600.
    ///
    /// - Parameters:
    ///   - folder: The folder of the spool, which is created if it does not exist.
    ///   - incomingTimeout: The time that a job waits for its next document, in seconds.
    ///   - budget: The limits for each user.
    ///   - clock: A closure that returns the current time.
    ///   - migration: A closure that is called for each step of a migration, if an earlier version of printq has
    ///     written the spool.
    /// - Throws: `locked` when another process has the spool open, `tooNew`, `tooOld`, `corrupt`, `unwritable`,
    ///   `noSpace`. If the error is `tooNew` or `tooOld`, no file of the spool was changed.
    public convenience init(
        folder: String, incomingTimeout: Double = 300, budget: UserBudget = UserBudget(),
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime,
        migration: (MigrationProgress) -> Void = { _ in }
    ) throws(SpoolError) {
        try self.init(
            folder: folder, incomingTimeout: incomingTimeout, budget: budget, clock: clock, medium: .disk,
            migration: migration)
    }

    /// Checks that this version of printq can use the spool in `folder`, and changes no file.
    ///
    /// - Throws: `tooNew` or `tooOld`.
    public static func checkVersion(ofSpoolIn folder: String) throws(SpoolError) {
        try SpoolMedium.disk.checkDatabase(databasePath(in: folder))
    }

    /// Opens the spool in `folder` on the given file system and database.
    package init(
        folder: String, incomingTimeout: Double = 300, budget: UserBudget = UserBudget(),
        clock: @escaping @Sendable () -> UnixTime, medium: SpoolMedium,
        migration: (MigrationProgress) -> Void = { _ in }
    ) throws(SpoolError) {
        try medium.checkDatabase(Self.databasePath(in: folder))
        heldLeases = HeldLeases(now: medium.uptime)
        self.folder = folder
        self.incomingTimeout = incomingTimeout
        self.clock = clock
        store = DocumentStore(
            folder: folder, jobsFolder: medium.jobsFolder, files: Files(system: medium.files),
            makeName: medium.makeName)
        try store.makeFolders()
        lock = try FolderLock(folder: folder, system: medium.files)
        do {
            database = try medium.openDatabase(Self.databasePath(in: folder), migration)
        } catch {
            throw .sqlite(error, path: Self.databasePath(in: folder))
        }
        budgets = BudgetTracker(budget, isShared: database.hosts != nil, now: medium.uptime)
        committer = GroupCommitter(database: database) { [dueTimes, observers, database, heldLeases] news in
            dueTimes.endChange()
            observers.wake(isNews: news != .none)
            database.announceChange(heldLeases.newsForOthers(news))
        }
        do {
            identity = try database.readNow { try $0.identity() } ?? folder
            let orphaned = try database.readNow { snapshot in try store.sweep { try snapshot.existingJobs($0) } }
            orphans.store(orphaned, ordering: .relaxed)
        } catch {
            throw database.error(error)
        }
        database.reserve?.renew()
        database.observeChanges { [weak self] news in self?.noteChange(news) }
    }

    /// Takes a change of another host into account.
    ///
    /// - Parameter news: What schedulers must check; nil if no change is known.
    func noteChange(_ news: News?) {
        var isNews = news != nil
        switch news {
        case nil, .all:
            // The other host may have changed the printers and the times.
            printerList.beginChange()
            printerList.endChange()
        case .jobs(let printers):
            isNews = heldLeases.isStrict.load(ordering: .relaxed) || !printers.isDisjoint(with: heldLeases.all.keys)
        case .some(.none): isNews = false
        }
        if isNews || news == nil {
            dueTimes.beginChange()
            dueTimes.endChange()
        }
        if news != nil { observers.wake(isNews: isNews) }
    }

    /// Changes the limits for each user.
    ///
    /// The new limits do not affect accepted jobs.
    public func setBudget(_ budget: UserBudget) { budgets.setBudget(budget) }

    /// Returns the current wall-clock time of the system.
    @Sendable public static func systemTime() -> UnixTime { Date().timeIntervalSince1970 }

    /// Closes the spool.
    ///
    /// Streams of `changes()` end, and later calls throw `closed`.
    ///
    /// - Throws: `locked` when a query is still running.
    public func close() throws(SpoolError) {
        do { try database.close() } catch { throw failure(error) }
        isClosed.store(true, ordering: .releasing)
        printerList.beginChange()  // no endChange(), so nothing is cached any more
        observers.finish()
        lock.release()
    }

    // MARK: - The database

    /// Runs `body` in a transaction that concurrent writes may share, and returns when the transaction is on the disk.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SpoolTransaction) throws -> Value
    ) async throws(SpoolError) -> Value {
        try await write(.forced, body)
    }

    /// Runs `body` in a transaction that concurrent writes may share, and returns when the transaction has the given
    /// durability.
    ///
    /// - Parameters:
    ///   - expected: The submission that `body` makes; nil for other writes.
    ///   - adds: Whether `body` adds a job or a document. Such a write never uses the space that the store keeps for
    ///     other changes, and fails until this space is complete.
    ///   - undo: A closure that is called if the transaction is not committed, and reverts the changes that `body` made
    ///     outside the database.
    ///   - news: A closure that returns what schedulers must check, given the return value of `body`.
    func write<Value: Sendable>(
        _ durability: Durability, expecting expected: ExpectedSubmission? = nil, adds: Bool = false,
        undo: @escaping @Sendable () -> Void = {},
        news: @escaping @Sendable (Value) -> News = { _ in .all },
        _ body: @escaping @Sendable (any SpoolTransaction) throws -> Value
    ) async throws(SpoolError) -> Value {
        if adds { try await renewReserve() }
        // The progress of jobs (`ordered`) waits for space.
        let level = durability == .forced && !adds ? database.reserve?.level : nil
        do {
            return try await committer.write(durability, expecting: expected, undo: undo, news: news, body)
        } catch {
            try await removeCause(of: failure(error), reserve: level)
        }
        return try await write(durability, expecting: expected, adds: adds, undo: undo, news: news, body)
    }

    /// Removes the cause of a failed write, so that the write can be repeated: a full disk, or an unreadable job.
    ///
    /// Rethrows any other error.
    ///
    /// - Parameter level: The level of the reserve before the write; nil if the write cannot use the reserve.
    private func removeCause(of error: SpoolError, reserve level: Int?) async throws(SpoolError) {
        if error.code == .noSpace, let level, await database.makeSpace(below: level) { return }
        try await setAside(after: error)
    }

    /// Occupies the space again that changes on a full disk have used (`SpaceReserve`).
    ///
    /// - Throws: `noSpace` if the disk still has too little space.
    public func renewReserve() async throws(SpoolError) {
        guard let reserve = database.reserve, !reserve.isComplete else { return }
        if try await store.onDisk({ () throws(SpoolError) in reserve.renew() }) { return }
        await database.shortenLog()
        // The removal of ended jobs may free the space.
        await store.removals.finish()
        guard try await store.onDisk({ () throws(SpoolError) in reserve.renew() }) else {
            throw .noSpace(on: Self.databasePath(in: folder), cause: SystemCallError(call: "fallocate", number: ENOSPC))
        }
    }

    /// Runs `body` on a snapshot of the committed data.
    ///
    /// The function also completes in a canceled task, because read operations are short.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SpoolSnapshot) throws -> Value
    ) async throws(SpoolError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            database.startReading { snapshot in
                continuation.resume(returning: Result { try body(snapshot.get()) })
            }
        }
        do { return try result.get() } catch { try await setAside(after: failure(error)) }
        return try await read(body)
    }

    /// Reserves the id of a new job, whose folder `sweep` keeps until the id is removed from `arriving`.
    func reserveJobID() async throws(SpoolError) -> Int {
        let result: Result<Int, any Error> = await withCheckedContinuation { continuation in
            database.startWriting { session in continuation.resume(returning: Result { try session.reserveJobID() }) }
        }
        do {
            let id = try result.get()
            store.arriving.insert("\(id)")
            return id
        } catch {
            throw failure(error)
        }
    }

    /// Copies the write-ahead log into the database and truncates the log, so that deleted data does not remain on the
    /// disk.
    func overwriteLog() async {
        await withCheckedContinuation { continuation in
            database.startWriting { session in
                session.eraseDeletedContent()
                continuation.resume()
            }
        }
    }

    /// The number of writes that wait for their transaction.
    var waitingWrites: Int { committer.waiting }

    private func failure(_ error: any Error) -> SpoolError {
        isClosed.load(ordering: .acquiring) ? .closed : database.error(error)
    }

    /// Returns the value of `PRAGMA synchronous`; the value 2 means `FULL`.
    package func synchronousLevel() async throws(SpoolError) -> Int? {
        try await write { try ($0 as? SQLiteTransaction)?.synchronousLevel() }
    }

    package static func databasePath(in folder: String) -> String { folder + "/spool.sqlite" }
}
