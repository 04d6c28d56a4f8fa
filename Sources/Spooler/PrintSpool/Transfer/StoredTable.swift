// Describes the tables that a transfer copies.

/// The type of a column, independent of the store.
package enum StoredKind: Sendable {
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
package enum StoredValue: Hashable, Sendable {
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

    var parameter: (any SQLValue)? {
        switch self {
        case .null: nil
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .bytes(let value): value
        }
    }

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
    let name: String
    /// The names of the columns, in the order of the values of a row.
    let columns: [String]
    /// The types of the columns.
    let kinds: [StoredKind]
    /// The number of columns in the primary key.
    ///
    /// These columns are the first columns of the table.
    let keyCount: Int

    private init(_ name: String, key keyCount: Int = 1, _ columns: [(name: String, kind: StoredKind)]) {
        (self.name, self.keyCount) = (name, keyCount)
        (self.columns, kinds) = (columns.map(\.name), columns.map(\.kind))
    }

    /// The names of the columns in the primary key.
    var key: [String] { Array(columns.prefix(keyCount)) }

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
    /// The tables `turns` and `release_attempts` are not copied: in the copy, a new round of turns begins.
    static let all = [
        printers, jobs, documents, documentPasswords, jobPasswords, events, accounting, tokens, users,
        quotas, quotaCredits,
    ]

    /// The id gives the order in which the printers were added.
    static let printers = StoredTable("printers", [("id", .integer)] + columns(printerColumns))

    static let jobs = StoredTable("jobs", columns(jobColumns))

    static let documents = StoredTable(
        "documents", key: 2,
        [
            ("job_id", .integer), ("number", .integer), ("name", .text), ("format", .text), ("bytes", .integer),
            ("reference", .reference), ("content", .bytes),
        ])

    static let documentPasswords = StoredTable(
        "document_passwords", key: 2, [("job_id", .integer), ("number", .integer), ("password", .text)])

    static let jobPasswords = StoredTable(
        "job_passwords", [("job_id", .integer), ("hash", .text), ("encryption", .text), ("failures", .integer)])

    static let events = StoredTable("events", columns(eventColumns))

    static let tokens = StoredTable(
        "tokens",
        [
            ("id", .integer), ("name", .text), ("owner", .text), ("scope", .text), ("digest", .text),
            ("created_at", .real), ("expires_at", .real), ("last_used_at", .real), ("printers", .text),
            ("acts_for_others", .boolean),
        ])

    static let users = StoredTable(
        "users",
        [
            ("id", .integer), ("name", .text), ("scope", .text), ("password_hash", .text), ("created_at", .real),
            ("password_changed_at", .real),
        ])

    static let quotas = StoredTable(
        "quotas", key: 3,
        [
            ("subject", .text), ("name", .text), ("period", .text), ("pages", .integer), ("sheets", .integer),
            ("copies", .integer), ("color", .text),
        ])

    static let quotaCredits = StoredTable(
        "quota_credits",
        [
            ("id", .integer), ("owner", .text), ("kind", .text), ("pages", .integer), ("sheets", .integer),
            ("job_id", .integer), ("created_at", .real),
        ])

    static let accounting = StoredTable("accounting", columns(accountingColumns))

    private static func columns<Written, Found>(
        _ columns: [StoredColumn<Written, Found>]
    ) -> [(name: String, kind: StoredKind)] {
        columns.map { ($0.name, $0.kind) }
    }
}

extension StoredTable {
    func columnList(_ dialect: SQLDialect) -> String {
        columns.indices.map { column($0, dialect) }.joined(separator: ", ")
    }

    /// Returns the name of a column in a database.
    func column(_ index: Int, _ dialect: SQLDialect) -> String {
        kinds[index] == .reference ? dialect.documentReference : columns[index]
    }

    /// Returns the query for the next rows in the order of the primary key.
    ///
    /// - Parameter isFirst: Whether the query begins with the first row; otherwise its parameters are the primary key
    ///   of the last row that was read.
    func query(_ dialect: SQLDialect, isFirst: Bool, limit: Int) -> String {
        let keys = key.joined(separator: ", ")
        let last = (1...keyCount).map { "$\($0)" }.joined(separator: ", ")
        let condition = isFirst ? "" : " WHERE (\(keys)) > (\(last))"
        return "SELECT \(columnList(dialect)) FROM \(name)\(condition) ORDER BY \(keys) LIMIT \(limit)"
    }
}
