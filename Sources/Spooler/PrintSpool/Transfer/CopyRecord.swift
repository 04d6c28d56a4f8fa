// Records in the folder of a spool that the queue was copied to a PostgreSQL database.

import FoundationEssentials
import Glibc

/// The file `copied-to` in the folder of a spool, which contains the address of the database to which the queue was
/// copied.
///
/// The SQLite database still contains the jobs that had not ended. While the file exists, the SQLite database cannot be
/// opened, because `printd` would print these jobs again.
struct CopyRecord {
    private let folder: String
    private var path: String { "\(folder)/copied-to" }

    /// Creates the record beside the SQLite database of a spool.
    init(databasePath: String) {
        folder = databasePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    var exists: Bool { access(path, F_OK) == 0 }

    /// Writes the file, and returns after the file is on the disk.
    ///
    /// - Parameter database: The address of the database without a password.
    /// - Throws: `unwritable`, `noSpace`.
    func write(database: String, files: Files) throws(SpoolError) {
        files.remove(path)
        let descriptor = try files.create(path)
        defer { files.close(descriptor) }
        try files.write(Array("\(database)\n".utf8), to: descriptor, path: path)
        try files.sync(descriptor, path: path)
        try files.syncFolder(folder)
    }

    /// Removes the file, if it exists.
    func remove(_ files: Files) { files.remove(path) }

    /// Checks that the file does not exist.
    ///
    /// - Throws: `notPossible`.
    func refuseCopiedQueue() throws(SpoolError) {
        guard exists else { return }
        let database = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        throw .notPossible(
            "the queue was copied to the database '\(database.filter { !$0.isNewline })'; set 'store' in printd.json5 to "
                + "print its jobs, or delete '\(path)' to print the unfinished jobs of the old queue again")
    }
}
