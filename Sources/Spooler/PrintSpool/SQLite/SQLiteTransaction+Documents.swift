// Reads and writes the documents of jobs in SQLite.

import FoundationEssentials
import GRDB
import PrintModel

extension SQLiteTransaction {
    package func documents(of jobID: Int) throws -> [StoredDocument] {
        try Row.fetchAll(
            db, sql: "SELECT number, format, file, content, name FROM documents WHERE job_id = ? ORDER BY number",
            arguments: [jobID]
        ).map { row in
            let content: Data? = try row.decode(atIndex: 3)
            return StoredDocument(
                number: try row.decode(atIndex: 0), format: DocumentFormat(rawValue: try row.decode(atIndex: 1)),
                name: try row.decode(atIndex: 4), file: try row.decode(atIndex: 2), content: content.map(Array.init))
        }
    }

    package func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int> {
        let sql = """
            SELECT job_id FROM documents WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id
            HAVING COUNT(*) = SUM(file IS NOT NULL OR content IS NOT NULL)
            """
        return try Int.fetchSet(try db.cachedStatement(sql: sql), arguments: [JobRecord.list(ids)])
    }

    package func documentFiles(of jobID: Int) throws -> Set<String> {
        try String.fetchSet(
            try db.cachedStatement(sql: "SELECT file FROM documents WHERE job_id = ? AND file IS NOT NULL"),
            arguments: [jobID])
    }

    package func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT jobs.id, documents.file FROM jobs LEFT JOIN documents ON documents.job_id = jobs.id
                WHERE jobs.id IN (SELECT value FROM json_each(?)) AND \(JobStateClause.hasEnded("jobs"))
                """, arguments: [JobRecord.list(ids)])
        return try rows.reduce(into: [:]) { found, row in
            let file: String? = try row.decode(atIndex: 1)
            found[try row.decode(atIndex: 0), default: []].formUnion(file.map { [$0] } ?? [])
        }
    }

    package func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                jobID, document.number, document.name, document.format.rawValue, bytes, document.file,
                document.content.map { Data($0) },
            ])
    }

    package func copyDocuments(from jobID: Int, to copy: Int) throws {
        try db.execute(
            sql: """
                INSERT INTO documents (job_id, number, name, format, bytes, file, content)
                SELECT ?, number, name, format, bytes, file, content FROM documents WHERE job_id = ?
                """, arguments: [copy, jobID])
    }

    // Large documents are files.
    package func removeUnusedContents() throws -> Int { 0 }

    package func deleteDocuments(of jobID: Int) throws {
        // SQLite overwrites the freed pages (`secure_delete`).
        try db.cachedStatement(sql: "UPDATE documents SET file = NULL, content = NULL WHERE job_id = ?")
            .execute(arguments: [jobID])
    }
}
