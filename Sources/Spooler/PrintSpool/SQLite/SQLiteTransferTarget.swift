// Writes a spool to a folder in a transfer.

import FoundationEssentials
import GRDB
import Glibc
import PrintModel

/// A spool in a folder, with an SQLite database, as the target of a transfer.
///
/// The database and the documents are first written to the folder `migrating` in the spool. `commit()` moves the
/// database and the documents to their final paths. If the process is killed, the folder `migrating` remains, and the
/// next transfer removes the folder. The caller holds the lock of the spool.
final class SQLiteTransferTarget: TransferTarget {
    private let folder: String
    private let staging: String
    private let files = Files(system: POSIXFileSystem())
    private let database: DatabaseQueue
    /// The size of the written files, in bytes.
    private var fileBytes = 0

    /// Creates an empty database beside the existing database.
    ///
    /// - Parameter replaces: Whether `commit()` can move an existing queue to another folder.
    /// - Throws: `notPossible` if the spool has a queue, and `replaces` is false; `tooNew`; `tooOld`.
    init(folder: String, replaces: Bool) throws {
        (self.folder, staging) = (folder, "\(folder)/migrating")
        try WrittenSchema.check(Spool.databasePath(in: folder))
        if !replaces { try EarlierQueue(folder: folder).checkEmpty() }
        files.remove(staging)
        for path in [staging, "\(staging)/jobs"] { try files.makeFolder(path) }
        let path = Spool.databasePath(in: staging)
        try SQLiteStore.open(path).close()
        database = try DatabaseQueue(path: path)
        // The database is synced once, at the end. The journal allows the database to refuse single rows.
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        }
    }

    // MARK: - Rows

    func insert(_ rows: [StoredRow], into table: StoredTable) throws -> [StoredRow] {
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        let columns = table.columnList(.sqlite)
        let sql = "INSERT INTO \(table.name) (\(columns)) VALUES (\(marks))"
        return try database.write { db in
            let statement = try db.cachedStatement(sql: sql)
            return try rows.filter { row in
                guard table.fits(row) else { return true }
                do {
                    try statement.execute(arguments: StatementArguments(row.map(\.databaseValue)))
                    return false
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return true
                }
            }
        }
    }

    // MARK: - Large documents

    func add(
        bytes: Int, for place: DocumentPlace, read: (_ receive: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> StoredValue {
        let path = try self.path(for: place)
        let descriptor = try files.create(path)
        defer { files.close(descriptor) }
        try read { try files.write($0, to: descriptor, path: path) }
        try files.sync(descriptor, path: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SpoolError.file(path, SystemCallError(call: "fstat", number: errno))
        }
        fileBytes += Int(status.st_size)
        try files.syncFolder(jobFolder(place))
        return .text(Self.name(of: place))
    }

    func share(_ reference: StoredValue, of other: DocumentPlace, for place: DocumentPlace) throws -> StoredValue {
        try files.link("\(jobFolder(other))/\(Self.name(of: other))", to: path(for: place))
        try files.syncFolder(jobFolder(place))
        return .text(Self.name(of: place))
    }

    /// Returns the path of a new document, and creates the folder of its job.
    private func path(for place: DocumentPlace) throws -> String {
        try files.makeFolder(jobFolder(place))
        return "\(jobFolder(place))/\(Self.name(of: place))"
    }

    private func jobFolder(_ place: DocumentPlace) -> String { "\(staging)/jobs/\(place.jobID)" }

    private static func name(of place: DocumentPlace) -> String {
        "document-\(place.number).\(DocumentFormat(rawValue: place.format).fileExtension)"
    }

    // MARK: - The end

    func store(_ numbers: SpoolNumbers) throws {
        try database.write { db in
            let last = [("printers", numbers.lastPrinter), ("jobs", numbers.lastJob), ("events", numbers.lastEvent)]
            for (table, number) in last {
                try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
                try db.execute(
                    sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
            }
            // No boot is stored, so that the numbers do not skip a range at the next start.
            try db.execute(
                sql: "UPDATE event_log SET purged_through = ?, boot = NULL", arguments: [numbers.purgedEvent])
            try db.execute(sql: "UPDATE identity SET name = ?", arguments: [numbers.identity])
        }
    }

    func count(_ table: StoredTable) throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table.name)") ?? 0 }
    }

    func documentBytes() throws -> Int {
        fileBytes + (try database.read { try Int.fetchOne($0, sql: "SELECT SUM(LENGTH(content)) FROM documents") } ?? 0)
    }

    func commit() throws -> String? {
        try database.close()
        let path = Spool.databasePath(in: staging)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SpoolError.file(path, SystemCallError(call: "open", number: errno)) }
        defer { files.close(descriptor) }
        try files.sync(descriptor, path: path)
        for path in ["\(staging)/jobs", staging] { try files.syncFolder(path) }
        let earlier = try EarlierQueue(folder: folder).setAside(files)
        CopyRecord(databasePath: Spool.databasePath(in: folder)).remove(files)
        // The database comes last: without a database, the folder contains no queue.
        for name in ["jobs", "spool.sqlite"] {
            try files.rename("\(staging)/\(name)", to: "\(folder)/\(name)")
            try files.syncFolder(folder)
        }
        return earlier
    }

    func close() {
        try? database.close()
        files.remove(staging)
    }
}

/// The queue that a folder contains before a transfer.
struct EarlierQueue {
    let folder: String

    private var path: String { Spool.databasePath(in: folder) }

    /// Checks that the folder has no queue, or that the queue is empty.
    ///
    /// - Throws: `notPossible`.
    func checkEmpty() throws {
        guard access(path, F_OK) == 0 else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        let found = try database.read { db in
            try StoredTable.all.first { table in
                try db.tableExists(table.name) && Row.fetchOne(db, sql: "SELECT 1 FROM \(table.name) LIMIT 1") != nil
            }
        }
        guard let found else { return }
        throw SpoolError.notPossible(
            "the SQLite database in the spool '\(folder)' is not empty: the table '\(found.name)' has rows; use --force "
                + "to move this database and its documents to another folder")
    }

    /// Moves the database and its documents to another folder.
    ///
    /// - Returns: The other folder; nil if there was no queue.
    func setAside(_ files: Files) throws -> String? {
        let names = files.names(in: folder)
        let queue = ["spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm"].filter(names.contains)
        guard !queue.isEmpty || !files.names(in: "\(folder)/jobs").isEmpty else { return nil }
        if queue.contains("spool.sqlite") { try completeDatabase() }
        let aside = unusedFolder(names)
        try files.makeFolder(aside)
        // The file `-wal` no longer exists, so that it cannot become a part of another database.
        for name in files.names(in: folder).filter((queue + ["jobs"]).contains).sorted() {
            try files.rename("\(folder)/\(name)", to: "\(aside)/\(name)")
        }
        try files.syncFolder(aside)
        try files.syncFolder(folder)
        return aside
    }

    /// Copies the write-ahead log into the database, and removes the log.
    private func completeDatabase() throws {
        let database = try DatabaseQueue(path: path)
        _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try database.close()
    }

    private func unusedFolder(_ names: [String]) -> String {
        let numbers = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? "before-migration" : "before-migration-\($0)" }
        return "\(folder)/\(numbers.first { !names.contains($0) } ?? "before-migration")"
    }
}
