// Reads the spool in a folder for a transfer.

import FoundationEssentials
import GRDB
import Glibc

/// The spool in a folder, with an SQLite database, as the source of a transfer.
///
/// The database is opened only for reading. The caller holds the lock of the folder.
struct SQLiteTransferSource: TransferSource {
    private let database: DatabaseQueue
    private let folder: String

    /// Opens the database of the spool in a folder.
    ///
    /// - Throws: `tooNew`; `tooOld`; `notPossible` if the folder contains no spool, or the tables are those of an earlier
    ///   version.
    init(folder: String) throws {
        let path = Spool.databasePath(in: folder)
        guard access(path, F_OK) == 0 else {
            throw SpoolError.notPossible(
                "there is no SQLite database in the spool '\(folder)'; select another spool with --spool")
        }
        try WrittenSchema.check(path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteStore.busyTimeout)
        database = try DatabaseQueue(path: path, configuration: configuration)
        self.folder = folder
        let migration = try database.read { try SchemaMigration(of: $0) }
        try migration.check(path)
        guard !migration.isNeeded else { throw SpoolError.olderSchema(nil) }
    }

    func numbers() throws -> SpoolNumbers {
        try database.read { db in
            let boot = try String.fetchOne(db, sql: "SELECT boot FROM event_log")
            // As at the next start of printd, because a power failure may have removed the last events.
            let skipped = boot != nil && boot != EventNumbers.boot ? EventNumbers.jump : 0
            return SpoolNumbers(
                identity: try String.fetchOne(db, sql: "SELECT name FROM identity") ?? "",
                lastPrinter: try Self.last("printers", "id", db), lastJob: try Self.last("jobs", "id", db),
                lastEvent: try Self.last("events", "sequence", db) + skipped,
                purgedEvent: try Int.fetchOne(db, sql: "SELECT purged_through FROM event_log") ?? 0)
        }
    }

    /// Returns the highest used id of a table.
    private static func last(_ table: String, _ key: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT MAX(COALESCE((SELECT MAX(seq) FROM sqlite_sequence WHERE name = '\(table)'), 0),
                    COALESCE((SELECT MAX(\(key)) FROM \(table)), 0))
                """) ?? 0
    }

    func count(_ table: StoredTable) throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table.name)") ?? 0 }
    }

    func rows(of table: StoredTable, after key: StoredRow?, limit: Int) throws -> [StoredRow] {
        let query = table.query(.sqlite, isFirst: key == nil, limit: limit)
        let arguments = StatementArguments((key ?? []).map(\.databaseValue))
        return try database.read { db in
            let rows = try Row.fetchCursor(try db.cachedStatement(sql: query), arguments: arguments)
            var found: [StoredRow] = []
            while let row = try rows.next() { found.append(row.databaseValues.map(StoredValue.init)) }
            return found
        }
    }

    // MARK: - Large documents

    func content(_ reference: StoredValue, ofJob id: Int) throws -> LargeContent? {
        guard let name = reference.text, !name.contains("/") else { return nil }
        let path = "\(folder)/jobs/\(id)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
        return LargeContent(
            number: Int(status.st_ino), bytes: Int(status.st_size), isShared: status.st_nlink > 1, path: path)
    }

    func read(_ content: LargeContent, receive: ([UInt8]) throws -> Void) throws {
        guard let path = content.path else { return }
        let file = try PartReader(path)
        while let part = try file.next(PostgresLargeDocuments.partSize) { try receive(part) }
    }

    func close() { try? database.close() }
}

extension StoredValue {
    /// Creates the stored value from the value of an SQLite column.
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let value): .integer(Int(value))
            case .double(let value): .real(value)
            case .string(let value): .text(value)
            case .blob(let value): .bytes(Array(value))
            }
    }

    /// The stored value as the value of an SQLite column.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }
}
