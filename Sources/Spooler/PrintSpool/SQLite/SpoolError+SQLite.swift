// Converts errors of SQLite to errors of the spool.

import GRDB

extension SpoolError {
    /// Converts the error of a database call to an error of the spool at `path`.
    package static func sqlite(_ error: any Error, path: String) -> SpoolError {
        if let error = error as? SpoolError { return error }
        if let error = error as? UnreadableJob { return unreadable(error) }
        if error is DamagedValue || error is RowDecodingError { return corrupt(path, cause: error) }
        guard let error = error as? DatabaseError else {
            return SpoolError(
                code: .unwritable, message: "cannot use the database '\(path)': \(error)", cause: error)
        }
        switch error.resultCode {
        case .SQLITE_FULL: return noSpace(on: path, cause: error)
        // SQLite cannot extend its index of the log.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            return noSpace(on: path, cause: error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return corrupt(path, cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return SpoolError(
                code: .locked, message: "the database '\(path)' is in use by another program; stop that program",
                cause: error)
        case .SQLITE_CONSTRAINT:
            return SpoolError(
                code: .inconsistent,
                message:
                    "the database refused an invalid value (\(error.message ?? "no message")); please report this bug",
                cause: error)
        default:
            return SpoolError(
                code: .unwritable,
                message: "cannot use the database '\(path)' (\(error.message ?? "no message")); "
                    + "check that you own the spool's folder",
                cause: error)
        }
    }

    private static func corrupt(_ path: String, cause: any Error) -> SpoolError {
        SpoolError(
            code: .corrupt,
            message: "the database '\(path)' is damaged; stop printd, rename the file and start printd again",
            cause: cause)
    }
}
