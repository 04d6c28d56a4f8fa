// Runs the read operations of the store on a simulated database server.

import PrintModel
import PrintSpool

/// The read operations that are those of SQLite.
extension SimulatedServerTransaction {
    func job(_ id: Int) throws -> Job? { try base.job(id) }

    func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] { try base.jobs(withIDs: ids, parts) }

    func existingJobs(_ ids: [Int]) throws -> Set<Int> { try base.existingJobs(ids) }

    func jobID(owner: String, submissionID: String) throws -> Int? {
        try base.jobID(owner: owner, submissionID: submissionID)
    }

    func unfinishedJobs() throws -> [Job] { try base.unfinishedJobs() }

    func jobsInProgress() throws -> [Job] { try base.jobsInProgress() }

    func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int] {
        try base.nextJobs(ofPrinters: printers, unreachable: unreachable, order: order, now: now, limit: limit)
    }

    func firstJobs(of printer: String) throws -> [FairQueue.Waiting] { try base.firstJobs(of: printer) }

    func headOfQueue(of printer: String, limit: Int) throws -> [Int] {
        try base.headOfQueue(of: printer, limit: limit)
    }

    func jobInStrictWay(of id: Int) throws -> Int? { try base.jobInStrictWay(of: id) }

    func jobsWithLateDocuments(now: UnixTime) throws -> [Int] { try base.jobsWithLateDocuments(now: now) }

    func jobsWithEndedHold(now: UnixTime) throws -> [Int] { try base.jobsWithEndedHold(now: now) }

    func jobsWaitingForRetry(at printer: String) throws -> [Int] { try base.jobsWaitingForRetry(at: printer) }

    func hasDueJobs(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws -> Bool {
        try base.hasDueJobs(now: now, latestRetry: latestRetry, latestIncoming: latestIncoming)
    }

    func nextDueTime(after now: UnixTime) throws -> UnixTime? { try base.nextDueTime(after: now) }

    func isPrinting(_ printer: String) throws -> Bool { try base.isPrinting(printer) }

    func unfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?, limit: Int, offset: Int
    ) throws -> [Int] {
        try base.unfinishedJobs(part, filter, after: start, limit: limit, offset: offset)
    }

    func countUnfinishedJobs(
        _ part: QueuePosition.Part, _ filter: JobFilter, after start: QueuePosition?
    ) throws -> Int {
        try base.countUnfinishedJobs(part, filter, after: start)
    }

    func endedJobs(
        _ filter: JobFilter, after position: EndPosition, limit: Int, offset: Int, _ parts: JobParts
    ) throws -> [Job] {
        try base.endedJobs(filter, after: position, limit: limit, offset: offset, parts)
    }

    func newestEndedJob() throws -> EndPosition? { try base.newestEndedJob() }

    func positions(ofJobs ids: [Int], _ filter: JobFilter) throws -> [ListedJob] {
        try base.positions(ofJobs: ids, filter)
    }

    func countWaiting(before id: Int) throws -> Int { try base.countWaiting(before: id) }

    func waitingJobs(of printer: String) throws -> [FairQueue.Waiting] { try base.waitingJobs(of: printer) }

    func turns(at printer: String) throws -> [FairQueue.Turn] { try base.turns(at: printer) }

    func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int {
        try base.countWaiting(of: printer, from: first, to: second)
    }

    func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int {
        try base.countUnfinishedJobs(printer: printer, owner: owner)
    }

    func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup] { try base.countUnfinishedJobs(filter) }

    func countEndedJobs(_ filter: JobFilter) throws -> Int { try base.countEndedJobs(filter) }

    func countUnfinishedJobs() throws -> [JobCount] { try base.countUnfinishedJobs() }

    func oldestWaitingJob() throws -> Int? { try base.oldestWaitingJob() }

    func countIncomingJobs(of owner: String) throws -> Int { try base.countIncomingJobs(of: owner) }

    func documentBytes(of owner: String) throws -> Int { try base.documentBytes(of: owner) }

    func mostAmounts(of owner: String) throws -> UserAmounts { try base.mostAmounts(of: owner) }

    func usage() throws -> StoreUsage { try base.usage() }

    func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int> { try base.jobsWithAllDocuments(ids) }

    func events(after sequence: Int, jobID: Int?, limit: Int) throws -> [JobEvent] {
        try base.events(after: sequence, jobID: jobID, limit: limit)
    }

    func newestEvents(ofJob jobID: Int, limit: Int) throws -> [JobEvent] {
        try base.newestEvents(ofJob: jobID, limit: limit)
    }

    func purgedEventSequence() throws -> Int { try base.purgedEventSequence() }

    func latestEventSequence() throws -> Int { try base.latestEventSequence() }

    func printers() throws -> [ConfiguredPrinter] { try base.printers() }

    func printer(named name: String) throws -> ConfiguredPrinter? { try base.printer(named: name) }

    func isAccepting(_ printer: String) throws -> Bool? { try base.isAccepting(printer) }

    func lastJob(endedBefore time: UnixTime) throws -> EndPosition? { try base.lastJob(endedBefore: time) }

    func hasEndedJobs(moreThan count: Int) throws -> Bool { try base.hasEndedJobs(moreThan: count) }

    func countEndedJobsByOwner() throws -> [(owner: String, count: Int)] { try base.countEndedJobsByOwner() }

    func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int] {
        try base.oldestEndedJobs(through: end, limit: limit)
    }

    func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int] {
        try base.oldestEndedJobs(of: owner, limit: limit)
    }

    func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int] {
        try base.endedJobs(printer: printer, owner: owner, limit: limit)
    }

    func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int] {
        try base.endedJobsWithDocuments(before: time, limit: limit)
    }

    func accounting(_ query: AccountingQuery) throws -> [AccountingEntry] { try base.accounting(query) }

    func hasAccounting(endedBefore time: UnixTime) throws -> Bool { try base.hasAccounting(endedBefore: time) }

    func identity() throws -> String? { try base.identity() }

    func schemaVersion() throws -> String? { try base.schemaVersion() }
}
