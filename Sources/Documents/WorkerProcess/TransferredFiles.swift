// The files of a request, for a worker that gives up root.

import Glibc
import PrintModel

/// Hands the files of a request over to the user that the worker becomes.
///
/// Root's folders are closed to other users, often from the top of the spool on. Therefore root opens each file and folder
/// of the request (`O_PATH`), and the request names them by these descriptors (`/proc/self/fd/7/prepared.pdf`): the kernel
/// then asks only for the rights to the file or folder itself. Where these are missing and the file is root's, its group
/// becomes that of the worker, with the right to read documents and to write into output folders, as CUPS has it for its
/// filters. The files keep their owner, and the folders above stay closed.
struct TransferredFiles {
    /// The user and group that the worker becomes.
    let identity: WorkerIdentity
    private var folders: [String: String] = [:]
    /// `O_PATH`, which glibc shows only to C with `_GNU_SOURCE`.
    private static let pathOnly: CInt = 0o10_000_000

    /// Hands over the files of a request, and returns the request with the paths that the other user can open.
    ///
    /// The descriptors stay open as long as the process.
    static func request(
        _ request: WorkerRequest, to identity: WorkerIdentity
    ) throws(WorkError) -> WorkerRequest {
        var handed = TransferredFiles(identity: identity)
        for folder in request.outputFolders where access(folder, F_OK) == 0 {
            handed.folders[folder] = try handed.open(folder, for: S_IRGRP | S_IWGRP | S_IXGRP)
        }
        return try request.mapPaths { path throws(WorkError) in
            try handed.file(path)
        } output: { path in
            handed.output(path)
        }
    }

    private init(identity: WorkerIdentity) { self.identity = identity }

    /// The other path of a document.
    ///
    /// A document that does not exist keeps its path, and fails as it would otherwise.
    private func file(_ path: String) throws(WorkError) -> String {
        guard let known = folders[WorkerRequest.folder(of: path)] else {
            return access(path, F_OK) == 0 ? try open(path, for: S_IRGRP) : path
        }
        // Many documents of a job need no descriptors of their own: their folder has one.
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

    /// Opens a file and gives the worker's group the rights to it, if it has not got them.
    private func descriptor(_ path: String, for rights: mode_t) throws(WorkError) -> CInt {
        let descriptor = Glibc.open(path, Self.pathOnly | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw closed(path, errno) }
        guard !mayOpen(status, for: rights) else { return descriptor }
        // A stranger's file keeps its mode.
        guard status.st_uid == 0 else { throw closed(path, EACCES) }
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
            "'\(Self.name(of: path))' cannot be opened for the user that documents are read as; "
                + "make it readable for others, or name another user in worker.user",
            detail: "\(path), user \(identity.user): \(String(cString: strerror(code)))")
    }
}

/// Who a worker becomes that root has started.
struct WorkerIdentity: Hashable, Sendable {
    let user: uid_t
    let group: gid_t

    /// Reads the command line: `--become=65534:65534`.
    init?(arguments: [String]) {
        let option = "--become="
        guard let value = arguments.first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) else { return nil }
        let numbers = value.split(separator: ":").compactMap { UInt32($0) }
        guard numbers.count == 2 else { return nil }
        (user, group) = (numbers[0], numbers[1])
    }
}

extension WorkerRequest {
    /// The same request with other paths.
    fileprivate func mapPaths(
        _ input: (String) throws(WorkError) -> String, output: (String) -> String
    ) throws(WorkError) -> WorkerRequest {
        func moved(_ document: InputDocument) throws(WorkError) -> InputDocument {
            var moved = document
            moved.path = try input(document.path)
            // Messages name the document as before.
            moved.name = document.name ?? document.path.split(separator: "/").last.map(String.init)
            return moved
        }
        switch self {
        case .probe: return self
        case .inspect(let document): return .inspect(try moved(document))
        case .prepare(var request):
            var documents: [InputDocument] = []
            for document in request.documents { documents.append(try moved(document)) }
            request.documents = documents
            request.output = output(request.output)
            return .prepare(request)
        case .render(var request):
            request.document = try input(request.document)
            request.partFile = request.partFile.map(output)
            return .render(request)
        case .rasterize(var request):
            request.document = try moved(request.document)
            var others: [InputDocument] = []
            for document in request.others { others.append(try moved(document)) }
            request.others = others
            request.outputFolder = output(request.outputFolder)
            request.sheets = request.sheets.map(output)
            return .rasterize(request)
        }
    }
}
