// Reads and writes jobs, and repairs damaged rows.

package import PrintModel
import Synchronization

extension SQLTransaction {
    package func existingJobs(_ ids: [Int]) throws -> Set<Int> {
        // The query reads only the given ids, because the table can contain a million other jobs.
        Set(try integers("SELECT id FROM jobs WHERE id \(Self.dialect.isIn("$1"))", [Self.dialect.list(ids)]))
    }

    /// Runs a query that selects `StoredJob.columns(parts)` from the table `jobs`, and returns the jobs in the order of
    /// the query.
    ///
    /// The prepared statement is cached. Therefore the text of the query must not depend on the number of parameters.
    func jobs(_ query: SQLQuery, _ parts: JobParts = .all) throws -> [Job] {
        var jobs = try rows(query.sql, query.parameters) { try StoredJob.job(in: $0, parts) }
        guard parts.contains(.documents), !jobs.isEmpty else { return jobs }
        let parameter: any SQLValue = jobs.count == 1 ? jobs[0].id : Self.dialect.list(jobs.map(\.id))
        Self.add(
            try rows(Self.documentsOfJobs(jobs.count), [parameter], Self.document), to: &jobs)
        return jobs
    }

    static func add(_ documents: [(jobID: Int, document: JobDocument)?], to jobs: inout [Job]) {
        let byJob = Dictionary(grouping: documents.compactMap(\.self), by: \.jobID)
        for index in jobs.indices { jobs[index].documents = byJob[jobs[index].id]?.map(\.document) ?? [] }
    }

    /// Returns the query for the documents of one job or of a list of jobs.
    static func documentsOfJobs(_ count: Int) -> String {
        """
        SELECT job_id, number, name, format, bytes FROM documents
        WHERE job_id \(count == 1 ? "= $1" : dialect.isIn("$1")) ORDER BY job_id, number
        """
    }

    /// Returns the document in a row of `documentsOfJobs`.
    ///
    /// A damaged document is listed without its damaged fields.
    static func document(_ row: Row) -> (jobID: Int, document: JobDocument)? {
        guard let jobID = try? row.int(0), let number = try? row.int(1) else { return nil }
        let document = JobDocument(
            number: number, name: (try? row.optionalString(2)) ?? nil,
            format: (try? row.string(3)).map(DocumentFormat.init) ?? .octetStream, bytes: (try? row.int(4)) ?? 0)
        return (jobID, document)
    }

    // MARK: - Writing

    package func update(_ job: Job, keepsTicket: Bool, incomingUntil: UnixTime?) throws {
        let lease = takeNewLease(ofJob: job.id)
        let isIncoming = job.reasons.contains(.jobIncoming)
        let update = JobUpdate.statement(
            JobUpdate.Kind(keepsTicket: keepsTicket, isIncoming: isIncoming, setsLease: lease != nil))
        var parameters = try update.columns.values(of: job)
        if isIncoming { parameters.append(incomingUntil) }
        if let lease { parameters += [lease.epoch, lease.incarnation] }
        try run(update.text, parameters + [job.id])
    }

    // MARK: - The store

    package func identity() throws -> String? { try rows("SELECT name FROM identity") { try $0.string(0) }.first }

    // MARK: - Damaged rows

    package func repairJob(_ id: Int, now: UnixTime) throws -> RepairedJob? {
        let table = StoredTable.jobs
        let query = "SELECT \(table.columnList(Self.dialect)) FROM jobs WHERE id = $1\(lock("UPDATE"))"
        func read() throws -> (job: Result<Job, any Error>, row: StoredRow)? {
            try rows(query, [id]) { row in
                (
                    job: Result { try StoredJob.job(in: row, .all) },
                    row: try table.kinds.enumerated().map { try row.value($0, $1) }
                )
            }.first
        }
        // Another task may already have repaired the row.
        guard let found = try read(), case .failure(let error) = found.job, let error = error as? UnreadableJob
        else { return nil }
        let damaged = DamagedRow(found.row, of: table)
        guard let repaired = try damaged.repaired(now: now) else { throw error }
        var update = SQLQuery("UPDATE jobs SET ")
        update.sql += zip(table.columns, repaired).dropFirst().map { "\($0) = \(update.bind($1.parameter))" }
            .joined(separator: ", ")
        update.sql += " WHERE id = \(update.bind(id))"
        _ = try change(update.sql, update.parameters)
        guard let job = try read()?.job else { return nil }
        do {
            return RepairedJob(
                job: try job.get(), damaged: error.content, deletesDocuments: damaged.deletesDocuments,
                hadEnded: damaged.hadEnded)
        } catch {
            throw DamagedValue("\(error)")
        }
    }
}

private struct JobUpdate {
    struct Kind: Hashable {
        var keepsTicket: Bool
        var isIncoming: Bool
        var setsLease: Bool
    }

    /// The columns whose values are the first parameters.
    let columns: [StoredColumn<Job, Job>]
    let text: String

    /// The statements that were made before.
    private static let known = Mutex<[Kind: JobUpdate]>([:])

    static func statement(_ kind: Kind) -> JobUpdate {
        known.withLock { known in
            if let statement = known[kind] { return statement }
            let statement = JobUpdate(kind)
            known[kind] = statement
            return statement
        }
    }

    private init(_ kind: Kind) {
        columns = StoredTable.jobColumns.filter { $0.isChangeable && !(kind.keepsTicket && $0.name == "ticket") }
        var count = columns.count
        func placeholder() -> String {
            count += 1
            return "$\(count)"
        }
        var settings = columns.enumerated().map { "\($1.name) = $\($0 + 1)" }
        settings.append(
            kind.isIncoming
                ? "incoming_until = COALESCE(\(placeholder()), incoming_until)" : "incoming_until = NULL")
        if kind.setsLease { settings += ["lease_epoch = \(placeholder())", "lease_incarnation = \(placeholder())"] }
        text = "UPDATE jobs SET \(settings.joined(separator: ", ")) WHERE id = \(placeholder())"
    }
}
