// The documents of jobs.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// The documents of a job as files, in order; a small one is written out of the database first.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a file is gone or was not kept, `noSpace`, `unwritable`.
    public func documents(of jobID: Int) async throws(SpoolError) -> [InputDocument] {
        let rows = try await read { db in
            _ = try JobRecord.job(jobID, in: db)
            return try Row.fetchAll(
                db, sql: "SELECT number, format, file, content, name FROM documents WHERE job_id = ? ORDER BY number",
                arguments: [jobID]
            ).map {
                Stored(
                    number: $0[0], format: DocumentFormat(rawValue: $0[1]), file: $0[2], content: $0[3], name: $0[4])
            }
        }
        return try await store.onDisk { [store] () throws(SpoolError) in
            var documents: [InputDocument] = []
            for row in rows {
                documents.append(
                    InputDocument(path: try row.path(jobID, store), format: row.format, name: row.name))
            }
            return documents
        }
    }

    /// Where the PDF for the printer is, once the worker has made it; the folder is there.
    ///
    /// - Throws: `noSpace`, `unwritable`.
    public func preparedPath(of jobID: Int) throws(SpoolError) -> String {
        try store.files.makeFolder(store.folder(of: jobID))
        return store.folder(of: jobID) + "/prepared.pdf"
    }

    /// A document's row.
    private struct Stored: Sendable {
        var number: Int
        var format: DocumentFormat
        var file: String?
        var content: [UInt8]?
        var name: String?

        init(number: Int, format: DocumentFormat, file: String?, content: Data?, name: String?) {
            self.number = number
            self.format = format
            self.file = file
            self.content = content.map(Array.init)
            self.name = name
        }

        func path(_ jobID: Int, _ store: DocumentStore) throws(SpoolError) -> String {
            if let content {
                return try store.materialize(content, as: store.fileName(number, format), jobID: jobID)
            }
            guard let file else { throw .documentNotKept(number, job: jobID) }
            let path = store.folder(of: jobID) + "/" + file
            guard store.files.isReadable(path) else { throw .documentMissing(number, job: jobID, path: path) }
            return path
        }
    }
}
