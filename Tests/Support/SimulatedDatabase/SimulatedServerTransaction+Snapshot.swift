// Runs the read operations of the store on a simulated database server.

import PrintModel
import PrintSpool

/// The read operations that are those of SQLite.
extension SimulatedServerTransaction {
    func job(_ id: Int) throws -> Job? {
        let statement = try statement
        try session?.read(.job(id))
        return try statement.job(id)
    }

    func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] { try statement.jobs(withIDs: ids, parts) }

    func existingJobs(_ ids: [Int]) throws -> Set<Int> { try statement.existingJobs(ids) }

    func jobID(owner: String, submissionID: String) throws -> Int? {
        try statement.jobID(owner: owner, submissionID: submissionID)
    }

    func unfinishedJobs() throws -> [Job] { try statement.unfinishedJobs() }

    func jobsInProgress() throws -> [Job] { try statement.jobsInProgress() }

    func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int] {
        try statement.nextJobs(ofPrinters: printers, unreachable: unreachable, order: order, now: now, limit: limit)
    }

    func firstJobs(of printer: String) throws -> [FairQueue.Waiting] { try statement.firstJobs(of: printer) }

    func headOfQueue(of printer: String, limit: Int) throws -> [Int] {
        try statement.headOfQueue(of: printer, limit: limit)
    }

    func jobInStrictWay(of id: Int) throws -> Int? { try statement.jobInStrictWay(of: id) }

    func jobsWithLateDocuments(now: UnixTime) throws -> [Int] { try statement.jobsWithLateDocuments(now: now) }

    func jobsWithEndedHold(now: UnixTime) throws -> [Int] { try statement.jobsWithEndedHold(now: now) }

    func jobsWaitingForRetry(at printer: String) throws -> [Int] { try statement.jobsWaitingForRetry(at: printer) }

    func hasDueJobs(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws -> Bool {
        try statement.hasDueJobs(now: now, latestRetry: latestRetry, latestIncoming: latestIncoming)
    }

    func nextDueTime(after now: UnixTime) throws -> UnixTime? { try statement.nextDueTime(after: now) }

    func isPrinting(_ printer: String) throws -> Bool { try statement.isPrinting(printer) }

    func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int] {
        try statement.unfinishedJobs(part, filter, after: start, limit: limit, offset: offset)
    }

    func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int {
        try statement.countUnfinishedJobs(part, filter, after: start)
    }

    func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job] {
        try statement.endedJobs(filter, after: position, limit: limit, offset: offset, parts)
    }

    func newestEndedJob() throws -> EndPosition? { try statement.newestEndedJob() }

    func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob] {
        try statement.positions(ofJobs: ids, filter)
    }

    func countWaiting(before id: Int) throws -> Int { try statement.countWaiting(before: id) }

    func waitingJobs(of printer: String) throws -> [FairQueue.Waiting] { try statement.waitingJobs(of: printer) }

    func turns(at printer: String) throws -> [FairQueue.Turn] { try statement.turns(at: printer) }

    func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int {
        try statement.countWaiting(of: printer, from: first, to: second)
    }

    func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int {
        try statement.countUnfinishedJobs(printer: printer, owner: owner)
    }

    func countUnfinishedJobs(fromAddress address: String) throws -> Int {
        try statement.countUnfinishedJobs(fromAddress: address)
    }

    func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup] { try statement.countUnfinishedJobs(filter) }

    func countEndedJobs(_ filter: JobFilter) throws -> Int { try statement.countEndedJobs(filter) }

    func countUnfinishedJobs() throws -> [JobCount] { try statement.countUnfinishedJobs() }

    func oldestWaitingJob() throws -> Int? { try statement.oldestWaitingJob() }

    func countIncomingJobs(of owner: String) throws -> Int { try statement.countIncomingJobs(of: owner) }

    func documentBytes(of owner: String) throws -> Int { try statement.documentBytes(of: owner) }

    func mostAmounts(of owner: String) throws -> UserAmounts { try statement.mostAmounts(of: owner) }

    func usage() throws -> StoreUsage { try statement.usage() }

    func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int> { try statement.jobsWithAllDocuments(ids) }

    func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent] {
        try statement.events(after: sequence, jobID: jobID, limit: limit)
    }

    func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent] {
        try statement.newestEvents(ofJob: jobID, limit: limit)
    }

    func purgedEventSequence() throws -> Int { try statement.purgedEventSequence() }

    func latestEventSequence() throws -> Int { try statement.latestEventSequence() }

    func printers() throws -> [ConfiguredPrinter] { try statement.printers() }

    func printer(named name: String) throws -> ConfiguredPrinter? {
        let statement = try statement
        try session?.read(.printer(name))
        return try statement.printer(named: name)
    }

    func admission(to printer: String) throws -> PrinterAdmission? {
        let statement = try statement
        try session?.lock(.printer(printer), isExclusive: false)
        return try statement.admission(to: printer)
    }

    func quotas() throws -> [Quota] { try statement.quotas() }

    func quotas(thatCanLimit user: String) throws -> [Quota] { try statement.quotas(thatCanLimit: user) }

    func quotaUsage(of owner: String, since start: UnixTime) throws -> QuotaUsage {
        try statement.quotaUsage(of: owner, since: start)
    }

    func reservedAmounts(of owner: String, besides jobID: Int?) throws -> QuotaAmounts {
        try statement.reservedAmounts(of: owner, besides: jobID)
    }

    func printed(byJob id: Int) throws -> (owner: String, amounts: QuotaAmounts)? { try statement.printed(byJob: id) }

    func lastJob(endedBefore time: UnixTime) throws -> EndPosition? { try statement.lastJob(endedBefore: time) }

    func hasEndedJobs(moreThan count: Int) throws -> Bool { try statement.hasEndedJobs(moreThan: count) }

    func countEndedJobsByOwner() throws -> [(owner: String, count: Int)] { try statement.countEndedJobsByOwner() }

    func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int] {
        try statement.oldestEndedJobs(through: end, limit: limit)
    }

    func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int] {
        try statement.oldestEndedJobs(of: owner, limit: limit)
    }

    func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int] {
        try statement.endedJobs(printer: printer, owner: owner, limit: limit)
    }

    func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int] {
        try statement.endedJobsWithDocuments(before: time, limit: limit)
    }

    func accounting(_ query: AccountingQuery) throws -> [AccountingEntry] { try statement.accounting(query) }

    func hasAccounting(endedBefore time: UnixTime) throws -> Bool { try statement.hasAccounting(endedBefore: time) }

    func identity() throws -> String? { try statement.identity() }

    func schemaVersion() throws -> String? { try statement.schemaVersion() }
}
