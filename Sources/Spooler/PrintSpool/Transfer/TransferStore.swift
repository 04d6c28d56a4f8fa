// Defines the two sides of a transfer between stores.

/// The identity and the counters of a spool, which the rows of the tables do not contain.
struct SpoolNumbers: Hashable, Sendable {
    /// The unique name of the spool.
    var identity: String
    /// The highest printer number that was ever assigned.
    var lastPrinter: Int
    /// The highest job id that was ever assigned.
    var lastJob: Int
    /// The highest event number that was ever assigned, or that clients may have received before a power failure.
    var lastEvent: Int
    /// The highest number of a removed event.
    var purgedEvent: Int
}

/// The content of a large document in the source of a transfer.
struct LargeContent: Hashable, Sendable {
    /// The number of the content: documents with the same number share the content.
    var number: Int
    /// The size in bytes.
    var bytes: Int
    /// Whether several documents share the content.
    var isShared: Bool
    /// The path of the file; nil if the database contains the content.
    var path: String?
}

/// A large document whose content the target of a transfer stores.
struct DocumentPlace: Hashable, Sendable {
    var jobID: Int
    /// The number of the document in the job.
    var number: Int
    /// The format of the document (a MIME type).
    var format: String
}

/// A store from which a transfer reads.
///
/// No other process can change the store while the store is open.
protocol TransferSource {
    /// Returns the identity and the counters of the spool.
    func numbers() throws -> SpoolNumbers

    /// Returns the number of rows in a table.
    func count(_ table: StoredTable) throws -> Int

    /// Returns the next rows of a table, in the order of the primary key.
    ///
    /// - Parameter key: The primary key of the last row that was read; nil for the first rows.
    func rows(of table: StoredTable, after key: StoredRow?, limit: Int) throws -> [StoredRow]

    /// Returns the content to which a document refers; nil if the content is missing.
    func content(_ reference: StoredValue, ofJob id: Int) throws -> LargeContent?

    /// Calls `receive` with the parts of the content, in order; each part except the last part has 1 MiB.
    func read(_ content: LargeContent, receive: ([UInt8]) throws -> Void) throws

    func close()
}

/// An empty store to which a transfer writes.
///
/// The rows become visible together in `commit()`.
protocol TransferTarget {
    /// Inserts rows, and returns the rows that the database refused because of an invalid value.
    func insert(_ rows: [StoredRow], into table: StoredTable) throws -> [StoredRow]

    /// Stores the content of a large document, and returns the reference for the row of the document.
    ///
    /// - Parameter read: A closure that passes each part of the content to its argument, in order.
    func add(
        bytes: Int, for place: DocumentPlace, read: (_ receive: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> StoredValue

    /// Shares the content of the document `other` with another document, and returns the reference for the row of that
    /// document.
    func share(_ reference: StoredValue, of other: DocumentPlace, for place: DocumentPlace) throws -> StoredValue

    /// Stores the identity and the counters of the spool, so that no id is used again.
    func store(_ numbers: SpoolNumbers) throws

    /// Returns the number of rows in a table.
    func count(_ table: StoredTable) throws -> Int

    /// Returns the size of all stored documents, in bytes; a content that several documents share counts once.
    func documentBytes() throws -> Int

    /// Makes the rows and documents durable and visible.
    ///
    /// - Returns: The folder to which an earlier database was moved; nil if there was no such database.
    func commit() throws -> String?

    /// Closes the store, and removes all data that was not committed.
    func close()
}
