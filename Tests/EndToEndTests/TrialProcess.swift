// Runs trials in separate processes.

import PrintTestSupport
import ProcessLaunch
import SpoolerTrials

/// A trial in a separate process.
///
/// When the last reference is released, all processes and files of the trial are removed.
final class TrialProcess: Sendable {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    deinit { TrialSpooler.endAll(of: folder.path) }

    /// Runs the trial with this name until it ends.
    func run(_ arguments: String...) async throws -> ProgramRun { try await run(arguments) }

    /// Runs the trial with this name until it ends.
    func run(_ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.beside("spooler-trial"), arguments + ["--folder", folder.path],
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C", "TZ": "UTC", "HOME": folder.path],
            in: folder.path)
    }
}
