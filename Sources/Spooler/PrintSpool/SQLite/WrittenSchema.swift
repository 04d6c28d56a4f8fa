// Finds out whether a newer version of printq has written a database, without changing a file.

import GRDBSQLite
import Glibc

/// The schema of a database file.
///
/// The schema is read without a normal connection, because a normal connection could change a file: SQLite creates or
/// changes the file `-shm`, recovers the file `-wal`, and runs a checkpoint when the connection is closed.
///
/// Each migration stores the number of its schema in the header of the database file (`PRAGMA user_version`).
struct WrittenSchema {
    /// The schema number in the header of the file, or in a newer copy of the header in the write-ahead log.
    ///
    /// The number is 0 if a program without schema numbers has written the database.
    let number: Int

    /// Reads the schema number of a database file; nil if the file is missing or not a database.
    init?(of path: String) {
        guard let header = Self.withFile(path, { Self.read($0, 100, at: 0) }),
            header.starts(with: Array("SQLite format 3\0".utf8))
        else {
            return nil
        }
        number = max(Self.number(in: header), Self.numberInLog(path + "-wal") ?? 0)
    }

    /// Checks that no newer version of printq has written the database at `path`.
    ///
    /// Throws `tooNew` otherwise.
    ///
    /// The function changes no file, even if a program has the database open.
    static func refuseNewer(_ path: String) throws(SpoolError) {
        guard let schema = WrittenSchema(of: path) else { return }
        let changes = Changes(of: path)
        guard schema.number > SpoolSchema.number || changes?.hasUnknownMigration == true else { return }
        throw .tooNew(path: path, writer: changes?.program)
    }

    // MARK: - File formats (sqlite.org/fileformat2.html)

    /// Returns the `user_version` in the first page of a database.
    private static func number(in page: [UInt8]) -> Int { bigEndian(page, at: 60) }

    /// Searches a write-ahead log for the newest committed copy of the database's first page, and returns the
    /// `user_version` in that copy.
    ///
    /// Returns nil if the log contains no copy.
    private static func numberInLog(_ path: String) -> Int? {
        withFile(path) { file in
            guard let header = read(file, 32, at: 0) else { return nil }
            let pageSize = bigEndian(header, at: 8)
            guard pageSize >= 512, pageSize <= 65_536 else { return nil }
            var (position, found, committed): (Int, Int?, Int?) = (32, nil, nil)
            // A frame belongs to the log if it has the salt of the log's header.
            while let frame = read(file, 24, at: position), frame[8..<16] == header[16..<24] {
                if bigEndian(frame, at: 0) == 1, let page = read(file, 100, at: position + 24) {
                    found = number(in: page)
                }
                if bigEndian(frame, at: 4) > 0 { committed = found ?? committed }
                position += 24 + pageSize
            }
            return committed
        }
    }

    private static func bigEndian(_ bytes: [UInt8], at index: Int) -> Int {
        bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func withFile<Value>(_ path: String, _ body: (Int32) -> Value?) -> Value? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return body(file)
    }

    /// Returns a range of bytes of a file; nil if the file is too short.
    private static func read(_ file: Int32, _ count: Int, at position: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file, &bytes, count, off_t(position)) == count ? bytes : nil
    }

    // MARK: - Tables

    /// The migrations that a database file records.
    ///
    /// The file is read through a connection that ignores locks and the write-ahead log.
    private struct Changes {
        var hasUnknownMigration = false
        /// The version of the program that made the newest change of the schema; nil if unknown.
        var program: String?

        init?(of path: String) {
            var connection: OpaquePointer?
            defer { sqlite3_close(connection) }
            // With `immutable`, SQLite opens no other file.
            guard
                sqlite3_open_v2(
                    "file:\(Self.escaped(path))?immutable=1", &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
                    == SQLITE_OK,
                let migrations = Self.strings("SELECT identifier FROM grdb_migrations", connection)
            else { return nil }
            hasUnknownMigration = !Set(migrations).isSubset(of: SpoolSchema.migrations.map(\.identifier))
            program =
                Self.strings(
                    "SELECT program FROM schema_changes WHERE schema > \(SpoolSchema.number) ORDER BY number DESC LIMIT 1",
                    connection)?.first
        }

        /// Returns the first column of a query's result; nil after an error.
        private static func strings(_ sql: String, _ connection: OpaquePointer?) -> [String]? {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
            defer { sqlite3_finalize(statement) }
            var rows: [String] = []
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
                case SQLITE_DONE: return rows
                default: return nil
                }
            }
        }

        /// Returns a path with percent-encoding, for a `file:` URI.
        private static func escaped(_ path: String) -> String {
            path.utf8.map { byte in
                let isPlain =
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.".utf8.contains(byte)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + hex(byte)
            }.joined()
        }

        private static func hex(_ byte: UInt8) -> String {
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }
    }
}
