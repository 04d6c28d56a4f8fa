// The private folders of conversions in processes that are started in advance.

import FoundationEssentials
import Glibc
package import PrintModel
import SafeFiles
import Synchronization

/// The scratch folder of a pool, which contains a private folder for each conversion.
///
/// The pool locks the scratch folder with `flock`. If the pool is killed, the lock ends, and a later pool can recognize
/// and remove the scratch folder.
package final class ConversionScratch: Sendable {
    private struct State {
        var folder: String?
        var lock: CInt = -1
        var count = 0
    }

    private let prefix: String
    private let parent: String
    private let user: WorkerUser?
    private let state = Mutex(State())

    /// Creates the object without creating the scratch folder on the disk.
    ///
    /// The first call of `makePlace()` creates the scratch folder.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the folder's name, by which a later pool recognizes the folder.
    ///   - parent: The existing parent folder. The user of the workers must have search permission for this folder. Nil
    ///     means `usualParent`.
    ///   - user: The user of the workers, if this process runs as root.
    package init(prefix: String, parent: String?, user: WorkerUser?) {
        (self.prefix, self.parent, self.user) = (prefix, parent ?? Self.usualParent, user)
    }

    deinit { removeAll() }

    /// The default parent of scratch folders: the folder in `TMPDIR`, or `/tmp` if `TMPDIR` contains no absolute path.
    ///
    /// A process of root always uses `/tmp`, because only root might have access to the folder in `TMPDIR`.
    private static var usualParent: String {
        guard geteuid() != 0, let folder = getenv("TMPDIR").map({ String(cString: $0) }), folder.hasPrefix("/") else {
            return "/tmp"
        }
        return folder
    }

    /// Creates the private folder for a process.
    package func makePlace() throws(WorkError) -> ScratchPlace {
        let result = state.withLock { state in
            Result { () throws(WorkError) in
                state.count += 1
                return ScratchPlace(folder: try folder(&state) + "/\(state.count)", user: user)
            }
        }
        let place = try result.get()
        try place.create()
        return place
    }

    /// Removes the scratch folder with all private folders.
    package func removeAll() {
        state.withLock { state in
            if let folder = state.folder { ConversionFolder.remove(folder) }
            if state.lock >= 0 { close(state.lock) }
            (state.folder, state.lock) = (nil, -1)
        }
    }

    /// Removes the folders of pools that no longer exist.
    package func removeOrphans() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where name.hasPrefix(prefix) {
            let folder = parent + "/" + name
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                // A new folder may not be locked yet.
                status.st_mtim.tv_sec < time(nil) - 60
            else { continue }
            let lock = open(folder + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { ConversionFolder.remove(folder) }
            close(lock)
        }
    }

    private func folder(_ state: inout State) throws(WorkError) -> String {
        if let folder = state.folder { return folder }
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failed("creating a folder in '\(parent)'", errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The user of the workers enters the folder, but does not list it.
        if user != nil, chmod(folder, 0o711) != 0 {
            throw Self.failed("giving the workers access to '\(folder)'", errno)
        }
        state.lock = open(folder + "/lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard state.lock >= 0, flock(state.lock, LOCK_EX | LOCK_NB) == 0 else {
            throw Self.failed("locking '\(folder)'", errno)
        }
        state.folder = folder
        return folder
    }

    package static func failed(_ action: String, _ code: CInt) -> WorkError {
        WorkError(
            .writeFailed,
            "the document cannot be copied for its conversion: \(String(cString: strerror(code))); "
                + "check the free disk space",
            detail: action)
    }

    /// Returns the error for a PDF that cannot be written to its final path.
    package static func failedOutput(_ action: String, _ code: CInt) -> WorkError {
        WorkError(
            .writeFailed,
            "the PDF of the document cannot be written: \(String(cString: strerror(code))); check the free disk space",
            detail: action)
    }
}

/// The private folder of one process.
package struct ScratchPlace: Sendable {
    package let folder: String
    package let user: WorkerUser?

    /// The subfolder to which the process can write.
    private var writable: String { folder + "/work" }
    /// The path of the PDF that the process writes.
    private var result: String { writable + "/document.pdf" }

    /// Creates the private folder with the subfolders `in` and `work`.
    ///
    /// The process can read the document in `in`, but cannot change this subfolder. The process can write to `work`.
    package func create() throws(WorkError) {
        for (path, mode) in [(folder, mode_t(0o750)), (folder + "/in", 0o750), (writable, 0o700)] {
            // The mode of mkdir is reduced by the umask.
            guard mkdir(path, 0o700) == 0, chmod(path, user == nil ? 0o700 : mode) == 0 else {
                throw ConversionScratch.failed("creating '\(path)'", errno)
            }
            guard let user else { continue }
            let isOwn = path == writable
            guard chown(path, isOwn ? user.user : uid_t.max, user.group) == 0 else {
                throw ConversionScratch.failed("giving the worker access to '\(path)'", errno)
            }
        }
    }

    /// Removes the private folder.
    package func remove() { ConversionFolder.remove(folder) }

    /// Copies the document into the private folder, and returns the request for the process.
    package func accept(_ request: ConvertRequest) throws(WorkError) -> ConvertRequest {
        var inside = request
        inside.document.path = "\(folder)/in/document.\(request.type.extensions.first ?? "bin")"
        inside.document.name =
            request.document.name
            ?? request.document.path.split(separator: "/").last.map(String.init)
        inside.output = result
        try copyDocument(request.document.path, to: inside.document.path)
        return inside
    }

    /// Copies a document to a file that the process can read, but not change.
    package func copyDocument(_ document: String, to path: String) throws(WorkError) {
        let source = try Self.openDocument(document)
        defer { close(source) }
        let copy = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard copy >= 0 else { throw ConversionScratch.failed("creating '\(path)'", errno) }
        defer { close(copy) }
        if let user, fchown(copy, uid_t.max, user.group) != 0 || fchmod(copy, 0o640) != 0 {
            throw ConversionScratch.failed("giving the worker access to the document", errno)
        }
        try FileBytes.copy(from: source, to: copy) { ConversionScratch.failed($1 ? "reading" : "writing", $0.number) }
    }

    /// Copies the PDF of the process to its final path.
    ///
    /// The process can be compromised. Therefore the function writes the PDF to a new file, which no other process has
    /// open.
    ///
    /// - Throws: `workerCrashed` if the file is not a PDF; `outputTooLarge`; `writeFailed`.
    package func deliver(to output: String, limit: Int) throws(WorkError) {
        let source: RegularFile
        do throws(SystemFailure) { source = try RegularFile(result) } catch {
            throw Self.noPDF("no regular file: \(error)")
        }
        guard source.status.st_nlink == 1 else { throw Self.noPDF("the output has another name") }
        guard source.size <= limit else {
            throw WorkError(
                .outputTooLarge,
                "LibreOffice wrote a file of more than \(limit >> 20) MiB; "
                    + "print the document in parts, or raise the limit")
        }
        guard (try? source.bytes(count: 5)).map({ $0.elementsEqual("%PDF-".utf8) }) == true else {
            throw Self.noPDF("the output has no PDF header")
        }
        let copy = try AtomicFile(path: output) { ConversionScratch.failedOutput("writing '\(output)'", $0.number) }
        try FileBytes.copy(from: source.descriptor, to: copy.descriptor) {
            ConversionScratch.failedOutput($1 ? "reading" : "writing", $0.number)
        }
        try copy.finish()
    }

    private static func noPDF(_ detail: String) -> WorkError {
        WorkError(
            .workerCrashed, "LibreOffice wrote no PDF; save the document as PDF and print the PDF", detail: detail)
    }

    /// Opens a document for reading.
    ///
    /// - Throws: `documentMissing` if the file does not exist, cannot be read, or is not a regular file.
    package static func openDocument(_ path: String) throws(WorkError) -> CInt {
        // O_NONBLOCK: opening a FIFO does not wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw WorkError(
                .documentMissing,
                errno == ENOENT
                    ? "there is no file '\(path)'; check the name"
                    : "cannot read '\(path)': \(String(cString: strerror(errno))); check its permissions")
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw WorkError(.documentMissing, "'\(path)' is not a regular file; check the name")
        }
        return file
    }
}
