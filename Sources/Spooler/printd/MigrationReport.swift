// Reports the migration of the spool while printd starts.

import FoundationEssentials
import Glibc
import PrintSpool

/// The file `migration.json` in the spool.
///
/// The file exists while `printd` migrates the database. Clients read the file while they wait for `printd` to listen.
/// A killed `printd` does not remove the file. Clients ignore the file if no process holds the spool's lock.
struct MigrationReport {
    private let path: String
    private let noteStatus: @Sendable (String) -> Void

    /// Creates the report for the spool in a folder.
    ///
    /// - Parameter noteStatus: A function that is called with a status message for each step.
    init(spool: String, noteStatus: @escaping @Sendable (String) -> Void) {
        (path, self.noteStatus) = ("\(spool)/migration.json", noteStatus)
    }

    /// The content of the file `migration.json`.
    private struct Content: Encodable {
        var from: Int
        var to: Int
        var jobs: Int
        var step: Int
        var process: Int32
    }

    /// Reports a step of the migration on standard error, in the file, and to the service manager.
    func note(_ progress: MigrationProgress) {
        let schemas = "from schema \(progress.from) to \(progress.to) (\(progress.jobs) jobs)"
        guard let step = progress.step else {
            let seconds = Int((progress.seconds * 10).rounded())
            Notice.write("printd: migrated the spool \(schemas) in \(seconds / 10).\(seconds % 10) s")
            unlink(path)
            return
        }
        if access(path, F_OK) != 0 {
            Notice.write("printd: migrating the spool \(schemas); do not remove any files of the spool")
        }
        noteStatus("Migrating the spool \(schemas), at schema \(step)")
        let content = Content(
            from: progress.from, to: progress.to, jobs: progress.jobs, step: step, process: getpid())
        guard let data = try? JSONEncoder().encode(content) else { return }
        let new = "\(path).new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(data) + [UInt8(ascii: "\n")]
        let isWritten = write(file, bytes, bytes.count) == bytes.count
        close(file)
        if !isWritten || rename(new, path) != 0 { unlink(new) }
    }
}
