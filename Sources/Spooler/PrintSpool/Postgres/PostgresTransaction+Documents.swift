// Reads and writes the documents of jobs in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func documents(of jobID: Int) throws -> [StoredDocument] {
        try session.query(
            "SELECT number, format, content_id, content, name FROM documents WHERE job_id = $1 ORDER BY number",
            [jobID]
        ).map { row in
            StoredDocument(
                number: try row.int(0), format: DocumentFormat(rawValue: try row.string(1)),
                name: try row.optionalString(4), content: try row.optionalBytes(3), contentID: try row.optionalInt(2))
        }
    }

    func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int> {
        Set(
            try integers(
                """
                SELECT job_id FROM documents WHERE job_id = ANY ($1::bigint[]) GROUP BY job_id
                HAVING COUNT(*) = COUNT(*) FILTER (WHERE content_id IS NOT NULL OR content IS NOT NULL)
                """, [Self.array(ids)]))
    }

    // No document is a file: the files of a job are copies.
    func documentFiles(of jobID: Int) throws -> Set<String> { [] }

    func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        try session.query(
            "SELECT id FROM jobs WHERE id = ANY ($1::bigint[]) AND \(PostgresCondition.hasEnded)", [Self.array(ids)]
        ).reduce(into: [:]) { $0[try $1.int(0)] = [] }
    }

    func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        guard document.file == nil else { throw SpoolError.notPossible("a spool in PostgreSQL has no document files") }
        try session.insertDocument(
            [
                ("job_id", .bigint, jobID), ("number", .bigint, document.number), ("name", .text, document.name),
                ("format", .text, document.format.rawValue), ("bytes", .bigint, bytes),
                ("content_id", .bigint, document.contentID), ("content", .bytea, document.content),
            ], contentBytes: document.content?.count ?? 0)
    }

    func copyDocuments(from jobID: Int, to copy: Int) throws {
        try session.enqueue(
            """
            INSERT INTO documents (job_id, number, name, format, bytes, content_id, content)
            SELECT $1, number, name, format, bytes, content_id, content FROM documents WHERE job_id = $2
            """, [copy, jobID])
    }

    func deleteDocuments(of jobID: Int) throws {
        try session.enqueue("UPDATE documents SET content_id = NULL, content = NULL WHERE job_id = $1", [jobID])
    }

    func removeUnusedContents() throws -> Int {
        // A host stores a content immediately before it accepts the job.
        try session.change(
            """
            DELETE FROM large_contents WHERE created_at < now() - interval '1 day'
            AND NOT EXISTS (SELECT FROM documents WHERE content_id = large_contents.id)
            """
        ).affectedRows
    }
}
