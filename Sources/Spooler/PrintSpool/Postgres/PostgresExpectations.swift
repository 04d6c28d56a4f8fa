// Reads in advance what several submissions need.

import PostgresClient
import PrintModel

/// What several submissions need from the database, read in one round trip.
struct PostgresExpectations {
    private struct Head {
        var id: Int
        var priority: Int
    }

    /// Whether each printer accepts jobs; nil for a printer that does not exist.
    private var printers: [String: Bool?] = [:]
    /// The job at the head of the queue of each printer.
    private var heads: [String: Head] = [:]
    /// The ids of the jobs of earlier submissions with the same submission id; nil if there is no such job.
    private var known: [ExpectedSubmission.Key: Int?] = [:]
    /// The unused ids for new jobs.
    private var ids: ArraySlice<Int> = []

    /// Reads what the submissions need, and reserves an id for each submission that can be accepted.
    ///
    /// The printers cannot be removed until the end of the transaction.
    init(of submissions: [ExpectedSubmission], on connection: PostgresConnection) throws {
        let names = submissions.map(\.printer.withoutZeroBytes)
        var (printers, found): (PostgresRows?, PostgresRows?)
        try connection.enqueue(Self.lockPrinters, [PostgresArray(Set(names).sorted(), of: .text)]) { printers = $0 }
        let (owners, submissionIDs) = (submissions.map(\.owner), submissions.map(\.submissionID))
        try connection.enqueue(
            Self.reserveIDs,
            [
                PostgresArray(names, of: .text), PostgresArray(PostgresSession.storable(owners), of: .text),
                PostgresArray(PostgresSession.storable(submissionIDs), of: .text),
            ]
        ) { found = $0 }
        try connection.synchronize()
        for submission in submissions {
            self.printers.updateValue(nil, forKey: submission.printer)
            if let key = submission.key { known.updateValue(nil, forKey: key) }
        }
        for row in printers.map(Array.init) ?? [] {
            let name = try row.string(0)
            self.printers[name] = try row.bool(1)
            heads[name] = try row.optionalInt(2).map { Head(id: $0, priority: try row.int(3)) }
        }
        for row in found.map(Array.init) ?? [] {
            if let id = try row.optionalInt(1), let key = submissions[try row.int(0) - 1].key { known[key] = id }
            if let id = try row.optionalInt(2) { ids.append(id) }
        }
        ids.sort()
    }

    /// Returns whether a printer accepts jobs; nil if this was not read.
    func isAccepting(_ printer: String) -> Bool?? { printers[printer] }

    /// Returns the id of the job that an owner has submitted with a submission id; nil if this was not read.
    func jobID(owner: String, submissionID: String) -> Int?? {
        known[ExpectedSubmission.Key(owner: owner, submissionID: submissionID)]
    }

    /// Returns the id of the first waiting job of a printer; nil if this was not read.
    func headOfQueue(of printer: String) -> Int?? {
        printers[printer] == nil ? nil : .some(heads[printer]?.id)
    }

    /// Returns a reserved id; nil if all ids are in use.
    mutating func takeID() -> Int? { ids.popFirst() }

    /// Takes a new job into account.
    mutating func note(_ job: Job) {
        if let submissionID = job.submissionID {
            known[ExpectedSubmission.Key(owner: job.owner, submissionID: submissionID)] = job.id
        }
        guard job.state == .pending else { return }
        if let head = heads[job.printer], head.priority >= job.priority { return }
        heads[job.printer] = Head(id: job.id, priority: job.priority)
    }

    // MARK: - Statements

    /// The query for printers and the heads of their queues.
    private static let lockPrinters = """
        SELECT printers.name, printers.is_accepting, head.id, head.priority
        FROM printers LEFT JOIN LATERAL (
            SELECT id, priority FROM jobs WHERE printer = printers.name AND \(PostgresCondition.isPending)
            ORDER BY priority DESC, id LIMIT 1) AS head ON TRUE
        WHERE printers.name = ANY ($1::text[]) ORDER BY printers.name FOR KEY SHARE OF printers
        """

    /// The query for the jobs of earlier submissions, which reserves the ids of new jobs.
    private static let reserveIDs = """
        SELECT number, known, CASE WHEN known IS NULL AND is_accepting THEN nextval('jobs_id_seq') END
        FROM (
            SELECT wanted.number,
                (SELECT id FROM jobs WHERE owner = wanted.owner AND submission_id = wanted.submission) AS known,
                (SELECT is_accepting FROM printers WHERE name = wanted.printer) AS is_accepting
            FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
                AS wanted (printer, owner, submission, number)) AS wanted
        """
}
