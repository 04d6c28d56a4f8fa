// Copies the database for a backup while the spool is in use, and prepares a restored spool.

import AsyncPrimitives
import GRDB
import Glibc
import PrintModel
import Synchronization

/// A consistent copy of a spool's database, and the documents that the copy refers to.
///
/// The documents remain in the spool until the copy is ended or deallocated, even if the jobs are removed in the
/// meantime.
public final class SpoolCopy: Sendable {
    /// A document that is stored in a file.
    public struct Document: Hashable, Sendable {
        /// The path relative to the spool's folder, such as `jobs/12/document-1.pdf`.
        public var path: String
        /// The size in bytes, according to the database.
        public var bytes: Int
    }

    /// The path of the copied database.
    public let databasePath: String
    private let spool: Spool
    private let name: String
    private let isClosed = Atomic(false)

    fileprivate init(of spool: Spool) throws(SpoolError) {
        self.spool = spool
        name = spool.store.makeName()
        databasePath = "\(spool.store.incoming)/\(name)"
        // A crash leaves a file in `incoming`, which the next start removes.
        spool.store.arriving.insert(name)
        // Documents that are removed from now on stay; the copy does not refer to documents that were removed before.
        spool.store.holds.begin()
        do throws(SpoolError) {
            try checkSpace()
            spool.store.files.close(try spool.store.files.create(databasePath))
            do { try spool.database.copy(to: databasePath) } catch { throw .sqlite(error, path: databasePath) }
        } catch {
            isClosed.store(true, ordering: .relaxed)
            _ = Self.close(spool, name, databasePath)
            throw error
        }
    }

    deinit {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The last owner may be a thread that must not block.
        spool.store.files.system.perform { [spool, name, databasePath] in
            _ = Self.close(spool, name, databasePath)
        }
    }

    /// Removes the copy, and permits the removal of documents again.
    ///
    /// The documents of jobs that were removed in the meantime are removed too.
    public func end() async {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isSweepNeeded = await spool.store.files.perform { [spool, name, databasePath] in
            Self.close(spool, name, databasePath)
        }
        if isSweepNeeded { _ = try? await spool.sweep() }
    }

    /// Removes the copy, and permits the removal of documents again.
    ///
    /// - Returns: `true` if a removal of documents was postponed during the backup. The caller can remove these
    ///   documents. Otherwise the hourly removal of orphaned files deletes the documents.
    private static func close(_ spool: Spool, _ name: String, _ databasePath: String) -> Bool {
        defer { spool.store.files.remove(databasePath) }
        spool.store.arriving.remove(name)
        return spool.store.holds.end()
    }

    /// Returns the documents that are stored as files, in the order of their jobs.
    ///
    /// - Parameter after: The number of the last job in the previous page; 0 for the first page.
    /// - Returns: The documents of up to 1,000 jobs, and the number of the last job; nil if there are no further
    ///   documents.
    public func documents(after job: Int) throws(SpoolError) -> (documents: [Document], last: Int)? {
        BlockingCall.check()
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: databasePath, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                let last = try Int.fetchOne(
                    db,
                    sql: """
                        SELECT MAX(job_id) FROM (SELECT DISTINCT job_id FROM documents
                        WHERE job_id > ? AND file IS NOT NULL ORDER BY job_id LIMIT 1000)
                        """, arguments: [job])
                guard let last else { return nil }
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT job_id, file, bytes FROM documents
                        WHERE job_id > ? AND job_id <= ? AND file IS NOT NULL ORDER BY job_id, number
                        """, arguments: [job, last])
                let documents = try rows.map { row in
                    let (job, file): (Int, String) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
                    return Document(path: "jobs/\(job)/\(file)", bytes: try row.decode(atIndex: 2))
                }
                return (documents, last)
            }
        } catch {
            throw .sqlite(error, path: databasePath)
        }
    }

    /// Checks that the disk has space for a copy of the database.
    private func checkSpace() throws(SpoolError) {
        var (disk, status) = (statvfs(), stat())
        let path = Spool.databasePath(in: spool.folder)
        guard statvfs(spool.folder, &disk) == 0, stat(path, &status) == 0 else { return }
        let needed = Int(status.st_size) + 4 << 20
        let free = Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize)
        guard free < needed else { return }
        throw SpoolError(
            code: .noSpace,
            message: "not enough space in '\(spool.folder)' for a copy of the database: the copy needs "
                + "\(needed >> 20) MiB, \(free >> 20) MiB are free; free some space and try again")
    }
}

extension Spool {
    /// Copies the database with SQLite's backup interface, and prevents the removal of the documents that the copy
    /// refers to.
    ///
    /// The function blocks the calling thread during the copy. Submissions and printing continue.
    public func makeCopy() throws(SpoolError) -> SpoolCopy { try SpoolCopy(of: self) }

    /// The schema number of the database.
    public static var schemaNumber: Int { SpoolSchema.current.number }

    // MARK: - Restored spools

    /// Prepares a spool that was restored from a backup, so that nothing is printed twice.
    ///
    /// Jobs may have been printed since the backup. Therefore every job that has not ended is suspended, except for
    /// held jobs whose time has not come. New jobs and events receive numbers above all numbers that may have been used.
    ///
    /// - Parameters:
    ///   - message: The reason that the owners of the suspended jobs see: a clause without a full stop.
    ///   - lastJob: The highest job number that the replaced spool has used; 0 if unknown.
    /// - Returns: The number of changed jobs.
    public func prepareRestored(message: String, lastJob: Int) async throws(SpoolError) -> Int {
        try await write { [self] transaction in
            var count = 0
            for job in try transaction.unfinishedJobs() {
                count += try apply(.restored(message: message), to: job, in: transaction).job == job ? 0 : 1
            }
            try transaction.skipNumbers(throughJob: lastJob, and: Self.skippedJobs)
            return count
        }
    }

    /// The number of job numbers that a restored spool skips.
    ///
    /// Jobs that were submitted after the backup have used some of these numbers.
    private static let skippedJobs = 1000

    /// Returns the highest job number in the database of a closed spool; nil if the database cannot be read.
    package static func lastJob(ofSpoolIn folder: String) -> Int? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: databasePath(in: folder), configuration: configuration)
        return try? queue?.read { try Int.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'") }
    }

    /// Checks that a database has exactly the tables, indexes and triggers that printq creates.
    ///
    /// A database from an untrusted archive could contain triggers that change or hide jobs.
    ///
    /// - Throws: `corrupt` if the database is damaged or has another schema.
    package static func checkForeignDatabase(inSpool folder: String) throws(SpoolError) {
        let path = databasePath(in: folder)
        do {
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { db in
                let own = try SchemaMigration(of: db)
                let expected = try DatabaseQueue().writeWithoutTransaction { reference in
                    for sql in SpoolSchema.current.migrations.prefix(own.from) { try reference.execute(sql: sql) }
                    return try statements(of: reference)
                }
                guard own.from > 0, try statements(of: db) == expected else {
                    throw SpoolError(code: .corrupt, message: "the database of the backup is not a spool of printq")
                }
                guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                    throw SpoolError(code: .corrupt, message: "the database of the backup is damaged")
                }
                try db.checkForeignKeys()
            }
        } catch {
            throw .sqlite(error, path: path)
        }
    }

    /// Returns the SQL statements that created the tables, indexes and triggers of a database.
    ///
    /// The result excludes the tables and indexes that SQLite creates itself.
    private static func statements(of db: Database) throws -> Set<String> {
        let rows = try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master")
        return try Set(
            rows.compactMap { row in
                let type: String = try row.decode(atIndex: 0)
                let (name, table): (String, String) = (try row.decode(atIndex: 1), try row.decode(atIndex: 2))
                let sql: String? = try row.decode(atIndex: 3)
                // SQLite creates these by itself.
                if sql == nil, type == "index" { return nil }
                if type == "table", name == table, name == "sqlite_sequence" { return nil }
                return "\(type) \(name) \(table) \(sql ?? "")"
            })
    }
}
