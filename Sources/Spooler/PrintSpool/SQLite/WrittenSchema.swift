// Finds out which version of printq has written a database, without changing a file.

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
    /// The number is 0 for a database without tables.
    let number: Int
    /// The application ID in the same header (`PRAGMA application_id`).
    private let applicationID: Int

    /// Reads the header of a database file; nil if the file is missing or not a database.
    init?(of path: String) {
        guard let header = Self.withFile(path, { Self.read($0, 100, at: 0) }),
            header.starts(with: Array("SQLite format 3\0".utf8))
        else {
            return nil
        }
        let newer = Self.headerInLog(path + "-wal") ?? header
        number = max(Self.bigEndian(header, at: 60), Self.bigEndian(newer, at: 60))
        applicationID = Self.bigEndian(newer, at: 68)
    }

    /// Checks that this version of printq can use the database at `path`.
    ///
    /// The function changes no file, even if a program has the database open.
    ///
    /// - Throws: `tooNew` if a newer version of printq has written the database; `tooOld` if a build before printq 1.0.0
    ///   has written the database.
    static func check(_ path: String, schema: SpoolSchema = .current) throws(SpoolError) {
        guard let written = WrittenSchema(of: path) else { return }
        if written.applicationID == SpoolSchema.applicationID {
            guard written.number > schema.number else { return }
            throw .tooNew(path: path, writer: program(path, newerThan: schema))
        }
        // The database of a program that was killed during its first start can be empty.
        let isEmpty = written.number == 0 && strings("SELECT name FROM sqlite_master LIMIT 1", path) == []
        guard isEmpty else { throw .tooOld(path: path) }
    }

    // MARK: - File formats (sqlite.org/fileformat2.html)

    /// Returns the header in the newest committed copy of the database's first page in a write-ahead log.
    ///
    /// Returns nil if the log contains no copy.
    private static func headerInLog(_ path: String) -> [UInt8]? {
        withFile(path) { file in
            guard let header = read(file, 32, at: 0) else { return nil }
            let pageSize = bigEndian(header, at: 8)
            guard pageSize >= 512, pageSize <= 65_536 else { return nil }
            var (position, found, committed): (Int, [UInt8]?, [UInt8]?) = (32, nil, nil)
            // A frame belongs to the log if it has the salt of the log's header.
            while let frame = read(file, 24, at: position), frame[8..<16] == header[16..<24] {
                if bigEndian(frame, at: 0) == 1, let page = read(file, 100, at: position + 24) {
                    found = page
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

    /// Returns the version of the program that made the newest change of the schema; nil if unknown.
    private static func program(_ path: String, newerThan schema: SpoolSchema) -> String? {
        let newest = "SELECT program FROM schema_changes WHERE schema > \(schema.number) ORDER BY number DESC LIMIT 1"
        return strings(newest, path)?.first
    }

    /// Returns the first column of a query's result; nil after an error.
    ///
    /// The file is read through a connection that ignores locks and the write-ahead log.
    private static func strings(_ sql: String, _ path: String) -> [String]? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        // With `immutable`, SQLite opens no other file.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        guard sqlite3_open_v2("file:\(escaped(path))?immutable=1", &connection, flags, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK
        else { return nil }
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
