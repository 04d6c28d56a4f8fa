// Reads and writes the files of a folder printer, and syncs each step to the disk.

import AsyncPrimitives
import CRename
import FoundationEssentials
import Glibc
import PrintIPP
import PrintModel
import SafeFiles

/// A printer's folder, with the subfolder `.printq` for incomplete documents (`FolderInside`).
struct FolderFiles: Sendable {
    let folder: String

    /// The time for which the record of a job is kept, in seconds: 30 days.
    ///
    /// Afterwards, the backend no longer finds the job.
    private static let recordKeeping = 30 * 86400

    /// Opens the folder `.printq`.
    ///
    /// - Throws: `unreachable` if `.printq` does not exist, or if another user owns `.printq` or has write permission
    ///   for `.printq`.
    func inside() throws(BackendError) -> FolderInside {
        guard let inside = try FolderInside(of: folder) else {
            throw BackendError(
                .unreachable, "'\(folder)/.printq' no longer exists; the job cannot continue without this folder")
        }
        return inside
    }

    // MARK: - The folder

    /// Checks that the folder exists, and that its permissions allow new files.
    ///
    /// - Throws: `unreachable` with a message that explains how to fix the problem. The job waits until the problem is
    ///   fixed.
    func check() throws(BackendError) {
        BlockingCall.check()
        var seen = stat()
        guard stat(folder, &seen) == 0 else { throw failure(errno) }
        guard seen.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR) }
        guard access(folder, W_OK | X_OK) == 0 else { throw failure(errno) }
    }

    /// Checks that files can be created in the folder, by creating a temporary file.
    ///
    /// The file system of a folder can refuse new files although the folder's permissions allow new files.
    ///
    /// - Throws: `unreachable` with a message that explains how to fix the problem.
    func tryOut() throws(BackendError) {
        try check()
        var file = open(folder, Self.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
        if file < 0, [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) {
            // Some file systems do not support unnamed files.
            let name = "\(folder)/.printq-\(UUID().uuidString.lowercased())"
            file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 { unlink(name) }
        }
        guard file < 0 else {
            close(file)
            return
        }
        guard [EROFS, ENOSPC, EDQUOT].contains(errno) else {
            throw BackendError(
                .unreachable,
                "cannot create files in the folder '\(folder)' (\(SystemFailure(errno))); choose another folder for the "
                    + "printer")
        }
        throw failure(errno)
    }

    /// The value of the macro `O_TMPFILE` (asm-generic/fcntl.h), which Swift does not import.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    /// Opens the folder `.printq`, and creates the folder if it does not exist.
    ///
    /// - Throws: `unreachable` if another user owns an existing `.printq` or has write permission for `.printq`.
    func makeInside() throws(BackendError) -> FolderInside {
        if let inside = try FolderInside(of: folder) { return inside }
        guard mkdir("\(folder)/.printq", 0o700) == 0 || errno == EEXIST else { throw failure(errno) }
        try sync(folder: folder)
        return try inside()
    }

    /// Deletes the job files in `.printq` that have not changed for 30 days (`recordKeeping`).
    ///
    /// All other files stay.
    func sweep() {
        guard let inside = try? FolderInside(of: folder) else { return }
        // A separate descriptor: reading changes the position of a descriptor, and `closedir` closes the descriptor.
        let directory = openat(inside.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        guard let handle = fdopendir(directory) else {
            close(directory)
            return
        }
        defer { closedir(handle) }
        let limit = time(nil) - Self.recordKeeping
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var seen = stat()
            guard let record = Self.recordName(ofFile: name), fstatat(directory, name, &seen, AT_SYMLINK_NOFOLLOW) == 0,
                seen.st_mode & S_IFMT == S_IFREG, seen.st_mtim.tv_sec < limit
            else { continue }
            // A job with a record but without a document would count as delivered.
            guard name == record || faccessat(directory, record, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else { continue }
            unlinkat(directory, name, 0)
        }
    }

    // MARK: - Documents

    /// Returns whether the folder contains a file with a name.
    func exists(_ name: String) -> Bool {
        BlockingCall.check()
        var seen = stat()
        return lstat("\(folder)/\(name)", &seen) == 0
    }

    /// Renames a file without replacing an existing file.
    ///
    /// - Returns: 0, or an error number; `EEXIST` if the name exists.
    func moveWithoutReplacing(_ old: String, of inside: FolderInside, to new: String) -> Int32 {
        let problem = crename_without_replacing(inside.descriptor, old, new)
        // Some network file systems do not support this rename: create a second name, then remove the first name.
        guard problem == EINVAL || problem == ENOSYS || problem == ENOTSUP else { return problem }
        guard linkat(inside.descriptor, old, AT_FDCWD, new, 0) == 0 else { return errno }
        unlinkat(inside.descriptor, old, 0)
        return 0
    }

    /// Gives the users who can read the folder read permission for a document, and the document the group of the folder.
    ///
    /// If the document keeps another group, that group gets no permission.
    func share(_ document: Int32) throws(BackendError) {
        var (place, file) = (stat(), stat())
        var mode: mode_t = 0o600
        if stat(folder, &place) == 0, fstat(document, &file) == 0 {
            let hasGroup = file.st_gid == place.st_gid || fchown(document, uid_t.max, place.st_gid) == 0
            mode |= place.st_mode & (hasGroup ? 0o044 : 0o004)
        }
        guard fchmod(document, mode) == 0 || errno == EPERM || errno == ENOTSUP else { throw failure(errno) }
    }

    // MARK: - Steps

    func copy(_ source: Int32, named path: String, to target: Int32, until stop: Signal) throws(BackendError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            if stop.isGiven { throw Self.canceled }
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw BackendError(.documentMissing, "cannot read '\(path)': \(SystemFailure(errno))")
            }
            if count == 0 { return }
            try put(buffer[..<count], to: target)
        }
    }

    /// The error of a transfer that the caller has canceled.
    static let canceled = BackendError(.unreachable, "the transfer was canceled")

    func put(_ bytes: some Collection<UInt8>, to target: Int32) throws(BackendError) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: target) } catch { throw failure(error.number) }
    }

    func sync(folder path: String) throws(BackendError) {
        let handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw failure(errno) }
        defer { close(handle) }
        try sync(handle)
    }

    func sync(_ handle: Int32) throws(BackendError) {
        // Some network file systems do not support `fsync`. They have already written the data.
        guard fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure(errno) }
    }

    /// Returns the error for a failed system call.
    ///
    /// The error is temporary: the job continues after the problem is fixed.
    func failure(_ number: Int32) -> BackendError {
        let message =
            switch number {
            case ENOENT: "the folder '\(folder)' does not exist; create the folder to resume the jobs"
            case ENOTDIR: "'\(folder)' is not a folder; remove the file and create the folder, or choose another folder"
            case EACCES, EPERM:
                "no write permission for the folder '\(folder)'; grant the permission to"
                    + " \(UserAccounts.name(of: geteuid()))"
            case EROFS:
                "the folder '\(folder)' is on a read-only file system; make the file system writable to resume the jobs"
            case ENOSPC, EDQUOT: "the disk of the folder '\(folder)' is full; free some space to resume the jobs"
            default: "cannot write to the folder '\(folder)': \(SystemFailure(number))"
            }
        return BackendError(.unreachable, message)
    }

}
