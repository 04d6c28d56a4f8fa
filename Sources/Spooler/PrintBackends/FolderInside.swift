// Opens `.printq` in a printer's folder, and checks its owner and permissions.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import SafeFiles

/// The open folder `.printq`, which belongs to the user of this process.
///
/// No other user can write to the folder.
///
/// A user who can write to the printer's folder could create a folder or a link named `.printq`. That user could then
/// read documents, or replace documents before their delivery. Therefore the folder is opened without following links.
/// The owner and the mode are checked on the open descriptor. All file operations in the folder use that descriptor.
final class FolderInside: Sendable {
    /// The descriptor of the open folder.
    let descriptor: Int32
    private let path: String
    /// The owner of the files that this process creates in `.printq`.
    ///
    /// The owner is usually the user of this process. On some network file systems, however, the server assigns all new
    /// files to another user.
    private let owner: uid_t

    /// Opens `.printq` in a folder; nil if `.printq` does not exist.
    ///
    /// - Throws: `unreachable` if another user owns `.printq` or has write permission for `.printq`. The message
    ///   explains how to fix the problem.
    convenience init?(of folder: String) throws(BackendError) {
        BlockingCall.check()
        let path = "\(folder)/.printq"
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, ENOTDIR:
                throw BackendError(.unreachable, "'\(path)' is not a folder; remove the file to resume the jobs")
            case EACCES:
                throw BackendError(
                    .unreachable,
                    "cannot open '\(path)': \(SystemFailure(EACCES)). If the folder belongs to another user, remove "
                        + "the folder to resume the jobs")
            case let code: throw BackendError(.unreachable, "cannot open '\(path)': \(SystemFailure(code))")
            }
        }
        try self.init(descriptor, path, in: folder)
    }

    private init(_ descriptor: Int32, _ path: String, in folder: String) throws(BackendError) {
        self.descriptor = descriptor
        self.path = path
        var seen = stat()
        guard fstat(descriptor, &seen) == 0 else {
            close(descriptor)
            throw BackendError(.unreachable, "cannot examine '\(path)': \(SystemFailure(errno))")
        }
        owner = seen.st_uid
        let isOurs = seen.st_uid == geteuid()
        let isPrivate = seen.st_mode & Self.othersWrite == 0
        guard !isOurs || !isPrivate else { return }
        // On some network file systems all files have the same owner, or the same mode. A new file has the same owner
        // or mode.
        let new = Self.newFile(in: folder)
        if isOurs || new?.st_uid == seen.st_uid, isPrivate || new.map({ $0.st_mode & Self.othersWrite != 0 }) == true {
            return
        }
        let message =
            isOurs
            ? "other users can write to '\(path)'; check the contents of the folder, and set the folder's mode to 700"
            : "'\(path)' belongs to user \(seen.st_uid), who may have created the folder to read "
                + "the documents of other users; check the contents, and remove the folder to resume the jobs"
        throw BackendError(.unreachable, message)
    }

    deinit { close(descriptor) }

    /// The mode bits that give write permission to the group and to other users.
    private static let othersWrite: mode_t = 0o022

    /// Creates a file in a folder, returns the file's attributes, and deletes the file.
    private static func newFile(in folder: String) -> stat? {
        let name = "\(folder)/.printq-\(UUID().uuidString.lowercased())"
        let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        unlink(name)
        var seen = stat()
        return fstat(file, &seen) == 0 ? seen : nil
    }

    // MARK: - Files

    /// Returns the attributes of a file in `.printq`; nil if the file does not exist.
    ///
    /// - Throws: `unreachable` if the file is not a regular file that belongs to this spooler's user.
    func look(at name: String) throws(BackendError) -> stat? {
        var seen = stat()
        guard fstatat(descriptor, name, &seen, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw failure("cannot examine '\(path)/\(name)'", errno) }
            return nil
        }
        try requireOurs(seen, name)
        return seen
    }

    /// Returns the contents of a file in `.printq`; nil if the file does not exist.
    ///
    /// - Throws: `unreachable` if the file is not a regular file of this spooler, cannot be read, or has more than
    ///   `limit` bytes.
    func contents(of name: String, limit: Int) throws(BackendError) -> [UInt8]? {
        // `O_NONBLOCK`, because opening a named pipe would block.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw failure("cannot read '\(path)/\(name)'", errno) }
            return nil
        }
        defer { close(file) }
        var seen = stat()
        guard fstat(file, &seen) == 0 else { throw failure("cannot read '\(path)/\(name)'", errno) }
        try requireOurs(seen, name)
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try FileBytes.read(file, count: min(limit, Int(seen.st_size)) + 1) } catch {
            throw failure("cannot read '\(path)/\(name)'", error.number)
        }
        guard bytes.count <= limit else {
            throw BackendError(.unreachable, "'\(path)/\(name)' has more than \(limit) bytes; remove the file")
        }
        return bytes
    }

    /// Creates a file in `.printq` for writing.
    ///
    /// If a crash has left a file with the same name, the function removes that file first.
    ///
    /// - Returns: The descriptor, or -1 with the reason in `errno`.
    func make(_ name: String) -> Int32 {
        unlinkat(descriptor, name, 0)
        return openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Opens a file in `.printq` for writing, and removes its contents; nil if the file does not exist.
    ///
    /// - Throws: `unreachable` if the file is not a regular file of this spooler, or cannot be opened.
    func openForWriting(_ name: String) throws(BackendError) -> Int32? {
        // `O_NONBLOCK`, because opening a named pipe would block.
        let file = openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw failure("cannot write '\(path)/\(name)'", errno) }
            return nil
        }
        do throws(BackendError) {
            var seen = stat()
            guard fstat(file, &seen) == 0 else { throw failure("cannot write '\(path)/\(name)'", errno) }
            try requireOurs(seen, name)
            guard ftruncate(file, 0) == 0 else { throw failure("cannot write '\(path)/\(name)'", errno) }
            return file
        } catch {
            close(file)
            throw error
        }
    }

    private func requireOurs(_ seen: stat, _ name: String) throws(BackendError) {
        guard seen.st_mode & S_IFMT == S_IFREG, seen.st_uid == owner else {
            throw BackendError(
                .unreachable,
                "'\(path)/\(name)' is not a regular file that belongs to this spooler's user; remove the file to "
                    + "resume the jobs")
        }
    }

    private func failure(_ what: String, _ code: Int32) -> BackendError {
        BackendError(.unreachable, "\(what): \(SystemFailure(code))")
    }
}
