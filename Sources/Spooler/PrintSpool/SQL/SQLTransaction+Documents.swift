// Reads and writes the documents of jobs.

import PrintModel

extension SQLTransaction {
    package func documents(of jobID: Int) throws -> [StoredDocument] {
        try rows(
            "SELECT number, format, \(Self.dialect.documentReference), content, name FROM documents"
                + " WHERE job_id = $1 ORDER BY number", [jobID]
        ) { row in
            var document = StoredDocument(
                number: try row.int(0), format: DocumentFormat(rawValue: try row.string(1)),
                name: try row.optionalString(4), content: try row.optionalBytes(3))
            switch Self.dialect {
            case .sqlite: document.file = try row.optionalString(2)
            case .postgres: document.contentID = try row.optionalInt(2)
            }
            return document
        }
    }

    /// Returns the values of a new document, in the order of the columns of `StoredTable.documents`.
    static func values(of document: StoredDocument, bytes: Int, jobID: Int) -> [(any SQLValue)?] {
        let reference: (any SQLValue)? = dialect == .sqlite ? document.file : document.contentID
        return [
            jobID, document.number, document.name, document.format.rawValue, bytes, reference, document.content,
        ]
    }

    package func documentPasswords(of jobID: Int) throws -> [Int: String] {
        let rows = try rows("SELECT number, password FROM document_passwords WHERE job_id = $1", [jobID]) { row in
            (try row.int(0), try row.string(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func insert(password: String, ofDocument number: Int, of jobID: Int) throws {
        try run(
            "INSERT INTO document_passwords (job_id, number, password) VALUES ($1, $2, $3)", [jobID, number, password])
    }

    package func jobsWithAllDocuments(_ ids: [Int]) throws -> Set<Int> {
        Set(
            try integers(
                """
                SELECT job_id FROM documents WHERE job_id \(Self.dialect.isIn("$1")) GROUP BY job_id
                HAVING COUNT(*) = COUNT(*) FILTER (WHERE \(Self.dialect.isStored()))
                """, [Self.dialect.list(ids)]))
    }

    package func copyDocuments(from jobID: Int, to copy: Int) throws {
        let columns = StoredTable.documents.columnList(Self.dialect)
        try run(
            """
            INSERT INTO documents (\(columns))
            SELECT \(columns.replacing("job_id", with: "$1", maxReplacements: 1)) FROM documents WHERE job_id = $2
            """, [copy, jobID])
    }

    package func deleteDocuments(of jobID: Int) throws {
        // SQLite overwrites the freed pages (`secure_delete`).
        try run(
            "UPDATE documents SET \(Self.dialect.documentReference) = NULL, content = NULL WHERE job_id = $1", [jobID])
    }
}
