// Describes the migration of a spool in a file, for clients that wait.

import FoundationEssentials
import Glibc
import SafeFiles

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
        try? AtomicFile.write(data + Data("\n".utf8), to: path, temporaryName: .new)
    }
}
