// Reports the migration of the spool while printd starts.

import PrintSpool

/// The report of a migration on standard error, in the file `migration.json`, and to the service manager.
struct MigrationReport {
    private let file: MigrationFile
    private let noteStatus: @Sendable (String) -> Void

    /// Creates the report for the spool in a folder.
    ///
    /// - Parameter noteStatus: A function that is called with a status message for each step.
    init(spool: String, noteStatus: @escaping @Sendable (String) -> Void) {
        (file, self.noteStatus) = (MigrationFile(spool: spool), noteStatus)
    }

    /// Reports a step of the migration.
    func note(_ progress: MigrationProgress) {
        let schemas = "from schema \(progress.from) to \(progress.to) (\(progress.jobs) jobs)"
        if let step = progress.step {
            if !file.exists {
                Notice.write("printd: migrating the spool \(schemas); do not remove any files of the spool")
            }
            noteStatus("Migrating the spool \(schemas), at schema \(step)")
        } else {
            let seconds = Int((progress.seconds * 10).rounded())
            Notice.write("printd: migrated the spool \(schemas) in \(seconds / 10).\(seconds % 10) s")
        }
        file.note(progress)
    }
}
