// Describes the migration of a spool in a file, for clients that wait.

import FoundationEssentials
import Glibc

/// The file `migration.json` in a spool.
///
/// The file exists while `printd` migrates the database. Clients read the file while they wait for `printd` to listen.
/// A killed `printd` does not remove the file. Clients ignore the file if no process holds the spool's lock.
public struct MigrationFile: Sendable {
    private let path: String

    /// Creates the description of the file in the folder of a spool.
    public init(spool: String) { path = "\(spool)/migration.json" }

    /// Whether the file exists.
    public var exists: Bool { access(path, F_OK) == 0 }

    private struct Content: Encodable {
        var from: Int
        var to: Int
        var jobs: Int
        var step: Int
        var process: Int32
    }

    /// Writes a step of the migration to the file, or removes the file after the last step.
    ///
    /// If the file cannot be written, clients do not see the step.
    public func note(_ progress: MigrationProgress) {
        guard let step = progress.step else {
            unlink(path)
            return
        }
        let content = Content(
            from: progress.from, to: progress.to, jobs: progress.jobs, step: step, process: getpid())
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(content) else { return }
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
