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
    private var printers: [String: PrinterAdmission?] = [:]
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
        let rows = try connection.query(
            Self.statement,
            [
                PostgresArray(submissions.map(\.printer.withoutZeroBytes), of: .text),
                PostgresArray(PostgresSession.storable(submissions.map(\.owner)), of: .text),
                PostgresArray(PostgresSession.storable(submissions.map(\.submissionID)), of: .text),
            ])
        for row in rows {
            let submission = submissions[try row.int(0) - 1]
            let hasQuotas = try row.bool(6)
            printers.updateValue(
                try row.optionalBool(1).map { PrinterAdmission(isAccepting: $0, hasQuotas: hasQuotas) },
                forKey: submission.printer)
            heads[submission.printer] = try row.optionalInt(2).map { Head(id: $0, priority: try row.int(3)) }
            if let key = submission.key { known.updateValue(try row.optionalInt(4), forKey: key) }
            if let id = try row.optionalInt(5) { ids.append(id) }
        }
        ids.sort()
    }

    /// Returns whether a printer accepts jobs; nil if this was not read.
    func admission(to printer: String) -> PrinterAdmission?? { printers[printer] }

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

    // MARK: - Statement

    /// The query for the printers, the heads of their queues and the jobs of earlier submissions, which reserves the ids
    /// of new jobs.
    static let statement = """
        WITH named AS MATERIALIZED (
            SELECT name, is_accepting FROM printers WHERE name = ANY ($1::text[]) ORDER BY name FOR KEY SHARE
        ), heads AS MATERIALIZED (
            SELECT named.name, head.id, head.priority FROM named CROSS JOIN LATERAL (
                SELECT id, priority FROM jobs WHERE printer = named.name AND \(SQLDialect.postgres.isPending())
                ORDER BY priority DESC, id LIMIT 1) AS head
        ), wanted AS MATERIALIZED (
            SELECT number, printer,
                (SELECT id FROM jobs WHERE owner = given.owner AND submission_id = given.submission) AS known
            FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (printer, owner, submission, number)
        )
        SELECT wanted.number, named.is_accepting, heads.id, heads.priority, wanted.known,
            CASE WHEN wanted.known IS NULL AND named.is_accepting THEN nextval('jobs_id_seq') END,
            EXISTS (SELECT FROM quotas)
        FROM wanted LEFT JOIN named ON named.name = wanted.printer LEFT JOIN heads ON heads.name = wanted.printer
        """
}
