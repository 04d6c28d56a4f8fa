// Defines the write operations of a store.

package import PrintModel

/// A transaction of a store.
///
/// The changes of a transaction become visible together when the transaction is committed.
package protocol SpoolTransaction: SpoolSnapshot {
    // MARK: Jobs

    /// Inserts a new job without documents, and sets the id of the job unless the job has a reserved id.
    ///
    /// - Parameter incomingUntil: The deadline for the documents; nil if the job does not wait for documents.
    func insert(_ job: inout Job, incomingUntil: UnixTime?) throws

    /// Updates the changeable fields of a job.
    ///
    /// - Parameters:
    ///   - keepsTicket: Whether to keep the stored ticket, because the ticket has not changed, or has options that this
    ///     version does not support.
    ///   - incomingUntil: The new deadline for the job's documents; nil keeps the deadline of a job that still waits
    ///     for documents.
    func update(_ job: Job, keepsTicket: Bool, incomingUntil: UnixTime?) throws

    /// Returns the next jobs of the given printers that can start: at most one job of each printer, as `nextJobs`.
    ///
    /// No other transaction can change the jobs until this transaction ends.
    ///
    /// - Parameter leases: The leases of the printers, by name. If the printer of a job has a lease, the lease must be
    ///   valid (`confirm`); otherwise the result does not contain the job.
    func lockNextJobs(
        ofPrinters printers: [String], unreachable: [String], under leases: [String: PrinterLease], order: QueueOrder,
        now: UnixTime, limit: Int?
    ) throws -> [Job]

    /// Removes jobs with their documents and events.
    func removeJobs(_ ids: [Int]) throws

    /// Repairs a job that cannot be decoded.
    ///
    /// Keeps the valid fields that describe the job and its final state, and resets all other fields. If the job has
    /// not ended, the job is aborted. `JobRepair` determines the state, its reasons and the message.
    ///
    /// - Returns: The repaired job; nil if the job does not exist or can be decoded.
    /// - Throws: An error if the job is still unreadable after the repair.
    func repairJob(_ id: Int, now: UnixTime) throws -> RepairedJob?

    /// Records that the owner of a job has the newest turn at the printer of the job (`FairQueue`).
    func recordTurn(of job: Job) throws

    /// Shortens retry delays and deadlines that are too far in the future because the clock was set back.
    ///
    /// - Parameters:
    ///   - now: The new end of each retry delay that ends after `latestRetry`.
    ///   - latestIncoming: The latest possible deadline for documents; a later deadline is set to this time.
    func shortenWaits(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws

    /// Skips numbers that a restored spool may have used.
    ///
    /// New jobs receive ids that exceed `id` and the highest used id by more than `skipped`. At the next start, the
    /// spool skips a range of event numbers.
    func skipNumbers(throughJob id: Int, and skipped: Int) throws

    // MARK: Documents

    /// Inserts a document of a job.
    ///
    /// - Parameter bytes: The size of the document.
    func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws

    /// Stores the password of a document until its job ends: the database then deletes the password.
    func insert(password: String, ofDocument number: Int, of jobID: Int) throws

    /// Stores the password of a job until the job ends: the database then deletes the password.
    func insert(_ password: PasswordHash, of jobID: Int) throws

    /// Stores the number of wrong passwords of a job.
    func setPasswordFailures(_ failures: Int, of jobID: Int) throws

    /// Stores the wrong passwords at the release station of a printer.
    func store(_ attempts: ReleaseAttempts, at printer: String) throws

    /// Stores a token, unless there is a token with the same name.
    ///
    /// - Returns: Whether the token was stored.
    func insert(_ token: AccessToken, digest: String) throws -> Bool

    /// Deletes a token, and returns whether there was a token with the name.
    func removeToken(named name: String) throws -> Bool

    /// Stores the time at which a token was used.
    func noteUse(ofToken name: String, at time: UnixTime) throws

    /// Stores a user on the network, unless there is a user with the same name.
    ///
    /// - Returns: Whether the user was stored.
    func insert(_ user: NetworkUser, passwordHash: String) throws -> Bool

    /// Stores the hash of a new password, and returns whether there is a user with the name.
    func setPasswordHash(_ hash: String, ofUser name: String, at time: UnixTime) throws -> Bool

    /// Deletes a user on the network, and returns whether there was a user with the name.
    func removeUser(named name: String) throws -> Bool

    /// Copies the documents of a job to another job, without passwords.
    func copyDocuments(from jobID: Int, to copy: Int) throws

    /// Deletes the contents and the file names of a job's documents, and keeps the names and formats of the documents.
    func deleteDocuments(of jobID: Int) throws

    /// Removes stored contents that are older than a day and that no document uses (`LargeDocuments`).
    ///
    /// - Returns: The number of removed contents.
    func removeUnusedContents() throws -> Int

    // MARK: Events

    func append(_ event: StoredEvent) throws

    /// Removes at most 100 printer events that occurred before a time, the oldest events first.
    ///
    /// - Returns: The number of removed events.
    func removePrinterEvents(before time: UnixTime) throws -> Int

    // MARK: Printers

    func insert(_ printer: ConfiguredPrinter) throws

    /// Updates all fields of a printer except the name.
    func update(_ printer: ConfiguredPrinter) throws

    func removePrinter(named name: String) throws

    /// Records that no printer is the default printer.
    func clearDefaultPrinter() throws

    // MARK: Accounting

    /// Stores an accounting entry; replaces an earlier entry of the same job.
    func record(_ entry: AccountingEntry) throws

    /// Removes at most 100 accounting entries of jobs that ended before a time, the oldest entries first.
    ///
    /// - Returns: The number of removed entries.
    func removeAccounting(endedBefore time: UnixTime) throws -> Int

    // MARK: Quotas

    /// Locks all quotas until the end of the transaction, so that no other host counts pages at the same time.
    func lockQuotas() throws

    /// Stores a quota; replaces the quota of the same users and period.
    func set(_ quota: Quota) throws

    /// Deletes the quotas of some users, and returns their number; a nil period stands for all periods.
    func removeQuotas(of subject: Quota.Subject, per period: Quota.Period?) throws -> Int

    /// Stores a credit, unless its job was refunded before.
    ///
    /// - Returns: Whether the credit was stored.
    func insert(_ credit: QuotaCredit) throws -> Bool

    /// Removes the credits of periods that have ended.
    func removeQuotaCredits(before time: UnixTime) throws

    // MARK: Leases

    /// Locks a lease until the end of the transaction, and returns whether the lease is valid for at least three more
    /// seconds.
    ///
    /// Without the lock, another process could take the lease between the check and the commit.
    func confirm(_ lease: PrinterLease) throws -> Bool

    /// Stores the lease under which a job is in progress, together with the next update of the job.
    func setLease(_ lease: PrinterLease, ofJob id: Int) throws

    /// Returns whether a job is in progress under a lease, or has ended under the lease.
    ///
    /// The caller must first lock the job with `job(_:)`, and pass the job with all changes of the transaction.
    func isInProgress(_ job: Job, under lease: PrinterLease) throws -> Bool

    /// Stores that only one host can reach a new printer.
    func restrict(_ printer: String, toHost host: String) throws

    /// Stores that all hosts can reach a printer, and that no host is preferred.
    func liftRestriction(of printer: String) throws

    /// Locks the queue until the end of the transaction.
    ///
    /// The function waits while another transaction holds the lock.
    ///
    /// The lock is required in strict order, in which only one job of all printers can be in progress.
    func lockQueue() throws
}

extension SpoolTransaction {
    package func lockNextJobs(
        ofPrinters printers: [String], unreachable: [String], under leases: [String: PrinterLease], order: QueueOrder,
        now: UnixTime, limit: Int?
    ) throws -> [Job] {
        let ids = try nextJobs(ofPrinters: printers, unreachable: unreachable, order: order, now: now, limit: limit)
        return try ids.map(existingJob).filter { job in
            try leases[job.printer].map(confirm) ?? true
        }
    }

    // A store without hosts has no leases.
    package func confirm(_ lease: PrinterLease) throws -> Bool { true }
    package func setLease(_ lease: PrinterLease, ofJob id: Int) throws {}
    package func isInProgress(_ job: Job, under lease: PrinterLease) throws -> Bool { true }
    package func restrict(_ printer: String, toHost host: String) throws {}
    package func liftRestriction(of printer: String) throws {}
    package func lockQueue() throws {}
    package func lockQuotas() throws {}
}

package struct StoredEvent: Sendable {
    /// The IPP keyword of the event, such as `job-created`.
    package var kind: String
    /// The id of the job; nil for an event of a printer.
    package var jobID: Int?
    package var printer: String
    package var time: UnixTime
    /// The state of the job or of the printer (IPP `job-state`, `printer-state`).
    package var state: Int?
    /// The text of the event.
    package var message: String
    /// The state reasons of the job or of the printer (IPP keywords).
    package var reasons: [String] = []
    /// The number of impressions of one copy; nil if unknown.
    package var impressions: Int?
    /// The number of printed impressions; nil for an event of a printer.
    package var impressionsCompleted: Int?
}

/// A job after the repair of its stored fields.
package struct RepairedJob: Sendable {
    /// The job after the repair.
    package var job: Job
    /// The damaged fields as text, for the log.
    package var damaged: String
    /// Whether the damaged options request that the documents are deleted when the job ends.
    package var deletesDocuments: Bool
    /// Whether the job had ended before the repair.
    package var hadEnded: Bool
}
