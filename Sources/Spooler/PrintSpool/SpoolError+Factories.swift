// The spool's errors, named by the failed operation.

import Glibc
import GRDB
import PrintModel

extension SpoolError {
    static func noSuchJob(_ id: Int) -> SpoolError {
        SpoolError(code: .noSuchJob, message: "there is no job \(id); 'printq queue --all' lists the jobs")
    }

    static func noSuchPrinter(_ name: String) -> SpoolError {
        SpoolError(code: .noSuchPrinter, message: "there is no printer '\(name)'; 'printq printers' lists them")
    }

    static func overBudget(_ message: String) -> SpoolError { SpoolError(code: .overBudget, message: message) }

    static func tooNew(path: String) -> SpoolError {
        SpoolError(
            code: .tooNew,
            message: "a newer version of printq has written the spool '\(path)'; install that "
                + "version, or choose another spool with --spool")
    }

    static func printerExists(_ name: String) -> SpoolError {
        SpoolError(code: .printerExists, message: "there is a printer '\(name)' already; choose another name")
    }

    static func invalidName(_ name: String) -> SpoolError {
        SpoolError(
            code: .invalidName,
            message: "'\(name)' is not a valid printer name: use up to 127 letters, digits, '-', '_' and '.', "
                + "and begin with a letter or digit")
    }

    static func notAccepting(_ printer: String) -> SpoolError {
        SpoolError(
            code: .notAccepting,
            message: "printer '\(printer)' does not accept jobs now; try again later, or choose another printer"
        )
    }

    static func notPossible(_ message: String, cause: (any Error)? = nil) -> SpoolError {
        SpoolError(code: .notPossible, message: message, cause: cause)
    }

    /// Returns the error for a job that has not ended and cannot be printed again.
    static func notEnded(_ job: Job) -> SpoolError {
        notPossible(
            "job \(job.id) is \(job.state) and cannot be reprinted: "
                + (job.reasons.contains(.jobSuspended)
                    ? "it may have been printed; \(job.waysOn)" : "it is still to be printed"))
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
            message: "document \(number) of job \(job) was not kept when the job ended; submit it again")
    }

    static func locked(_ folder: String) -> SpoolError {
        SpoolError(
            code: .locked,
            message: "the spool '\(folder)' is open in another process; stop that process, or use another folder")
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
            message: "'\(path)' cannot be used (\(cause)); check that the spool's folder exists and belongs to you",
            cause: cause)
    }

    static func noSpace(on path: String, cause: any Error) -> SpoolError {
        SpoolError(
            code: .noSpace, message: "no space is left for '\(path)'; free some space and try again", cause: cause)
    }

    /// Returns the error for an error of the database of the spool at `path`.
    static func database(_ error: any Error, path: String) -> SpoolError {
        if let error = error as? SpoolError { return error }
        if let error = error as? UnreadableJob { return unreadable(error) }
        guard let error = error as? DatabaseError else {
            return SpoolError(
                code: .unwritable, message: "the database '\(path)' cannot be used: \(error)", cause: error)
        }
        switch error.resultCode {
        case .SQLITE_FULL: return noSpace(on: path, cause: error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return SpoolError(
                code: .corrupt,
                message: "the database '\(path)' is damaged; stop printd, move the file away and start printd again",
                cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return SpoolError(
                code: .locked,
                message: "the database '\(path)' is in use by another program; stop that program and try again",
                cause: error)
        case .SQLITE_CONSTRAINT:
            return SpoolError(
                code: .inconsistent,
                message:
                    "the database rejected an invalid value (\(error.message ?? "unknown error")); please report this",
                cause: error)
        default:
            return SpoolError(
                code: .unwritable,
                message: "the database '\(path)' cannot be used (\(error.message ?? "unknown error")); "
                    + "check that the spool's folder exists and belongs to you",
                cause: error)
        }
    }
}
