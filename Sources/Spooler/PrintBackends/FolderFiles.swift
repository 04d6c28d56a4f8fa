// The files of a folder that is a printer: each step on the disk before the next.

import CRename
import FoundationEssentials
import Glibc
import PrintIPP
import PrintModel

/// The folder itself, and `.printq` in it (`FolderInside`), where documents wait until they are whole.
struct FolderFiles: Sendable {
    let folder: String

    /// How long the record of a job is kept, in seconds: whoever asks later has been away for a month.
    private static let recordKeeping = 30 * 86400

    /// A record has a job's name and its owner's, which are texts of a thousand bytes at most.
    private static let mostRecordBytes = 1 << 20

    private func recordName(_ uuid: String) -> String { "\(uuid).json" }
    private func documentName(_ uuid: String) -> String { "\(uuid).pdf" }

    /// The open `.printq`.
    ///
    /// - Throws: `unreachable` when it is not there, or is not ours alone.
    private func inside() throws(BackendError) -> FolderInside {
        guard let inside = try FolderInside(of: folder) else {
            throw BackendError(
                .unreachable, "'\(folder)/.printq' is not there any more; the job cannot go on without it")
        }
        return inside
    }

    // MARK: - The folder

    /// Sees whether files can be made here.
    ///
    /// - Throws: `unreachable`, with words on what to mend; the job waits for it.
    func check() throws(BackendError) {
        var seen = stat()
        guard stat(folder, &seen) == 0 else { throw failure(errno) }
        guard seen.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR) }
        guard access(folder, W_OK | X_OK) == 0 else { throw failure(errno) }
    }

    /// Makes a file without a name, which goes when it is closed: some folders allow it by their rights, and hold no files.
    ///
    /// - Throws: `unreachable`, with words on what to mend.
    func tryOut() throws(BackendError) {
        try check()
        var file = open(folder, Self.withoutName | O_WRONLY | O_CLOEXEC, 0o600)
        if file < 0, [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(errno) {
            // Not every file system knows files without names.
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
                "no files can be made in the folder '\(folder)' (\(Self.words(errno))); give the printer another one")
        }
        throw failure(errno)
    }

    /// `O_TMPFILE`, a macro that Swift does not read (asm-generic/fcntl.h).
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    /// Makes the place where documents wait; one that is there must be ours alone.
    func makeInside() throws(BackendError) {
        if mkdir("\(folder)/.printq", 0o700) == 0 {
            try sync(folder: folder)
        } else if errno != EEXIST {
            throw failure(errno)
        }
        _ = try inside()
    }

    /// Removes what is left of jobs that nobody will ask for again, and nothing else.
    func sweep() {
        guard let inside = try? FolderInside(of: folder) else { return }
        // A descriptor of its own, for reading moves its place and closing the list closes it.
        let directory = openat(inside.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        guard let handle = fdopendir(directory) else {
            close(directory)
            return
        }
        defer { closedir(handle) }
        let limit = time(nil) - Self.recordKeeping
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var seen = stat()
            guard Self.isOurs(name), fstatat(directory, name, &seen, AT_SYMLINK_NOFOLLOW) == 0,
                seen.st_mode & S_IFMT == S_IFREG, seen.st_mtim.tv_sec < limit
            else { continue }
            unlinkat(directory, name, 0)
        }
    }

    /// Whether a name is of the kind that jobs' files have here: `UUID.json`, `UUID.json.new`, `UUID.pdf`, `UUID.part`.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && UUID(uuidString: String(parts[0])) != nil
            && ["json", "json.new", "pdf", "part"].contains(parts[1])
    }

    // MARK: - Records

    /// What is known of a job; nil when there is none of that name.
    func record(of uuid: String) throws(BackendError) -> FolderRecord? {
        guard let inside = try FolderInside(of: folder),
            let bytes = try inside.contents(of: recordName(uuid), limit: Self.mostRecordBytes)
        else { return nil }
        do {
            return try JSONDecoder().decode(FolderRecord.self, from: Data(bytes))
        } catch {
            throw BackendError(.unreachable, "'\(folder)/.printq/\(recordName(uuid))' cannot be read: \(error)")
        }
    }

    /// Notes how far a job has come.
    func store(_ record: FolderRecord, of uuid: String) throws(BackendError) {
        let data: Data
        do { data = try JSONEncoder().encode(record) } catch { throw BackendError(.refused, "\(error)") }
        let inside = try inside()
        let new = "\(recordName(uuid)).new"
        try write(to: new, in: inside, mode: 0o600) { (target) throws(BackendError) in
            try put([UInt8](data), to: target)
        }
        try rename(new, to: recordName(uuid), in: inside)
    }

    // MARK: - Documents

    /// Whether a job's document still waits inside.
    ///
    /// Where a file cannot be moved without replacing another, it has two names for a moment: then it is out already.
    func isInside(_ uuid: String) throws(BackendError) -> Bool {
        guard let inside = try FolderInside(of: folder), let seen = try inside.look(at: documentName(uuid)) else {
            return false
        }
        guard seen.st_nlink > 1 else { return true }
        try removeDocument(of: uuid)
        return false
    }

    /// Copies a document inside.
    func take(_ path: String, as uuid: String) throws(BackendError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else {
            throw BackendError(.documentMissing, "'\(path)' cannot be read: \(Self.words(errno))")
        }
        defer { close(source) }
        let inside = try inside()
        let part = "\(uuid).part"
        do throws(BackendError) {
            try write(to: part, in: inside, mode: documentMode) { (target) throws(BackendError) in
                try copy(source, named: path, to: target)
            }
            try rename(part, to: documentName(uuid), in: inside)
        } catch {
            unlinkat(inside.descriptor, part, 0)
            throw error
        }
    }

    /// The first name for a job's document that is free now; nil when there is none.
    func freeName(for record: FolderRecord) -> String? {
        let name = FolderFileName(title: record.name)
        return (1...1_000_000).lazy.map(name.name).first { file in
            var seen = stat()
            return lstat("\(folder)/\(file)", &seen) != 0
        }
    }

    /// Moves a document out, under the first name that is free; its record has the name before.
    func bringOut(_ uuid: String, _ record: FolderRecord) throws(BackendError) {
        var record = record
        while let name = freeName(for: record) {
            if record.file != name {
                record.file = name
                try store(record, of: uuid)
            }
            let inside = try inside()
            guard try inside.look(at: documentName(uuid)) != nil else { throw failure(ENOENT) }
            let problem = moveWithoutReplacing(documentName(uuid), of: inside, to: "\(folder)/\(name)")
            guard problem != EEXIST else { continue }  // another spooler was quicker
            guard problem == 0 else { throw failure(problem) }
            try sync(folder: folder)
            return try sync(inside.descriptor)
        }
        throw BackendError(.unreachable, "'\(folder)' holds a million files named '\(record.name)'; make room")
    }

    /// Removes a job's document from inside.
    func removeDocument(of uuid: String) throws(BackendError) {
        let inside = try inside()
        guard unlinkat(inside.descriptor, documentName(uuid), 0) == 0 || errno == ENOENT else { throw failure(errno) }
        try sync(inside.descriptor)
    }

    /// Moves a file to a name that is free.
    ///
    /// - Returns: 0, or what went wrong; `EEXIST` when the name is taken.
    private func moveWithoutReplacing(_ old: String, of inside: FolderInside, to new: String) -> Int32 {
        let problem = crename_without_replacing(inside.descriptor, old, new)
        // Network file systems cannot do it in one step: a second name, then one less.
        guard problem == EINVAL || problem == ENOSYS || problem == ENOTSUP else { return problem }
        guard linkat(inside.descriptor, old, AT_FDCWD, new, 0) == 0 else { return errno }
        unlinkat(inside.descriptor, old, 0)
        return 0
    }

    /// Who may read the folder may read what is in it.
    private var documentMode: mode_t {
        var seen = stat()
        guard stat(folder, &seen) == 0 else { return 0o600 }
        return 0o600 | (seen.st_mode & 0o044)
    }

    // MARK: - Steps

    private func write(
        to name: String, in inside: FolderInside, mode: mode_t, _ body: (Int32) throws(BackendError) -> Void
    ) throws(BackendError) {
        let target = inside.make(name)
        guard target >= 0 else { throw failure(errno) }
        defer { close(target) }
        try body(target)
        guard fchmod(target, mode) == 0 || errno == EPERM || errno == ENOTSUP else { throw failure(errno) }
        guard fsync(target) == 0 else { throw failure(errno) }
    }

    private func copy(_ source: Int32, named path: String, to target: Int32) throws(BackendError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            guard !Task.isCancelled else { throw BackendError(.unreachable, "it was not to be sent any more") }
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw BackendError(.documentMissing, "'\(path)' cannot be read: \(Self.words(errno))")
            }
            if count == 0 { return }
            try put(buffer[..<count], to: target)
        }
    }

    private func put(_ bytes: some Collection<UInt8>, to target: Int32) throws(BackendError) {
        var rest = ArraySlice(bytes)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func rename(_ old: String, to new: String, in inside: FolderInside) throws(BackendError) {
        guard renameat(inside.descriptor, old, inside.descriptor, new) == 0 else { throw failure(errno) }
        try sync(inside.descriptor)
    }

    private func sync(folder path: String) throws(BackendError) {
        let handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw failure(errno) }
        defer { close(handle) }
        try sync(handle)
    }

    private func sync(_ handle: Int32) throws(BackendError) {
        // Some network file systems cannot, and have it on the disk already.
        guard fsync(handle) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure(errno) }
    }

    /// What a failed call means: someone mends the folder, and the job goes on by itself.
    private func failure(_ number: Int32) -> BackendError {
        let words =
            switch number {
            case ENOENT: "the folder '\(folder)' does not exist; make it, and its jobs go on"
            case ENOTDIR: "'\(folder)' is no folder; give the printer another one, or put a folder there"
            case EACCES, EPERM:
                "the folder '\(folder)' cannot be written by \(UserAccounts.name(of: geteuid())); give it the right to"
            case EROFS: "the folder '\(folder)' is on a disk that is only for reading"
            case ENOSPC, EDQUOT: "the disk of the folder '\(folder)' is full; make room, and its jobs go on"
            default: "the folder '\(folder)' cannot be written: \(Self.words(number))"
            }
        return BackendError(.unreachable, words)
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
