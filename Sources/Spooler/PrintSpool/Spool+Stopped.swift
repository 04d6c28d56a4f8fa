// Looks into a spool whose printd does not run.

import GRDB

extension Spool {
    /// Returns the number of unfinished jobs in a closed spool.
    ///
    /// Opens the database only for reading. The function migrates nothing, removes nothing, and does not lock the
    /// spool.
    ///
    /// - Throws: `corrupt`, or another error if the database cannot be read.
    public static func unfinishedJobs(in folder: String) throws(SpoolError) -> Int {
        let path = databasePath(in: folder)
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM jobs WHERE \(SQLDialect.sqlite.isUnfinished())") ?? 0
            }
        } catch {
            throw .sqlite(error, path: path)
        }
    }

    /// Returns whether `printq migrate` has copied the queue in the SQLite database of a folder to PostgreSQL.
    public static func wasCopiedToDatabase(_ folder: String) -> Bool {
        CopyRecord(databasePath: databasePath(in: folder)).exists
    }
}
