// Makes the files of a request accessible to a worker that drops root privileges.

import Glibc
import PrintModel

/// The method by which root grants a worker's user access to the files of a request.
///
/// Other users often cannot access root's folders, such as the spool. Therefore root opens each file and folder of the
/// request (`O_PATH`). The paths of the request then contain the descriptors (`/proc/self/fd/7/prepared.pdf`). With
/// such a path, the kernel checks only the permissions of the file or folder itself.
///
/// If the worker's user lacks permissions for a file of root, root changes the group of the file to the group of the
/// worker. This group can read documents and write to output folders. CUPS grants its filters access in the same way.
/// The owner of the files and the permissions of the parent folders do not change.
struct WorkerFileAccess {
    /// The user and group of the worker.
    let identity: WorkerIdentity
    private var folders: [String: String] = [:]
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
        var handed = WorkerFileAccess(identity: identity)
        for folder in request.outputFolders where access(folder, F_OK) == 0 {
            handed.folders[folder] = try handed.open(folder, for: S_IRGRP | S_IWGRP | S_IXGRP)
        }
        for folder in request.inputFolders where access(folder, F_OK) == 0 {
            handed.folders[folder] = try handed.open(folder, for: S_IRGRP | S_IXGRP)
        }
        // The documents of a job are in the folder that contains the folder of the output.
        let parents = Set(request.outputFolders.map { WorkerRequest.folder(of: $0) })
        for folder in Set(request.inputs.map { WorkerRequest.folder(of: $0) }).intersection(parents) {
            // Without the right to search the folder, the worker gets a descriptor of each document.
            if let opened = try? handed.open(folder, for: S_IXGRP) { handed.folders[folder] = opened }
        }
        var inside = request
        inside.files = try request.files.map(
            { document throws(WorkError) in
                var moved = document
                moved.path = try handed.file(document.path)
                // The document name in messages does not change.
                moved.name = document.name ?? document.path.split(separator: "/").last.map(String.init)
                return moved
            }, other: handed.output)
        return inside
    }

    private init(identity: WorkerIdentity) { self.identity = identity }

    /// Returns the path through which the worker's user can open a document.
    ///
    /// If the document does not exist, the path does not change. The worker then fails when it opens the document.
    private func file(_ path: String) throws(WorkError) -> String {
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

    private func open(_ path: String, for rights: mode_t) throws(WorkError) -> String {
        "/proc/self/fd/\(try descriptor(path, for: rights))"
    }

    /// Opens a file and adds the missing permissions for the worker's group.
    private func descriptor(_ path: String, for rights: mode_t) throws(WorkError) -> CInt {
        let descriptor = Glibc.open(path, Self.pathOnly | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw closed(path, errno) }
        guard !mayOpen(status, for: rights) else { return descriptor }
        // The mode does not change if the file belongs to another user, or is reached by a symbolic link: it may be
        // another file than the one that root stored. The spool has hard links, such as the documents of a reprint.
        guard status.st_uid == 0 else { throw closed(path, EACCES) }
        var own = stat()
        guard lstat(path, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino else {
            throw closed(path, ELOOP)
        }
        let here = "/proc/self/fd/\(descriptor)"
        guard chown(here, uid_t.max, identity.group) == 0, chmod(here, (status.st_mode & 0o7777) | rights) == 0 else {
            throw closed(path, errno)
        }
        return descriptor
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
                + "make the file readable for other users, or change worker.user",
            detail: "\(path), user \(identity.user): \(String(cString: strerror(code)))")
    }
}

/// The user and group of a worker that root started.
struct WorkerIdentity: Hashable, Sendable {
    let user: uid_t
    let group: gid_t

    /// Parses a command line option such as `--become=65534:65534`.
    init?(arguments: [String]) {
        let option = "--become="
        guard let value = arguments.first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) else { return nil }
        let numbers = value.split(separator: ":").compactMap { UInt32($0) }
        guard numbers.count == 2 else { return nil }
        (user, group) = (numbers[0], numbers[1])
    }
}
