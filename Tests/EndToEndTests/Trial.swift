// Trials that run in processes of their own.

import PrintTestSupport
import ProcessLaunch
import SpoolerTrials

/// A trial in a process of its own; when the last reference goes, so does everything that it started.
final class Trial: Sendable {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    deinit { TrialSpooler.endAll(of: folder.path) }

    /// Runs the trial of a name to its end.
    func run(_ arguments: String...) async throws -> ProgramRun { try await run(arguments) }

    /// Runs the trial of a name to its end.
    func run(_ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.beside("spooler-trial"), arguments + ["--folder", folder.path],
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C", "TZ": "UTC", "HOME": folder.path],
            in: folder.path)
    }
}
