// Creates the errors of the spool with their messages.

import Glibc
import GRDB
import PrintModel

extension SpoolError {
    static func noSuchJob(_ id: Int) -> SpoolError {
        SpoolError(code: .noSuchJob, message: "there is no job \(id); see 'printq queue --all'")
    }

    static func noSuchPrinter(_ name: String) -> SpoolError {
        SpoolError(code: .noSuchPrinter, message: "there is no printer '\(name)'; see 'printq printers'")
    }

    static func overBudget(_ message: String) -> SpoolError { SpoolError(code: .overBudget, message: message) }

    static func tooNew(path: String) -> SpoolError {
        SpoolError(
            code: .tooNew,
            message: "a newer version of printq has written the spool '\(path)', so it was not opened; install that "
                + "version, or use another spool with --spool")
    }

    static func printerExists(_ name: String) -> SpoolError {
        SpoolError(code: .printerExists, message: "printer '\(name)' already exists; choose another name")
    }

    static func invalidName(_ name: String) -> SpoolError {
        SpoolError(
            code: .invalidName,
            message: "invalid printer name '\(name)': use up to 127 letters, digits, '-', '_' and '.', "
                + "and begin with a letter or digit")
    }

    static func notAccepting(_ printer: String) -> SpoolError {
        SpoolError(
            code: .notAccepting, message: "printer '\(printer)' is not accepting jobs; try later or use another printer"
        )
    }

    static func notPossible(_ message: String, cause: (any Error)? = nil) -> SpoolError {
        SpoolError(code: .notPossible, message: message, cause: cause)
    }

    /// Returns the error for reprinting a job that has not ended.
    static func notEnded(_ job: Job) -> SpoolError {
        notPossible(
            "job \(job.id) is \(job.state) and cannot be reprinted: "
                + (job.reasons.contains(.jobSuspended)
                    ? "the job may have been printed; \(job.resumeCommands)" : "the job is not printed yet"))
    }

    static func documentMissing(_ number: Int, job: Int, path: String, cause: (any Error)? = nil) -> SpoolError {
        SpoolError(
            code: .documentMissing,
            message: "document \(number) of job \(job) is missing at '\(path)'; "
                + "cancel the job with 'printq cancel \(job)' and submit it again",
            cause: cause)
    }

    static func documentNotKept(_ number: Int, job: Int) -> SpoolError {
        SpoolError(
            code: .documentMissing,
            message: "document \(number) of job \(job) was not kept when the job ended; submit the document again")
    }

    static func locked(_ folder: String) -> SpoolError {
        SpoolError(
            code: .locked,
            message: "the spool '\(folder)' is open in another process; end that process, or use another folder")
    }

    static func unreadable(_ job: UnreadableJob) -> SpoolError {
        SpoolError(
            code: .corrupt, message: "the record of job \(job.id) is damaged: \(job.reason); submit the job again",
            cause: job)
    }

    static let closed = SpoolError(code: .closed, message: "the spool is closed; open it again")

    /// Returns the error for a failed system call on a file of the spool.
    static func file(_ path: String, _ cause: SystemCallError) -> SpoolError {
        guard cause.number != ENOSPC, cause.number != EDQUOT else { return noSpace(on: path, cause: cause) }
        return SpoolError(
            code: .unwritable,
            message: "cannot use '\(path)' (\(cause)); check that you own the spool's folder",
            cause: cause)
    }

    static func noSpace(on path: String, cause: any Error) -> SpoolError {
        SpoolError(
            code: .noSpace, message: "no space left for '\(path)'; free some space and try again", cause: cause)
    }

    /// Converts the error of a database call to an error of the spool at `path`.
    static func database(_ error: any Error, path: String) -> SpoolError {
        if let error = error as? SpoolError { return error }
        if let error = error as? UnreadableJob { return unreadable(error) }
        guard let error = error as? DatabaseError else {
            return SpoolError(
                code: .unwritable, message: "cannot use the database '\(path)': \(error)", cause: error)
        }
        switch error.resultCode {
        case .SQLITE_FULL: return noSpace(on: path, cause: error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return SpoolError(
                code: .corrupt,
                message: "the database '\(path)' is damaged; stop printd, rename the file and start printd again",
                cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return SpoolError(
                code: .locked, message: "the database '\(path)' is in use by another program; end that program",
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
}
