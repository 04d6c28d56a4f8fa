// Defines the errors of backups.

/// The error of a backup or of a restoration.
public struct BackupError: Error, Sendable, CustomStringConvertible {
    /// The kinds of errors, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for an archive that is not a complete backup or was changed.
        case invalid
        /// An error for a backup whose format or database schema this version of printq does not support.
        case tooNew
        /// An error for a restoration that would replace a spool that is not empty.
        case notEmpty
        /// An error for a spool that another process has opened.
        case inUse
        /// An error for a full disk.
        case noSpace
        /// An error for a file that cannot be read or written.
        case file
        /// An error for a second backup while another backup is in progress.
        case busy
    }

    /// The kind of the error, for programs.
    public var code: Code
    /// The error message: the failed action, the reason, and the next step.
    public var message: String

    /// Creates an error of a backup or restoration.
    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The error message.
    public var description: String { message }
}

extension BackupError {
    /// Returns the error for an archive that is not a valid backup.
    static func notABackup(_ reason: String) -> BackupError {
        BackupError(
            .invalid, "the file is not a complete backup of printq: \(reason); use another backup. Nothing was changed")
    }

    /// Returns the error for a failed system call.
    static func file(_ path: String, _ number: Int32, _ reason: String) -> BackupError {
        BackupError(
            number == 28 || number == 122 ? .noSpace : .file,  // ENOSPC, EDQUOT
            "cannot use '\(path)': \(reason)")
    }
}
