// Creates the errors of the spool with their messages.

import Glibc
import PrintModel

extension SpoolError {
    static func noSuchJob(_ id: Int) -> SpoolError {
        SpoolError(code: .noSuchJob, message: "job \(id) does not exist, or was removed from the history")
    }

    static func noSuchPrinter(_ name: String) -> SpoolError {
        SpoolError(code: .noSuchPrinter, message: "there is no printer '\(name)'; see 'printq printers'")
    }

    static func leaseLost(_ lease: PrinterLease) -> SpoolError {
        SpoolError(
            code: .leaseLost, message: "another host has taken the printer '\(lease.printer)' and continues the job")
    }

    /// Returns the error for a process whose host name another process uses.
    package static func sameHostName(_ process: HostProcess) -> SpoolError {
        SpoolError(
            code: .locked,
            message: "another printd with the host name '\(process.host)' uses the database; "
                + "set a unique 'hostName' in printd.json5, or start printd with --host-name NAME")
    }

    static func overBudget(_ message: String) -> SpoolError { SpoolError(code: .overBudget, message: message) }

    /// Returns the error for a database that a newer version of printq has written.
    ///
    /// - Parameter writer: The version that wrote the database; nil if unknown.
    static func tooNew(path: String, writer: String?) -> SpoolError {
        let newer = writer.map { "printq \($0)" } ?? "a newer version of printq"
        return SpoolError(
            code: .tooNew,
            message: "\(newer) has written the spool '\(path)'; install "
                + "\(writer.map { "printq \($0) or later" } ?? "the newer version"), or restore an older backup with "
                + "'printq restore'. Nothing was changed")
    }

    /// Returns the error for a spool that a build before the first release of printq has written.
    ///
    /// - Parameter path: The path of the SQLite database; nil for a PostgreSQL database.
    static func tooOld(path: String?) -> SpoolError {
        let (spool, advice) =
            path.map { ("spool '\($0)'", "move the files 'spool.sqlite*' and the folder 'jobs' to another folder") }
            ?? ("tables in the PostgreSQL database", "set 'store' to an empty database")
        return SpoolError(
            code: .tooOld,
            message: "a build before printq 1.0.0 has written the \(spool), which printq \(Release.version) "
                + "cannot use; \(advice), and start printd again. Nothing was changed")
    }

    /// Returns the error for a database of an earlier version of printq that was not migrated to the current schema.
    ///
    /// - Parameter writer: The version that wrote the database; nil if unknown.
    static func olderSchema(_ writer: String?) -> SpoolError {
        notPossible(
            "\(writer.map { "printq \($0)" } ?? "an earlier version of printq") has written the queue; "
                + "start printd \(Release.version) once to update the tables, stop printd, and try again")
    }

    /// Returns the error for a disk that does not have enough space to migrate the database.
    ///
    /// - Parameters:
    ///   - needed: The needed space in bytes.
    ///   - free: The free space in bytes.
    static func noSpaceForMigration(of path: String, needed: Int, free: Int) -> SpoolError {
        SpoolError(
            code: .noSpace,
            message: "not enough space to migrate '\(path)' to printq \(Release.version): the migration needs "
                + "\(mebibytes(needed)), \(mebibytes(free)) are free; free some space and start printd again. "
                + "Nothing was changed")
    }

    /// Returns a number of bytes as mebibytes, rounded up.
    private static func mebibytes(_ bytes: Int) -> String { "\((bytes + 1 << 20 - 1) >> 20) MiB" }

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

    package static func notPossible(_ message: String, cause: (any Error)? = nil) -> SpoolError {
        SpoolError(code: .notPossible, message: message, cause: cause)
    }

    static func notEnded(_ job: Job) -> SpoolError {
        notPossible(
            "job \(job.id) is \(job.state) and cannot be reprinted: "
                + (job.reasons.contains(.jobSuspended)
                    ? "the job may have been printed; \(job.resumeCommands)" : "the job is not printed yet"))
    }

    /// - Parameter left: The number of wrong passwords that the job still permits.
    static func wrongPassword(ofJob id: Int, left: Int) -> SpoolError {
        SpoolError(
            code: .wrongPassword,
            message: "wrong PIN for job \(id): "
                + (left > 0
                    ? "after \(left) more wrong PIN\(left == 1 ? "" : "s"), only the owner can release the job"
                    : "the job is now locked, and only the owner can release the job"))
    }

    static func lockedForOwner(_ id: Int) -> SpoolError {
        notPossible(
            "job \(id) is locked, because three wrong PINs were entered; its owner can release the job with "
                + "'printq release \(id)'")
    }

    static func noJobWithPassword(at printer: String) -> SpoolError {
        SpoolError(code: .wrongPassword, message: "no job at \(printer) waits for this PIN; check the PIN")
    }

    static func tooManyWrongPasswords(at printer: String, wait: Double) -> SpoolError {
        notPossible(
            "too many wrong PINs were entered at \(printer); try again in \(Int(wait.rounded(.up))) s, or release the "
                + "job with your own account")
    }

    static func documentMissing(_ number: Int, job: Int, path: String, cause: (any Error)? = nil) -> SpoolError {
        SpoolError(
            code: .documentMissing,
            message: "document \(number) of job \(job) is missing at '\(path)'; "
                + "cancel the job with 'printq cancel \(job)' and submit the job again",
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

    /// Returns the error for a command that requires a spool without a running printd.
    package static func printdRuns(with folder: String) -> SpoolError {
        let process = Spool.process(using: folder)
        return SpoolError(
            code: .locked,
            message: "printd is running with the spool '\(folder)'\(process.map { " (process \($0))" } ?? ""); stop "
                + "printd with \(process.map { "'kill \($0)'" } ?? "'kill'"), or "
                + "'systemctl stop printd.socket printd.service', and try again")
    }

    static func unreadable(_ job: UnreadableJob) -> SpoolError {
        SpoolError(
            code: .corrupt, message: "the record of job \(job.id) is damaged: \(job.reason); submit the job again",
            cause: job)
    }

    package static let closed = SpoolError(code: .closed, message: "the spool is closed; open the spool again")

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
}
