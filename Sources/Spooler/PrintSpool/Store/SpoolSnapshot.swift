// Defines the read operations of a store.

package import PrintModel

/// A consistent view of the jobs, printers and events in a store.
///
/// Functions that return jobs throw `UnreadableJob` if a stored job cannot be decoded.
package protocol SpoolSnapshot {
    // MARK: Jobs

    /// Returns the job with the given id; nil if the job does not exist.
    ///
    /// In a transaction, no other transaction can change the job until this transaction ends.
    func job(_ id: Int) throws -> Job?

    /// Returns the jobs with the given ids, in the order of the ids.
    ///
    /// Missing jobs are omitted.
    func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job]

    /// Returns the given ids that belong to existing jobs.
    func existingJobs(_ ids: [Int]) throws -> Set<Int>

    /// Returns the id of the job that an owner has already submitted with the given submission id; nil if there is no
    /// such job.
    func jobID(owner: String, submissionID: String) throws -> Int?

    /// Returns the jobs that have not ended.
    func unfinishedJobs() throws -> [Job]

    /// Returns the jobs in progress: printing or stopped, oldest first.
    func jobsInProgress() throws -> [Job]

    // MARK: Scheduling

    /// Returns the ids of the next jobs of the given printers, the most urgent job first.
    ///
    /// Only the first job of a printer's queue can be next. Paused printers, and jobs that wait for a retry, are
    /// omitted. At a printer in `unreachable`, a job with a retry time waits even after this time.
    func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int]

    /// Returns the first waiting job of each owner at a printer.
    func firstJobs(of printer: String) throws -> [FairQueue.Waiting]

    /// Returns the ids of the first waiting jobs of a printer, in the order of the queue.
    func headOfQueue(of printer: String, limit: Int) throws -> [Int]

    /// Returns the id of the oldest job in progress, or of the first job in the whole queue if no job is in progress.
    ///
    /// Suspended jobs are ignored. The result is nil if the job with the given id is not waiting.
    func jobInStrictWay(of id: Int) throws -> Int?

    /// Returns the ids of the jobs whose deadline for documents is at or before `now`.
    func jobsWithLateDocuments(now: UnixTime) throws -> [Int]

    /// Returns the ids of the jobs whose hold ends at or before `now`.
    func jobsWithEndedHold(now: UnixTime) throws -> [Int]

    /// Returns the ids of a printer's jobs that wait for a retry.
    func jobsWaitingForRetry(at printer: String) throws -> [Int]

    /// Returns whether any job has a hold or a deadline for documents that ends at or before `now`.
    ///
    /// Also returns true if a retry is later than `latestRetry`, or if a deadline is later than `latestIncoming`,
    /// because the clock was set back.
    func hasDueJobs(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws -> Bool

    /// Returns the earliest time at which a hold, a retry delay or a deadline for documents ends; nil if no job has
    /// such a time.
    ///
    /// A retry delay that ends at or before `now` is ignored. Holds and deadlines that end before `now` are included.
    func nextDueTime(after now: UnixTime) throws -> UnixTime?

    func isPrinting(_ printer: String) throws -> Bool

    // MARK: Lists

    /// Returns the ids of waiting jobs, or of jobs in progress, in the order of the job list.
    ///
    /// - Parameter start: The position after which the list begins; nil to begin with the first job.
    func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int]

    /// Returns the number of jobs that `unfinishedJobs` lists without a limit.
    func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int

    /// Returns ended jobs after a position, the newest job first.
    func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job]

    /// Returns the position of the most recently ended job; nil if no job has ended.
    func newestEndedJob() throws -> EndPosition?

    /// Returns the positions of the given jobs in the list of all jobs.
    ///
    /// Jobs that do not match a filter are omitted. The states and job numbers of the filter are ignored.
    func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob]

    // MARK: Counts

    /// Returns the number of jobs ahead of a waiting or held job at the same printer; 0 for other jobs.
    func countWaiting(before id: Int) throws -> Int

    /// Returns the waiting jobs of a printer by owner, and the jobs of each owner in the order in which they are printed.
    func waitingJobs(of printer: String) throws -> [FairQueue.Waiting]

    /// Returns the last turns of the owners at a printer.
    func turns(at printer: String) throws -> [FairQueue.Turn]

    /// Returns the number of waiting jobs of a printer between the positions of two jobs.
    ///
    /// If the first job is waiting, this job is counted. The second job is not counted.
    func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int

    /// Returns the number of jobs that have not ended.
    ///
    /// If `printer` or `owner` is not nil, only the jobs of this printer or owner are counted.
    func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int

    /// Returns the number of jobs that have not ended, whose owners are guests with a numeric IP address
    /// (``GuestName``).
    func countUnfinishedJobs(fromAddress address: String) throws -> Int

    /// Returns the number of jobs that have not ended and match a filter.
    ///
    /// The jobs are grouped by printer, by state, and by whether they wait for a retry.
    func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup]

    /// Returns the number of ended jobs that match a filter.
    func countEndedJobs(_ filter: JobFilter) throws -> Int

    /// Returns the number of jobs that have not ended, and the creation time of the oldest job, for each printer and
    /// state.
    func countUnfinishedJobs() throws -> [JobCount]

    /// Returns the id of the oldest job that is waiting or stopped; nil if there is no such job.
    func oldestWaitingJob() throws -> Int?

    /// Returns the number of an owner's jobs that wait for documents.
    func countIncomingJobs(of owner: String) throws -> Int

    /// Returns the total size of an owner's stored documents in bytes.
    func documentBytes(of owner: String) throws -> Int

    /// Returns upper bounds of what an owner has in the spool, faster than `documentBytes` where possible.
    ///
    /// The result need not contain the changes of transactions that are in progress.
    func mostAmounts(of owner: String) throws -> UserAmounts

    /// Returns the number of jobs and the size of the stored data.
    func usage() throws -> StoreUsage

    // MARK: Documents

    /// Returns the stored documents of a job, in order.
    func documents(of jobID: Int) throws -> [StoredDocument]

    /// Returns the passwords of a job's documents by the numbers of the documents.
    func documentPasswords(of jobID: Int) throws -> [Int: String]

    /// Returns the password of a job that waits for its release; nil if the store has no password.
    func releasePassword(of jobID: Int) throws -> ReleasePassword?

    /// Returns the passwords of a printer's held jobs, without locked jobs.
    func releasePasswords(at printer: String) throws -> [ReleasePassword]

    /// Returns the wrong passwords at the release station of a printer.
    func releaseAttempts(at printer: String) throws -> ReleaseAttempts

    /// Returns all tokens in the order of their names.
    func tokens() throws -> [AccessToken]

    /// Returns the token with the given digest of its secret; nil if there is no such token.
    func token(withDigest digest: String) throws -> AccessToken?

    /// Returns all users on the network in the order of their names.
    func users() throws -> [NetworkUser]

    /// Returns a user on the network, and the hash of the user's password; nil if there is no such user.
    func user(named name: String) throws -> (user: NetworkUser, passwordHash: String)?

    /// Returns whether an owner has jobs, ended jobs or accounting entries.
    func hasJobs(ofOwner owner: String) throws -> Bool

    /// Returns the given jobs that have documents, all of which are stored.
    func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int>

    /// Returns the names of a job's document files.
    func documentFiles(of jobID: Int) throws -> Set<String>

    /// Returns, for each given job that has ended, the names of the job's document files.
    func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>]

    // MARK: Events

    /// Returns the events after a sequence number, oldest first.
    ///
    /// If `jobID` is nil, the events of all jobs and printers are returned; otherwise only the events of this job.
    func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent]

    /// Returns the newest events of a job, oldest first.
    func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent]

    /// Returns the highest sequence number of a removed event; 0 if no event was removed.
    func purgedEventSequence() throws -> Int

    /// Returns the highest sequence number that was used; 0 if there has never been an event.
    func latestEventSequence() throws -> Int

    // MARK: Printers

    /// Returns the printers in the order in which they were added.
    func printers() throws -> [ConfiguredPrinter]

    /// Returns the printer with the given name; nil if the printer does not exist.
    func printer(named name: String) throws -> ConfiguredPrinter?

    /// Returns whether a printer accepts jobs; nil if the printer does not exist.
    func admission(to printer: String) throws -> PrinterAdmission?

    // MARK: Quotas

    /// Returns all quotas.
    func quotas() throws -> [Quota]

    /// Returns the quotas of a user, of all groups, of guests and of all users.
    func quotas(thatCanLimit user: String) throws -> [Quota]

    /// Returns what a user, or all guests with the address of a guest, has printed since a time, without what was
    /// printed before the last reset.
    func quotaUsage(of owner: String, since start: UnixTime) throws -> QuotaUsage

    /// Returns what the unfinished jobs of a user, or of all guests with the address of a guest, will print.
    ///
    /// - Parameter jobID: A job that does not count; nil to count all jobs.
    func reservedAmounts(of owner: String, besides jobID: Int?) throws -> QuotaAmounts

    /// Returns the owner and the pages in the accounting entry of a job; nil if there is no entry.
    func printed(byJob id: Int) throws -> (owner: String, amounts: QuotaAmounts)?

    // MARK: History and accounting

    /// Returns the position of the job with the latest end time before a given time; nil if no job ended before that
    /// time.
    func lastJob(endedBefore time: UnixTime) throws -> EndPosition?

    func hasEndedJobs(moreThan count: Int) throws -> Bool

    func countEndedJobsByOwner() throws -> [(owner: String, count: Int)]

    /// Returns the ids of the oldest ended jobs, up to and including the job at a position.
    func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int]

    /// Returns the ids of an owner's oldest ended jobs.
    func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int]

    /// Returns the ids of ended jobs.
    ///
    /// If `printer` or `owner` is not nil, only the jobs of this printer or owner are returned.
    func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int]

    /// Returns the ids of jobs that ended before a time and whose documents are stored, oldest first.
    func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int]

    /// Returns accounting entries in the order in which the jobs ended.
    func accounting(_ query: AccountingQuery) throws -> [AccountingEntry]

    /// Returns whether there is an accounting entry of a job that ended before a time.
    func hasAccounting(endedBefore time: UnixTime) throws -> Bool

    // MARK: The store

    /// Returns the unique identifier of the store; nil if the store has no identifier.
    ///
    /// A copy of the store keeps this identifier.
    func identity() throws -> String?

    /// Returns the version of the schema; nil if the store records no version.
    func schemaVersion() throws -> String?
}

extension SpoolSnapshot {
    /// Returns the job with the given id.
    ///
    /// - Throws: `noSuchJob`.
    package func existingJob(_ id: Int) throws -> Job {
        guard let job = try job(id) else { throw SpoolError.noSuchJob(id) }
        return job
    }
}

/// The position of an ended job in the history.
package struct EndPosition: Hashable, Sendable {
    /// The time at which the job ended.
    package var endedAt: UnixTime
    package var id: Int
}

/// A job in a list, with the fields that a filter checks.
package struct ListedJob: Sendable {
    package var position: QueuePosition
    package var state: JobState
}

/// The number of a printer's jobs that have the same state and the same value of `isRetrying`.
package struct JobGroup: Sendable {
    package var printer: String
    /// The state of the jobs; nil for a state that this version does not support.
    package var state: JobState?
    /// Whether the jobs wait for a retry.
    package var isRetrying: Bool
    /// The number of jobs.
    package var count: Int
}

/// The number of jobs and the size of the data in a store.
package struct StoreUsage: Sendable {
    /// The number of jobs that have ended.
    package var ended: Int
    /// The number of jobs that have not ended.
    package var unfinished: Int
    /// The size of the database in bytes.
    package var databaseBytes: Int
    /// The size of the documents outside the database in bytes.
    package var fileBytes: Int
}

package struct StoredDocument: Sendable {
    /// The number of the document in its job, from 1.
    package var number: Int
    package var format: DocumentFormat
    /// The name of the document; nil if the client sent no name.
    package var name: String?
    /// The name of the document's file in the folder of the job; nil if the document has no file.
    package var file: String?
    /// The content of a small document; nil for any other document.
    package var content: [UInt8]?
    /// The number of the stored content of a large document (`LargeDocuments`); nil for any other document.
    package var contentID: Int?

    /// Whether the document was deleted, or was not kept.
    package var isDeleted: Bool { file == nil && content == nil && contentID == nil }
}

/// A job that cannot be decoded.
///
/// Possible causes are another version of printq, another program, or a damaged disk.
package struct UnreadableJob: Error, CustomStringConvertible {
    /// The id of the damaged job.
    var id: Int
    /// The reason why the job cannot be decoded.
    var reason: String
    /// The stored fields of the job as text, for the log.
    var content: String

    package var description: String { "job \(id): \(reason)" }
}
