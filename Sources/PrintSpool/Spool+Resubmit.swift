// A job once more.

import GRDB
public import PrintModel

extension Spool {
    /// Makes a new job of the documents of another one (IPP `Resubmit-Job`, PWG 5100.11); that one stays as it is.
    ///
    /// Nothing is copied but small documents: large ones are shared.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a document was not kept, `notPossible` for a job whose documents
    ///   are still coming, and whatever `submit` throws.
    public func resubmit(_ id: Int, as submission: Submission) async throws(SpoolError) -> Job {
        try await write { [self] db in
            if let known = try knownJob(submission, in: db) { return known }
            let old = try JobRecord.job(id, in: db)
            guard !old.reasons.contains(.jobIncoming) else {
                throw SpoolError.notPossible("the documents of job \(id) are still coming in; wait for them")
            }
            let job = try insert(submission, incoming: false, in: db)
            for row in try Row.fetchAll(
                db, sql: "SELECT number, file, content IS NULL FROM documents WHERE job_id = ?", arguments: [id])
            {
                let number: Int = row[0]
                if let file: String = row[1] {
                    try store.share(file, of: id, with: job.id)
                } else if row[2] {
                    throw SpoolError.documentNotKept(number, job: id)
                }
            }
            try db.execute(
                sql: """
                    INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                    SELECT ?, number, name, format, bytes, file, content FROM documents WHERE job_id = ?
                    """, arguments: [job.id, id])
            return try JobRecord.job(job.id, in: db)
        }
    }
}
