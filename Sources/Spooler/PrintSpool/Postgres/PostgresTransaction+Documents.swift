// Reads and writes the documents of jobs in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func documents(of jobID: Int) throws -> [StoredDocument] {
        try session.query(
            "SELECT number, format, file, content, name FROM documents WHERE job_id = $1 ORDER BY number", [jobID]
        ).map { row in
            StoredDocument(
                number: try row.int(0), format: DocumentFormat(rawValue: try row.string(1)),
                name: try row.optionalString(4), file: try row.optionalString(2), content: try row.optionalBytes(3))
        }
    }

    func hasAllDocuments(_ jobID: Int) throws -> Bool {
        try boolean(
            """
            SELECT COUNT(*) > 0 AND COUNT(*) = COUNT(*) FILTER (WHERE file IS NOT NULL OR content IS NOT NULL)
            FROM documents WHERE job_id = $1
            """, [jobID]) ?? false
    }

    func documentFiles(of jobID: Int) throws -> Set<String> {
        Set(
            try session.query("SELECT file FROM documents WHERE job_id = $1 AND file IS NOT NULL", [jobID])
                .map { try $0.string(0) })
    }

    func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        try session.query(
            """
            SELECT jobs.id, documents.file FROM jobs LEFT JOIN documents ON documents.job_id = jobs.id
            WHERE jobs.id = ANY ($1::bigint[]) AND jobs.\(PostgresCondition.hasEnded)
            """, [Self.array(ids)]
        ).reduce(into: [:]) { found, row in
            found[try row.int(0), default: []].formUnion(try row.optionalString(1).map { [$0] } ?? [])
        }
    }

    func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        try session.enqueue(
            """
            INSERT INTO documents (job_id, number, name, format, bytes, file, content)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                jobID, document.number, document.name, document.format.rawValue, bytes, document.file,
                document.content,
            ])
    }

    func copyDocuments(from jobID: Int, to copy: Int) throws {
        try session.enqueue(
            """
            INSERT INTO documents (job_id, number, name, format, bytes, file, content)
            SELECT $1, number, name, format, bytes, file, content FROM documents WHERE job_id = $2
            """, [copy, jobID])
    }

    func deleteDocuments(of jobID: Int) throws {
        try session.enqueue("UPDATE documents SET file = NULL, content = NULL WHERE job_id = $1", [jobID])
    }
}
