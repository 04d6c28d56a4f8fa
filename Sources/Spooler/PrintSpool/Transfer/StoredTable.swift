// Describes the tables that a transfer copies.

/// The type of a column, independent of the store.
enum StoredKind: Sendable {
    case integer
    case real
    case text
    /// A Boolean value, which a row contains as the integer 0 or 1.
    case boolean
    case bytes
    /// A reference to a large document: a file name in SQLite, or the number of the stored content in PostgreSQL.
    case reference
}

/// A value of a row.
enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])

    /// Returns whether a column of the given type can contain the value.
    ///
    /// The database checks whether the column can contain NULL.
    func fits(_ kind: StoredKind) -> Bool {
        switch (kind, self) {
        case (_, .null), (.integer, .integer), (.real, .real), (.real, .integer), (.text, .text), (.bytes, .bytes),
            (.reference, .integer), (.reference, .text):
            true
        case (.boolean, .integer(let value)): value == 0 || value == 1
        default: false
        }
    }

    /// The value as an integer; nil if the value has another type.
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// The value as text; nil if the value has another type.
    var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// The values of a row, in the order of the columns of its table.
typealias StoredRow = [StoredValue]

/// A table that exists in all stores with the same columns.
///
/// Rows are copied as they are stored, so that a copy also contains values that this version does not support. The table
/// `documents` has a column for large documents whose name and type depend on the store (`StoredKind.reference`).
struct StoredTable: Sendable {
    /// The name of the table.
    let name: String
    /// The names of the columns, in the order of the values of a row.
    let columns: [String]
    /// The types of the columns.
    let kinds: [StoredKind]
    /// The number of columns in the primary key.
    ///
    /// These columns are the first columns of the table.
    let keyCount: Int

    private init(_ name: String, key keyCount: Int = 1, _ columns: KeyValuePairs<String, StoredKind>) {
        (self.name, self.keyCount) = (name, keyCount)
        (self.columns, kinds) = (columns.map(\.key), columns.map(\.value))
    }

    /// The names of the columns in the primary key.
    var key: [String] { Array(columns.prefix(keyCount)) }

    /// Returns the position of a column.
    func index(of column: String) -> Int {
        guard let index = columns.firstIndex(of: column) else {
            preconditionFailure("the table \(name) has no column \(column)")
        }
        return index
    }

    /// Returns whether each value of a row has the type of its column.
    func fits(_ row: StoredRow) -> Bool { zip(row, kinds).allSatisfy { $0.fits($1) } }

    /// All tables, in an order in which rows refer only to rows of earlier tables.
    ///
    /// The table `turns` is not copied: in the copy, a new round of turns begins.
    static let all = [printers, jobs, documents, events, accounting]

    static let printers = StoredTable(
        "printers",
        [
            "id": .integer, "name": .text, "device_uri": .text, "info": .text, "location": .text,
            "is_default": .boolean, "is_paused": .boolean, "pause_message": .text, "is_accepting": .boolean,
            "error_policy": .text, "after_interruption": .text, "options": .text, "users": .text,
        ])

    static let jobs = StoredTable(
        "jobs",
        [
            "id": .integer, "uuid": .text, "printer": .text, "owner": .text, "name": .text, "submission_id": .text,
            "state": .integer, "reasons": .text, "message": .text, "ticket": .text, "priority": .integer,
            "held_until": .real, "incoming_until": .real, "retry_at": .real, "attempts": .integer,
            "created_at": .real, "processing_at": .real, "completed_at": .real, "impressions": .integer,
            "impressions_completed": .integer, "sheets": .integer, "sheets_completed": .integer,
            "remote_id": .integer, "remote_uuid": .text, "resume_from": .integer, "parent_id": .integer,
            "moved_from": .text, "sheet_plan": .text, "warnings": .text, "earlier_impressions": .integer,
            "earlier_blanks": .integer, "earlier_sheets": .integer, "preparation_seconds": .real,
        ])

    static let documents = StoredTable(
        "documents", key: 2,
        [
            "job_id": .integer, "number": .integer, "name": .text, "format": .text, "bytes": .integer,
            "content": .bytes, "reference": .reference,
        ])

    static let events = StoredTable(
        "events",
        [
            "sequence": .integer, "job_id": .integer, "printer": .text, "time": .real, "kind": .text,
            "state": .integer, "message": .text, "reasons": .text, "impressions": .integer,
            "impressions_completed": .integer,
        ])

    static let accounting = StoredTable(
        "accounting",
        [
            "job_id": .integer, "owner": .text, "printer": .text, "name": .text, "created_at": .real,
            "ended_at": .real, "state": .integer, "copies": .integer, "impressions": .integer, "blanks": .integer,
            "sheets": .integer, "color": .boolean, "media": .text, "bytes": .integer,
        ])
}

extension StoredTable {
    /// Returns the columns as a list for SQL.
    ///
    /// - Parameter reference: The name of the column for large documents in the store.
    func columnList(reference: String) -> String {
        columns.map { $0 == "reference" ? reference : $0 }.joined(separator: ", ")
    }

    /// Returns the query for the next rows in the order of the primary key.
    ///
    /// - Parameters:
    ///   - reference: The name of the column for large documents in the store.
    ///   - parameters: The SQL parameters for the primary key of the last row that was read; nil for the first rows.
    func query(reference: String, after parameters: [String]?, limit: Int) -> String {
        let keys = key.joined(separator: ", ")
        let condition = parameters.map { " WHERE (\(keys)) > (\($0.joined(separator: ", ")))" } ?? ""
        return "SELECT \(columnList(reference: reference)) FROM \(name)\(condition) ORDER BY \(keys) LIMIT \(limit)"
    }
}
