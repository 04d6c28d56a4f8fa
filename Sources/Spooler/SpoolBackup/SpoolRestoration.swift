// Restores a spool from a backup.

import CRename
import FoundationEssentials
import Glibc
import PrintSpool
import SafeFiles

/// A type that restores a spool from a backup.
///
/// The restoration extracts the backup into a new folder and checks the files. Afterwards, the new folder replaces the
/// spool. Therefore a failed restoration does not change the spool.
public struct SpoolRestoration: Sendable {
    /// The result of a restoration.
    public struct Result: Hashable, Sendable {
        /// The manifest of the backup.
        public var manifest: BackupManifest
        /// The number of suspended jobs.
        ///
        /// These jobs may have been printed since the backup.
        public var suspendedJobs: Int
        /// The folder with the replaced spool; nil if no spool was replaced.
        public var replaced: String?
    }

    private let folder: String
    private let replaces: Bool

    /// Creates the restoration of the spool in `folder`.
    ///
    /// - Parameter replaces: Whether the restoration moves an existing spool to another folder.
    public init(of folder: String, replaces: Bool) { (self.folder, self.replaces) = (folder, replaces) }

    /// Restores the spool from an open archive.
    ///
    /// If root restores the spool, the owner of the existing folder becomes the owner of the restored spool.
    ///
    /// - Throws: `BackupError`. In that case the folder is unchanged.
    public func restore(from archive: Int32) async throws(BackupError) -> Result {
        let existing = Existing(folder)
        if existing != nil { try checkUnused() }
        guard replaces || existing?.isEmpty ?? true else {
            throw BackupError(
                .notEmpty,
                "the spool '\(folder)' is not empty; use --force to rename the existing spool, or select "
                    + "another folder with --spool")
        }
        let isInside = existing?.isEmpty == true
        let staging = isInside ? "\(folder)/restoring-\(getpid())" : "\(folder).restoring-\(getpid())"
        if !isInside { try makeParents() }
        guard mkdir(staging, 0o700) == 0 else { throw Self.failure(staging) }
        do throws(BackupError) {
            var reader = ArchiveReader(archive, into: staging)
            let manifest = try reader.extract()
            let suspended = try await check(staging, manifest, after: Spool.lastJob(ofSpoolIn: folder) ?? 0)
            if let existing { try Self.give(staging, to: existing) }
            if isInside {
                try Self.moveUp(from: staging, to: folder)
                return Result(manifest: manifest, suspendedJobs: suspended, replaced: nil)
            }
            let replaced = try exchange(with: staging, existing: existing != nil)
            return Result(manifest: manifest, suspendedJobs: suspended, replaced: replaced)
        } catch {
            try? FileManager.default.removeItem(atPath: staging)
            throw error
        }
    }

    // MARK: - Checking

    /// Opens the extracted spool as `printd` does, and suspends the jobs that may have been printed since the backup.
    private func check(_ staging: String, _ manifest: BackupManifest, after lastJob: Int) async throws(BackupError)
        -> Int
    {
        do throws(SpoolError) {
            try Spool.checkVersion(ofSpoolIn: staging)
            try Spool.checkForeignDatabase(inSpool: staging)
            let spool = try Spool(folder: staging)
            let count = try await spool.prepareRestored(
                message: "the spool was restored from the backup of \(Self.date(manifest.time))", lastJob: lastJob)
            try spool.close()
            return count
        } catch {
            guard error.code != .tooOld else {
                throw BackupError(
                    .invalid,
                    "a build before printq 1.0.0 made the backup; restore the backup with that build. "
                        + "Nothing was changed")
            }
            let code: BackupError.Code =
                switch error.code {
                case .tooNew: .tooNew
                case .noSpace: .noSpace
                default: .invalid
                }
            throw BackupError(code, "cannot restore the backup: \(error.message)")
        }
    }

    /// Returns a time as `2030-01-31 12:00 UTC`.
    static func date(_ time: Int) -> String {
        var (time, parts) = (time_t(time), tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%d %H:%M UTC", &parts)
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    // MARK: - The existing spool

    /// The folder that the restored spool replaces.
    private struct Existing {
        var owner: UInt32
        var group: UInt32
        /// Whether the folder is empty, apart from `lost+found`.
        var isEmpty: Bool

        init?(_ folder: String) {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
            (owner, group) = (status.st_uid, status.st_gid)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? ["?"]
            isEmpty = names.allSatisfy { $0 == "lost+found" }
        }
    }

    /// Checks that no `printd` process has opened the spool.
    private func checkUnused() throws(BackupError) {
        let lock = open("\(folder)/lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard lock >= 0 else { return }
        defer { close(lock) }
        guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        throw BackupError(.inUse, SpoolError.printdRuns(with: folder).message)
    }

    // MARK: - Replacing

    private func makeParents() throws(BackupError) {
        let parent = folder.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        do {
            try FileManager.default.createDirectory(
                atPath: parent.isEmpty ? "/" : parent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError(.file, "cannot create the folder '\(parent)'; use another folder with --spool")
        }
    }

    /// Changes the owner of all extracted files to the owner of the existing folder.
    ///
    /// - Throws: `BackupError` if this process does not have the permission.
    private static func give(_ staging: String, to existing: Existing) throws(BackupError) {
        guard existing.owner != geteuid() || existing.group != getegid() else { return }
        let paths = FileManager.default.enumerator(atPath: staging)?.map { "\(staging)/\($0)" } ?? []
        // The other user can enter the folder only when all other files belong to that user.
        for path in paths + [staging] {
            guard lchown(path, existing.owner, existing.group) == 0 else { throw failure(path) }
        }
    }

    /// Moves the files of an extracted spool into the empty folder.
    ///
    /// The database is moved last. If a file cannot be moved, the function moves all files back.
    static func moveUp(from staging: String, to folder: String) throws(BackupError) {
        var names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: staging) } catch { throw failure(staging) }
        names.removeAll { $0 == "spool.sqlite" }
        var moved: [String] = []
        for name in names + ["spool.sqlite"] {
            guard rename("\(staging)/\(name)", "\(folder)/\(name)") == 0 else {
                let error = failure("\(folder)/\(name)")
                for name in moved { _ = rename("\(folder)/\(name)", "\(staging)/\(name)") }
                throw error
            }
            moved.append(name)
        }
        rmdir(staging)
        FileBytes.sync(folder: folder)
    }

    /// Replaces the existing spool with the extracted spool.
    ///
    /// - Returns: The folder with the replaced spool; nil if no spool was replaced.
    private func exchange(with staging: String, existing: Bool) throws(BackupError) -> String? {
        guard existing else {
            guard rename(staging, folder) == 0 else { throw Self.failure(folder) }
            FileBytes.sync(folder: Self.parent(of: folder))
            return nil
        }
        // A printd may have been started meanwhile.
        try checkUnused()
        let code = crename_exchanging(staging, folder)
        guard code == 0 else {
            throw BackupError(
                .file,
                "cannot rename the spool '\(folder)': \(String(cString: strerror(code))); move the contents of the "
                    + "spool to another folder, and restore without --force")
        }
        var number = 1
        var aside = "\(folder).before-restore"
        while crename_without_replacing(AT_FDCWD, staging, aside) == EEXIST, number < 1000 {
            number += 1
            aside = "\(folder).before-restore-\(number)"
        }
        FileBytes.sync(folder: Self.parent(of: folder))
        return access(aside, F_OK) == 0 ? aside : staging
    }

    private static func parent(of folder: String) -> String {
        let parts = folder.split(separator: "/").dropLast()
        return parts.isEmpty ? "/" : parts.map { "/\($0)" }.joined()
    }

    private static func failure(_ path: String) -> BackupError {
        let number = errno
        return .file(path, number, String(cString: strerror(number)))
    }
}
