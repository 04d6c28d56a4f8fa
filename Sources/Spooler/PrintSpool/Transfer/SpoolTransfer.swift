// Copies a queue with its history to another store.

import FoundationEssentials
import Glibc
import PostgresClient
import PrintModel

/// A copy of the queue between the SQLite database in the folder of a spool and an empty PostgreSQL database.
///
/// The copy contains all jobs with their documents, the events, the printers, the accounting entries and the identity of
/// the spool. Ids and event numbers do not change, and are not used again. The source does not change. The target contains
/// nothing until the copy is complete.
///
/// `printd` must not run: the transfer holds the lock of the folder, and excludes all hosts from the database.
package struct SpoolTransfer: Sendable {
    package enum Direction: Sendable {
        /// A copy from the folder to the database.
        case toDatabase
        /// A copy from the database to the folder.
        case toFolder
    }

    package struct Result: Hashable, Sendable {
        /// The number of copied rows of each table, in the order of the copy.
        package var rows: [(table: String, count: Int)] { zip(StoredTable.all.map(\.name), counts).map { ($0, $1) } }
        /// The number of damaged events, accounting entries and documents that were left out.
        package var rowsLeftOut = 0
        /// The ids of up to 100 jobs whose damaged rows were repaired.
        ///
        /// Repaired jobs that had not ended are aborted.
        package var repairedJobs: [Int] = []
        /// The ids of up to 100 jobs with a document that is missing in the source.
        package var jobsWithMissingDocuments: [Int] = []
        /// The number of jobs that have not ended.
        package var unfinishedJobs = 0
        /// The number of jobs in progress.
        ///
        /// `printd` looks these jobs up at their printers when `printd` starts.
        package var jobsInProgress = 0
        /// The size of all documents, in bytes; a content that several documents share counts once.
        package var documentBytes = 0
        /// The folder to which an earlier SQLite database was moved; nil if there was no earlier database.
        package var earlierQueue: String?
        /// The number of copied rows of each table, in the order of `StoredTable.all`.
        var counts: [Int] = []
    }

    private let folder: String
    private let address: PostgresAddress
    private let direction: Direction
    private let host: String
    private let replaces: Bool

    /// Creates a transfer.
    ///
    /// - Parameters:
    ///   - folder: The folder of the spool.
    ///   - database: The URI of the PostgreSQL database.
    ///   - host: The unique name of this host, to which local printers belong.
    ///   - replaces: Whether an existing SQLite database is moved to another folder; otherwise the transfer refuses to
    ///     replace a database that is not empty.
    /// - Throws: `unwritable` for an invalid URI, and for a URI with a password.
    package init(
        folder: String, database: String, direction: Direction, host: String, replaces: Bool = false
    ) throws(SpoolError) {
        (self.folder, self.direction, self.host, self.replaces) = (folder, direction, host, replaces)
        address = try SpoolMedium.address(database)
    }

    /// The database without passwords, for messages.
    package var databaseName: String { "\(address)" }

    /// Copies the queue.
    ///
    /// - Throws: `locked` if `printd` runs; `notPossible` if the target is not empty or the source has tables of an
    ///   earlier version; `inconsistent` if the copy differs from the source. In each of these cases, the target is
    ///   unchanged.
    package func run() throws(SpoolError) -> Result {
        do {
            let files = POSIXFileSystem()
            if direction == .toFolder { try Files(system: files).makeFolders(folder) }
            guard access(folder, F_OK) == 0 else {
                throw SpoolError.notPossible("there is no spool '\(folder)'; select another spool with --spool")
            }
            let lock = try lockFolder(files)
            defer { lock.release() }
            return try copy()
        } catch {
            throw failure(error)
        }
    }

    private func lockFolder(_ files: POSIXFileSystem) throws(SpoolError) -> FolderLock {
        do throws(SpoolError) { return try FolderLock(folder: folder, system: files) } catch {
            throw error.code == .locked ? .printdRuns(with: folder) : error
        }
    }

    private func copy() throws -> Result {
        let source: any TransferSource
        let target: any TransferTarget
        switch direction {
        case .toDatabase:
            source = try SQLiteTransferSource(folder: folder)
            target = try PostgresTransferTarget(address, host: host)
        case .toFolder:
            source = try PostgresTransferSource(address)
            target = try SQLiteTransferTarget(folder: folder, replaces: replaces)
        }
        defer {
            target.close()
            source.close()
        }
        let result = try TransferCopy(from: source, to: target, now: Date().timeIntervalSince1970).run()
        if direction == .toDatabase { try record() }
        return result
    }

    /// Records that the queue was copied, so that `printd` does not print unfinished jobs from the folder again.
    private func record() throws(SpoolError) {
        do throws(SpoolError) {
            let record = CopyRecord(databasePath: Spool.databasePath(in: folder))
            try record.write(database: databaseName, files: Files(system: POSIXFileSystem()))
        } catch {
            throw SpoolError(
                code: error.code,
                message: "the queue was copied to the database '\(databaseName)', but \(error.message). Do not start "
                    + "printd without 'store', because printd would print unfinished jobs again",
                cause: error)
        }
    }

    private func failure(_ error: any Error) -> SpoolError {
        switch error {
        case let error as SpoolError: error
        case is PostgresError, is UnknownOutcome, is DamagedValue: .postgres(error, address: address)
        default: .sqlite(error, path: Spool.databasePath(in: folder))
        }
    }
}
