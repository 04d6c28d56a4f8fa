// Reads the spool's database with the sqlite3 shell, and the bytes of its write-ahead log.

import Foundation
import PrintTestSupport

/// The spool's database, read without the spool.
struct Database {
    let path: String

    init(_ files: TestSpool) { path = files.folder + "/spool.sqlite" }

    /// Returns the rows of a query.
    ///
    /// Each value is text, and `NULL` for null.
    func rows(_ sql: String) throws -> [[String]] {
        try shell(sql).split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Runs SQL in the sqlite3 shell, and returns its output including errors.
    func shell(_ sql: String) throws -> String {
        let arguments = ["-batch", "-cmd", ".timeout 5000", "-nullvalue", "NULL", path, sql]
        return try ChildProgram("sqlite3", arguments).finish().output
    }

    /// Starts a reader, which keeps all transactions in the write-ahead log until the reader is terminated.
    ///
    /// Without a reader, SQLite may write the log from its beginning again, and `commits()` does not count all
    /// transactions.
    func startReader() throws -> ChildProgram {
        let reader = try ChildProgram("sqlite3", ["-batch", path])
        try reader.write("BEGIN; SELECT 'reading', count(*) FROM jobs;\n")
        while let line = reader.readLine(), !line.hasPrefix("reading") {}
        return reader
    }

    /// Returns the number of transactions in the write-ahead log: the frames with a non-zero database size after commit
    /// (sqlite.org/fileformat2.html, section 4).
    func commits() throws -> Int {
        let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
        guard log.count > 32 else { return 0 }
        let pageSize = Int(log[8]) << 24 | Int(log[9]) << 16 | Int(log[10]) << 8 | Int(log[11])
        let salt = log[16..<24]
        return stride(from: 32, to: log.count - 23, by: pageSize + 24).count { frame in
            log[(frame + 8)..<(frame + 16)].elementsEqual(salt) && log[(frame + 4)..<(frame + 8)].contains { $0 != 0 }
        }
    }
}
