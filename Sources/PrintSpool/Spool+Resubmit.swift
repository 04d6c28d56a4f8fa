// A job once more.

import GRDB
public import PrintModel

extension Spool {
    /// Makes a new job of the documents of one that has ended (IPP `Resubmit-Job`, PWG 5100.7-2023 §5.3); that one stays
    /// as it is.
    ///
    /// Nothing is copied but small documents: large ones are shared.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a document was not kept, `notPossible` for a job that has
    ///   not ended, and whatever `submit` throws.
    public func resubmit(_ id: Int, as submission: Submission) async throws(SpoolError) -> Job {
        try await write { [self] db in
            if let known = try knownJob(submission, in: db) { return known }
            let old = try JobRecord.job(id, in: db)
            guard old.state.isTerminal else { throw SpoolError.notEnded(old) }
            let files = try keptFiles(of: id, in: db)
            try budgets.admitJob(of: submission.owner, bytes: old.documents.map(\.bytes).reduce(0, +), in: db)
            var submission = submission
            submission.parentID = id
            let job = try insert(submission, incoming: false, in: db)
            for file in files { try store.share(file, of: id, with: job.id) }
            try db.execute(
                sql: """
                    INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                    SELECT ?, number, name, format, bytes, file, content FROM documents WHERE job_id = ?
                    """, arguments: [job.id, id])
            return try JobRecord.job(job.id, in: db)
        }
    }

    /// The documents of a job that are files.
    ///
    /// - Throws: `documentMissing` when a document was not kept, or its file is gone.
    private func keptFiles(of jobID: Int, in db: Database) throws -> [String] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, file, content IS NULL FROM documents WHERE job_id = ?", arguments: [jobID])
        return try rows.compactMap { row in
            guard let file: String = row[1] else {
                if row[2] { throw SpoolError.documentNotKept(row[0], job: jobID) }
                return nil
            }
            let path = store.folder(of: jobID) + "/" + file
            guard store.files.isReadable(path) else {
                throw SpoolError.documentMissing(row[0], job: jobID, path: path)
            }
            return file
        }
    }
}
