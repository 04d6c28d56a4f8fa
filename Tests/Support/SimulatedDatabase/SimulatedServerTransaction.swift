// Runs the write operations of the store on a simulated database server.

import GRDB
import PrintModel
import PrintSpool

/// A transaction or a snapshot on a simulated database server.
///
/// Most operations are those of SQLite. The contents of large documents and the leases are in `HostTables`.
struct SimulatedServerTransaction: SpoolTransaction {
    let base: SQLiteTransaction
    let server: SimulatedDatabaseServer
    /// The writing session; nil for a snapshot.
    let session: SimulatedServerSession?

    /// The database, after the transactions of other processes that run before the next statement.
    var statement: SQLiteTransaction {
        get throws {
            try session?.letOthersRun()
            return base
        }
    }

    private func change<Value>(_ body: (inout HostTables) -> Value) -> Value {
        session?.noteChange()
        return server.tables.withLock { body(&$0) }
    }

    // MARK: - Leases

    func confirm(_ lease: PrinterLease) throws -> Bool {
        if server.fault == .ignoresGuards { return true }
        let isValid = server.tables.withLock { $0.confirm(lease, at: server.clock()) }
        if !isValid { server.observe(.refusedWrite) }
        return isValid
    }

    func setLease(_ lease: PrinterLease, ofJob id: Int) throws {
        change { $0.jobLeases[id] = HostTables.JobLease(lease) }
    }

    func isInProgress(_ job: Job, under lease: PrinterLease) throws -> Bool {
        let id = job.id
        if server.fault == .ignoresGuards {
            session?.checked[id] = lease
            return true
        }
        let isStarted = try base.job(id).map { $0.state.rawValue >= JobState.processing.rawValue } ?? false
        guard isStarted, self.lease(ofJob: id) == HostTables.JobLease(lease) else {
            server.observe(.refusedWrite)
            return false
        }
        session?.checked[id] = lease
        return true
    }

    func restrict(_ printer: String, toHost host: String) throws {
        change { $0.placements[printer] = HostTables.Placement(hosts: [host]) }
    }

    func liftRestriction(of printer: String) throws { change { $0.placements[printer] = nil } }

    func lockQueue() throws {
        try session?.letOthersRun()
        try session?.lock(.queue)
    }

    private func lease(ofJob id: Int) -> HostTables.JobLease? { server.tables.withLock { $0.jobLeases[id] } }

    /// Records a change of a job in progress by a process without the lease of the job.
    ///
    /// This check does not depend on the guards of the spool. Without the lease, a process is only allowed to request
    /// the cancellation of the job.
    private func checkLease(from before: Job, to job: Job) {
        guard let session, before.isInProgress, let lease = lease(ofJob: job.id) else { return }
        var canceled = before
        (canceled.state, canceled.reasons, canceled.message) = (job.state, job.reasons, job.message)
        // A later write of the transaction can be the request of a user.
        let checked = session.checked.removeValue(forKey: job.id)
        let isCancelRequest = checked == nil && canceled == job && job.reasons.contains(.processingToStopPoint)
        let isOwner = checked.map { HostTables.JobLease($0) == lease } ?? false
        guard !isCancelRequest, !isOwner else { return }
        session.noteStaleWrite(
            "\(session.process.host) changed job \(job.id) in progress to \(job.state) without its lease")
    }

    // MARK: - Jobs

    func insert(_ job: inout Job, incomingUntil: UnixTime?) throws {
        try base.insert(&job, incomingUntil: incomingUntil)
    }

    func lockNextJobs(
        ofPrinters printers: [String], unreachable: [String], under leases: [String: PrinterLease], order: QueueOrder,
        now: UnixTime, limit: Int?
    ) throws -> [Job] {
        // One statement chooses the jobs, locks them, and checks their states again.
        let ids = try nextJobs(ofPrinters: printers, unreachable: unreachable, order: order, now: now, limit: limit)
        for id in ids { try session?.read(.job(id)) }
        return try ids.compactMap(base.job).filter { try leases[$0.printer].map(confirm) ?? true }
    }

    func update(_ job: Job, keepsTicket: Bool, incomingUntil: UnixTime?) throws {
        try session?.write(.job(job.id))
        if let before = try base.job(job.id) { checkLease(from: before, to: job) }
        try base.update(job, keepsTicket: keepsTicket, incomingUntil: incomingUntil)
    }

    func removeJobs(_ ids: [Int]) throws {
        for id in ids { try session?.lock(.job(id)) }
        try base.removeJobs(ids)
        try removeContents(of: ids)
    }

    func repairJob(_ id: Int, now: UnixTime) throws -> RepairedJob? { try base.repairJob(id, now: now) }

    func shortenWaits(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws {
        try base.shortenWaits(now: now, latestRetry: latestRetry, latestIncoming: latestIncoming)
    }

    func skipNumbers(throughJob id: Int, and skipped: Int) throws {
        try base.skipNumbers(throughJob: id, and: skipped)
    }

    // MARK: - Documents

    /// The prefix of the file name of a document whose content is in `HostTables`, before the number of the content.
    static let contentPrefix = "document-content-"

    func documents(of jobID: Int) throws -> [StoredDocument] {
        try base.documents(of: jobID).map { document in
            var document = document
            document.contentID = document.file.flatMap { Int($0.dropFirst(Self.contentPrefix.count)) }
            document.file = nil
            return document
        }
    }

    func documentPasswords(of jobID: Int) throws -> [Int: String] { try statement.documentPasswords(of: jobID) }

    func insert(password: String, ofDocument number: Int, of jobID: Int) throws {
        try session?.lock(.job(jobID), isExclusive: false)
        try base.insert(password: password, ofDocument: number, of: jobID)
    }

    func releasePassword(of jobID: Int) throws -> ReleasePassword? { try statement.releasePassword(of: jobID) }

    func releasePasswords(at printer: String) throws -> [ReleasePassword] {
        try statement.releasePasswords(at: printer)
    }

    func releaseAttempts(at printer: String) throws -> ReleaseAttempts { try statement.releaseAttempts(at: printer) }

    func insert(_ password: PasswordHash, of jobID: Int) throws {
        try session?.lock(.job(jobID), isExclusive: false)
        try base.insert(password, of: jobID)
    }

    func setPasswordFailures(_ failures: Int, of jobID: Int) throws {
        session?.noteChange()
        try statement.setPasswordFailures(failures, of: jobID)
    }

    func store(_ attempts: ReleaseAttempts, at printer: String) throws {
        session?.noteChange()
        try statement.store(attempts, at: printer)
    }

    func tokens() throws -> [AccessToken] { try statement.tokens() }

    func token(withDigest digest: String) throws -> AccessToken? { try statement.token(withDigest: digest) }

    func insert(_ token: AccessToken, digest: String) throws -> Bool {
        session?.noteChange()
        return try statement.insert(token, digest: digest)
    }

    func removeToken(named name: String) throws -> Bool {
        session?.noteChange()
        return try statement.removeToken(named: name)
    }

    func noteUse(ofToken name: String, at time: UnixTime) throws {
        session?.noteChange()
        try statement.noteUse(ofToken: name, at: time)
    }

    func users() throws -> [NetworkUser] { try statement.users() }

    func user(named name: String) throws -> (user: NetworkUser, passwordHash: String)? {
        try statement.user(named: name)
    }

    func hasJobs(ofOwner owner: String) throws -> Bool { try statement.hasJobs(ofOwner: owner) }

    func insert(_ user: NetworkUser, passwordHash: String) throws -> Bool {
        session?.noteChange()
        return try statement.insert(user, passwordHash: passwordHash)
    }

    func setPasswordHash(_ hash: String, ofUser name: String, at time: UnixTime) throws -> Bool {
        session?.noteChange()
        return try statement.setPasswordHash(hash, ofUser: name, at: time)
    }

    func removeUser(named name: String) throws -> Bool {
        session?.noteChange()
        return try statement.removeUser(named: name)
    }

    func set(_ quota: Quota) throws {
        session?.noteChange()
        try statement.set(quota)
    }

    func removeQuotas(of subject: Quota.Subject, per period: Quota.Period?) throws -> Int {
        session?.noteChange()
        return try statement.removeQuotas(of: subject, per: period)
    }

    func insert(_ credit: QuotaCredit) throws -> Bool {
        session?.noteChange()
        return try statement.insert(credit)
    }

    func removeQuotaCredits(before time: UnixTime) throws { try base.removeQuotaCredits(before: time) }

    // No document is a file: the files of a job are copies.
    func documentFiles(of jobID: Int) throws -> Set<String> { [] }

    func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        try base.documentFiles(ofEndedJobs: ids).mapValues { _ in [] }
    }

    func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        try session?.lock(.job(jobID), isExclusive: false)
        guard document.file == nil else { throw SpoolError.notPossible("the server stores no names of files") }
        var document = document
        if let id = document.contentID {
            let exists = change { tables in
                tables.contents[id]?.hasBeenUsed = true
                return tables.contents[id] != nil
            }
            guard exists else { throw SpoolError(code: .inconsistent, message: "the content \(id) does not exist") }
            document.file = "\(Self.contentPrefix)\(id)"
        }
        try base.insert(document, bytes: bytes, of: jobID)
    }

    func copyDocuments(from jobID: Int, to copy: Int) throws { try base.copyDocuments(from: jobID, to: copy) }

    func deleteDocuments(of jobID: Int) throws {
        try session?.lock(.job(jobID), isExclusive: false)
        try base.deleteDocuments(of: jobID)
        try removeContents(of: [jobID])
    }

    func removeUnusedContents() throws -> Int {
        let (used, now) = (try base.usedContents(), server.clock())
        return change { tables in
            let before = tables.contents.count
            tables.contents = tables.contents.filter { used.contains($0.key) || $0.value.createdAt >= now - 86_400 }
            return before - tables.contents.count
        }
    }

    /// Removes the contents that no document uses after the removal of documents.
    ///
    /// A content that was never used belongs to a submission that is not committed yet.
    private func removeContents(of jobIDs: [Int]) throws {
        let used = try base.usedContents()
        change { tables in
            for (id, content) in tables.contents where !used.contains(id) && content.hasBeenUsed {
                tables.contents[id] = nil
            }
        }
    }

    // MARK: - Events, printers and accounting

    func recordTurn(of job: Job) throws { try base.recordTurn(of: job) }

    func append(_ event: StoredEvent) throws { try base.append(event) }

    func removePrinterEvents(before time: UnixTime) throws -> Int { try base.removePrinterEvents(before: time) }

    func insert(_ printer: ConfiguredPrinter) throws {
        try session?.lock(.printer(printer.name))
        try base.insert(printer)
    }

    func update(_ printer: ConfiguredPrinter) throws {
        try session?.write(.printer(printer.name))
        try base.update(printer)
    }

    func removePrinter(named name: String) throws {
        try session?.lock(.printer(name))
        try base.removePrinter(named: name)
        change { $0.placements[name] = nil }
    }

    func clearDefaultPrinter() throws {
        for printer in try base.printers() where printer.isDefault { try session?.lock(.printer(printer.name)) }
        try base.clearDefaultPrinter()
    }

    func record(_ entry: AccountingEntry) throws { try base.record(entry) }

    func removeAccounting(endedBefore time: UnixTime) throws -> Int { try base.removeAccounting(endedBefore: time) }
}

extension SQLiteTransaction {
    /// Returns the numbers of the large contents that documents use.
    func usedContents() throws -> Set<Int> {
        let prefix = SimulatedServerTransaction.contentPrefix
        return try Set(
            String.fetchAll(db, sql: "SELECT file FROM documents WHERE file LIKE ?", arguments: ["\(prefix)%"])
                .compactMap { Int($0.dropFirst(prefix.count)) })
    }
}

extension Job {
    /// Whether a run delivers the job.
    fileprivate var isInProgress: Bool {
        (state == .processing || state == .processingStopped) && !reasons.contains(.jobSuspended)
    }
}
