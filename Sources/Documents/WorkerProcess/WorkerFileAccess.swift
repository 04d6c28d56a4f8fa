// Makes the files of a request accessible to a worker of another user.

import CSandbox
import Glibc
package import PrintModel

/// The method by which a process grants a worker's user access to the files of a request.
///
/// The process is root, before it becomes the worker's user, or a spooler that sends the descriptors to a worker
/// (`granted`).
///
/// Other users often cannot access the folders, such as the spool. Therefore the process opens each file and folder of
/// the request (`O_PATH`). The paths of the request then contain the descriptors (`/proc/self/fd/7/prepared.pdf`). With
/// such a path, the kernel checks only the permissions of the file or folder itself.
///
/// If the worker's user lacks permissions for a file of this process's user, the group of the file becomes the group of
/// the worker. This group can read documents and write to output folders. CUPS grants its filters access in the same way.
/// The owner of the files and the permissions of the parent folders do not change.
package struct WorkerFileAccess {
    /// The option of a worker that receives the files of its request from its standard input.
    package static let received = "--receives-files"

    /// The user and group of the worker.
    let identity: WorkerIdentity
    private var folders: [String: String] = [:]
    /// The descriptors for the worker; nil if this process becomes the worker.
    private var sent: [CInt]?
    /// The flag `O_PATH` of `open`.
    ///
    /// Glibc declares this constant only for C with `_GNU_SOURCE`.
    private static let pathOnly: CInt = 0o10_000_000

    /// Gives the worker's user access to the files of a request.
    ///
    /// The descriptors stay open until the process ends.
    ///
    /// - Returns: The request with the paths that the worker's user can open.
    static func request(
        _ request: WorkerRequest, to identity: WorkerIdentity
    ) throws(WorkError) -> WorkerRequest {
        var access = WorkerFileAccess(identity: identity)
        return try access.grant(request)
    }

    /// Gives the worker's user access to the files of a request, which a worker of that user receives.
    ///
    /// - Returns: The request with the paths that the worker can open, and the descriptors to send. The caller closes the
    ///   descriptors.
    package static func granted(
        _ request: WorkerRequest, to identity: WorkerIdentity
    ) throws(WorkError) -> (request: WorkerRequest, files: [CInt]) {
        var access = WorkerFileAccess(identity: identity)
        access.sent = []
        do throws(WorkError) {
            let inside = try access.grant(request)
            return (inside, access.sent ?? [])
        } catch {
            for file in access.sent ?? [] { close(file) }
            throw error
        }
    }

    private mutating func grant(_ request: WorkerRequest) throws(WorkError) -> WorkerRequest {
        for folder in request.outputFolders where access(folder, F_OK) == 0 {
            folders[folder] = try open(folder, for: S_IRGRP | S_IWGRP | S_IXGRP)
        }
        for folder in request.inputFolders where access(folder, F_OK) == 0 {
            folders[folder] = try open(folder, for: S_IRGRP | S_IXGRP)
        }
        // The documents of a job are in the folder that contains the folder of the output.
        let parents = Set(request.outputFolders.map { WorkerRequest.folder(of: $0) })
        for folder in Set(request.inputs.map { WorkerRequest.folder(of: $0) }).intersection(parents) {
            // Without the right to search the folder, the worker gets a descriptor of each document.
            if let opened = try? open(folder, for: S_IXGRP) { folders[folder] = opened }
        }
        var inside = request
        var paths: [String: String] = [:]
        for path in request.files.documents.map(\.path) where paths[path] == nil { paths[path] = try file(path) }
        inside.files = request.files.map(
            { document in
                var moved = document
                moved.path = paths[document.path] ?? document.path
                // The document name in messages does not change.
                moved.name = document.name ?? document.path.split(separator: "/").last.map(String.init)
                return moved
            }, other: output)
        return inside
    }

    private init(identity: WorkerIdentity) { self.identity = identity }

    /// Returns the path through which the worker's user can open a document.
    ///
    /// If the document does not exist, the path does not change. The worker then fails when it opens the document.
    private mutating func file(_ path: String) throws(WorkError) -> String {
        guard let known = folders[WorkerRequest.folder(of: path)] else {
            return access(path, F_OK) == 0 ? try open(path, for: S_IRGRP) : path
        }
        // The documents of a job need no separate descriptors, because their folder has a descriptor.
        if access(path, F_OK) == 0 { close(try descriptor(path, for: S_IRGRP)) }
        return known + "/" + Self.name(of: path)
    }

    private func output(_ path: String) -> String {
        if let folder = folders[path] { return folder }
        return folders[WorkerRequest.folder(of: path)].map { $0 + "/" + Self.name(of: path) } ?? path
    }

    private static func name(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// Opens a file, and returns its path in the worker.
    private mutating func open(_ path: String, for rights: mode_t) throws(WorkError) -> String {
        let opened = try descriptor(path, for: rights)
        guard let sent else { return "/proc/self/fd/\(opened)" }
        self.sent?.append(opened)
        guard sent.count < SANDBOX_MOST_FILES else { throw closed(path, EMFILE) }
        return "/proc/self/fd/\(Int(SANDBOX_FIRST_FILE) + sent.count)"
    }

    /// Opens a file and adds the missing permissions for the worker's group.
    private func descriptor(_ path: String, for rights: mode_t) throws(WorkError) -> CInt {
        let descriptor = Glibc.open(path, Self.pathOnly | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw closed(path, errno) }
        guard !mayOpen(status, for: rights) else { return descriptor }
        do throws(WorkError) { try grant(rights, to: descriptor, status, path) } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func grant(
        _ rights: mode_t, to descriptor: CInt, _ status: stat, _ path: String
    ) throws(WorkError) {
        // The mode does not change if the file belongs to another user, or is reached by a symbolic link: it may be
        // another file than the stored one. The spool has hard links, such as the documents of a reprint.
        guard status.st_uid == geteuid() else { throw closed(path, EACCES) }
        var own = stat()
        guard lstat(path, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino else {
            throw closed(path, ELOOP)
        }
        let here = "/proc/self/fd/\(descriptor)"
        guard chown(here, uid_t.max, identity.group) == 0, chmod(here, (status.st_mode & 0o7777) | rights) == 0 else {
            throw closed(path, errno)
        }
    }

    private func mayOpen(_ status: stat, for rights: mode_t) -> Bool {
        let granted =
            if status.st_uid == identity.user {
                status.st_mode >> 3
            } else if status.st_gid == identity.group {
                status.st_mode
            } else {
                status.st_mode << 3
            }
        return granted & rights == rights
    }

    private func closed(_ path: String, _ code: CInt) -> WorkError {
        WorkError(
            .workerUnavailable,
            "the user of the workers cannot open '\(Self.name(of: path))'; "
                + (sent == nil
                    ? "make the file readable for other users, or change worker.user"
                    : "make printd's user a member of the group of the workers"),
            detail: "\(path), user \(identity.user): \(String(cString: strerror(code)))")
    }
}

/// The user and group of a worker that is not this process's user.
package struct WorkerIdentity: Hashable, Sendable {
    let user: uid_t
    let group: gid_t

    package init(user: UInt32, group: UInt32) { (self.user, self.group) = (user, group) }

    /// Parses a command line option such as `--become=65534:65534`.
    init?(arguments: [String]) {
        let option = "--become="
        guard let value = arguments.first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) else { return nil }
        let numbers = value.split(separator: ":").compactMap { UInt32($0) }
        guard numbers.count == 2 else { return nil }
        (user, group) = (numbers[0], numbers[1])
    }
}
