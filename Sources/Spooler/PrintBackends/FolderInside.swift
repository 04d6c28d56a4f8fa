// `.printq` in a folder that is a printer: opened once for each step, and used only when it is ours.

import FoundationEssentials
import Glibc
import PrintModel

/// The open folder `.printq`, which belongs to this process's user and which nobody else can write to.
///
/// Whoever may write into the printer's folder can put a folder or a link of that name there, and could then read documents
/// and have files of their own delivered. So the folder is opened without following links, its owner and mode are looked at
/// where it is open, and all that happens inside goes through the descriptor.
final class FolderInside: Sendable {
    /// The open folder.
    let descriptor: Int32
    private let path: String
    /// Who owns what we make here: our user, or the user whom a network file system has own all.
    private let owner: uid_t

    /// Opens the folder `.printq` in a folder; nil when there is none.
    ///
    /// - Throws: `unreachable`, with what to do, when it is not ours alone.
    convenience init?(of folder: String) throws(BackendError) {
        let path = "\(folder)/.printq"
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP, ENOTDIR:
                throw BackendError(.unreachable, "'\(path)' is no folder; remove it, and the jobs go on")
            case EACCES:
                throw BackendError(
                    .unreachable,
                    "'\(path)' cannot be opened: \(Self.words(EACCES)). If it belongs to another user, remove it, and "
                        + "the jobs go on")
            case let code: throw BackendError(.unreachable, "'\(path)' cannot be opened: \(Self.words(code))")
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
            throw BackendError(.unreachable, "'\(path)' cannot be looked at: \(Self.words(errno))")
        }
        owner = seen.st_uid
        let isOurs = seen.st_uid == geteuid()
        let isPrivate = seen.st_mode & Self.othersWrite == 0
        guard !isOurs || !isPrivate else { return }
        // Some network file systems have one user own all files, and some give all files one mode: there a new file is like
        // that too.
        let new = Self.newFile(in: folder)
        if isOurs || new?.st_uid == seen.st_uid, isPrivate || new.map({ $0.st_mode & Self.othersWrite != 0 }) == true {
            return
        }
        let words =
            isOurs
            ? "others can write to '\(path)'; see what is in it, and give it the mode 700"
            : "'\(path)' belongs to user \(seen.st_uid), who may have put it there to read documents; see what is in it "
                + "and remove it, and the jobs go on"
        throw BackendError(.unreachable, words)
    }

    deinit { close(descriptor) }

    /// The rights of the group and of others to write.
    private static let othersWrite: mode_t = 0o022

    /// What a file is like that is made in a folder just now; it has a name for a moment only.
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

    /// What a file inside is like; nil when there is none.
    ///
    /// - Throws: `unreachable` when it is no file of ours.
    func look(at name: String) throws(BackendError) -> stat? {
        var seen = stat()
        guard fstatat(descriptor, name, &seen, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw failure("'\(path)/\(name)' cannot be looked at", errno) }
            return nil
        }
        try requireOurs(seen, name)
        return seen
    }

    /// The bytes of a file inside; nil when there is none.
    ///
    /// - Throws: `unreachable` when it is no file of ours, cannot be read, or has more than `limit` bytes.
    func contents(of name: String, limit: Int) throws(BackendError) -> [UInt8]? {
        // One that is no file would be waited for, such as a pipe.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw failure("'\(path)/\(name)' cannot be read", errno) }
            return nil
        }
        defer { close(file) }
        var seen = stat()
        guard fstat(file, &seen) == 0 else { throw failure("'\(path)/\(name)' cannot be read", errno) }
        try requireOurs(seen, name)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("'\(path)/\(name)' cannot be read", errno) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else {
                throw BackendError(.unreachable, "'\(path)/\(name)' has more than \(limit) bytes; remove it")
            }
        }
    }

    /// Opens a new file inside for writing; one of that name, which a crash has left, is removed.
    ///
    /// - Returns: the descriptor, or -1 with the reason in `errno`.
    func make(_ name: String) -> Int32 {
        unlinkat(descriptor, name, 0)
        return openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    private func requireOurs(_ seen: stat, _ name: String) throws(BackendError) {
        guard seen.st_mode & S_IFMT == S_IFREG, seen.st_uid == owner else {
            throw BackendError(
                .unreachable, "'\(path)/\(name)' is no file of this spooler's; remove it, and the jobs go on")
        }
    }

    private func failure(_ what: String, _ code: Int32) -> BackendError {
        BackendError(.unreachable, "\(what): \(Self.words(code))")
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
