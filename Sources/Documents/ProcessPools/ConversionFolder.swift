// Creates, measures, empties and removes the folders in which converter programs work.

import FoundationEssentials
package import Glibc
package import PrintModel
import SafeFiles

/// A private temporary folder next to the output file of a worker or converter program.
///
/// The folder is the only folder that the process can write to: the folder of the output also contains the documents
/// of the job. A malicious document can control the process. Therefore no function follows a symbolic link, and no
/// function depends on the depth of subfolders or the length of their names.
package struct ConversionFolder: Sendable {
    /// The path of the folder: the path of the output, followed by a number and `.partial`.
    ///
    /// After a crash, `UnfinishedFiles` recognizes the folder by this name.
    package let path: String
    /// The path of the PDF that the process creates.
    package var output: String { "\(path)/\(Self.outputName)" }

    private static let outputName = "output.pdf"

    /// Creates the temporary folder.
    ///
    /// - Throws: `writeFailed`.
    package init(besides output: String) throws(WorkError) {
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        path = "\(output).\(number).partial"
        guard mkdir(path, 0o700) == 0 else { throw Self.failed(errno) }
    }

    /// Uses an existing folder.
    package init(existing path: String) { self.path = path }

    /// Removes the temporary folder with its files.
    package func remove() { Self.remove(path) }

    private static func failed(_ code: CInt) -> WorkError {
        WorkError(
            .writeFailed, "cannot write the converted document; check the free space of the disk",
            detail: String(cString: strerror(code)))
    }

    // MARK: - The result

    /// Moves the PDF to its final path, and replaces an existing file.
    ///
    /// If the path is on another file system, the PDF is copied.
    ///
    /// The caller must call this function only after the program has ended.
    ///
    /// - Returns: `true` if the PDF was moved; `false` if the folder contains no valid PDF. A valid PDF is a regular
    ///   file with one hard link and at most `limit` bytes, and begins with `%PDF-`.
    /// - Throws: `writeFailed`.
    package func moveOutput(to path: String, limit: Int) throws(WorkError) -> Bool {
        try move(Self.outputName, to: path, limit: limit, beginningWith: "%PDF-")
    }

    /// Moves a file of the folder to its final path, as `moveOutput` moves the PDF.
    ///
    /// - Parameter head: The bytes with which a valid file begins.
    package func move(
        _ name: String, to path: String, limit: Int = .max, beginningWith head: String = ""
    ) throws(WorkError) -> Bool {
        let source = "\(self.path)/\(name)"
        guard let file = try? RegularFile(source), file.status.st_nlink == 1, file.size <= limit,
            (try? file.bytes(count: head.utf8.count))?.elementsEqual(head.utf8) == true
        else { return false }
        guard fchmod(file.descriptor, 0o600) == 0 || errno == EPERM else { throw Self.failed(errno) }
        // A file that belongs to the user of the workers, which is not this process's user, is copied.
        if file.status.st_uid == geteuid() || geteuid() == 0 {
            if rename(source, path) == 0 { return true }
            // The path can be on another file system.
            guard errno == EXDEV else { throw Self.failed(errno) }
        }
        let copy = try AtomicFile(path: path) { Self.failed($0.number) }
        try FileBytes.copy(from: file.descriptor, to: copy.descriptor) { error, _ in Self.failed(error.number) }
        try copy.finish()
        return true
    }

    // MARK: - Size

    /// The maximum number of files and folders that the program can create.
    ///
    /// The limit reduces the time that is required to count and remove the files.
    private static let mostFiles = 10_000

    /// Returns whether the files of the program exceed a total size in bytes or the maximum number of files.
    ///
    /// The total size includes deleted files that the process still has open. The result is also true if a folder
    /// cannot be read, because the folder could hide files.
    package func exceeds(_ limit: Int, process: pid_t) -> Bool {
        var bytes = Self.bytesOfDeletedFiles(process)
        var count = 0
        var folders = [FilePathBytes(path)]
        while let folder = folders.popLast() {
            // A folder that cannot be read, or whose path is too long, could hide files.
            let isRead = Self.forEachFile(in: folder) { file, status in
                count += 1
                bytes += Int(status.st_blocks) * 512
                if status.st_mode & S_IFMT == S_IFDIR { folders.append(file) }
                return count <= Self.mostFiles && bytes <= limit
            }
            if count > Self.mostFiles || bytes > limit || !isRead { return true }
        }
        return false
    }

    private static func bytesOfDeletedFiles(_ process: pid_t) -> Int {
        var bytes = 0
        let folder = "/proc/\(process)/fd"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            guard stat("\(folder)/\(name)", &status) == 0, status.st_nlink == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            bytes += Int(status.st_blocks) * 512
        }
        return bytes
    }

    /// Calls `body` with the path and the properties of each file in a folder, until `body` returns false.
    ///
    /// - Returns: `true` if the folder and the properties of its files can be read, or if the folder does not exist.
    @discardableResult
    private static func forEachFile(in folder: FilePathBytes, _ body: (FilePathBytes, stat) -> Bool) -> Bool {
        let descriptor = open(folder.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return false
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // A program chooses the names, which do not have to be UTF-8.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
                    Array(UnsafeBufferPointer(start: bytes, count: strlen(bytes) + 1))
                }
            }
            guard strcmp(name, ".") != 0, strcmp(name, "..") != 0 else { continue }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                if errno == ENOENT { continue }
                return false
            }
            guard body(folder.appending(name), status) else { break }
        }
        return true
    }

    /// Whether the file system of the folder has less than 1 MiB of free space.
    package var isDiskFull: Bool {
        var space = statvfs()
        return statvfs(path, &space) == 0 && UInt64(space.f_bavail) * UInt64(space.f_frsize) < 1 << 20
    }

    package static var diskFull: WorkError { failed(ENOSPC) }

    // MARK: - Removal

    /// The maximum number of passes over a folder during its removal.
    private static let mostRounds = 20_000

    /// Removes a folder with its files.
    ///
    /// The function first moves subfolders to the top of the folder, because a path in deep subfolders can be too long
    /// for system calls.
    package static func remove(_ path: String) {
        var number = 0
        // A process that still writes to the folder does not keep this function busy forever.
        for _ in 0..<mostRounds {
            guard rmdir(path) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
            var removed = 0
            forEachFile(in: FilePathBytes(path)) { file, status in
                guard status.st_mode & S_IFMT == S_IFDIR else {
                    removed += unlink(file.bytes) == 0 ? 1 : 0
                    return true
                }
                // A program may create a folder that its owner cannot read. Root can read all folders.
                if geteuid() != 0 { chmod(file.bytes, 0o700) }
                forEachFile(in: file) { inner, status in
                    let isMoved =
                        if status.st_mode & S_IFMT == S_IFDIR {
                            rename(inner.bytes, "\(path)/.removed-\(number)") == 0
                        } else {
                            unlink(inner.bytes) == 0
                        }
                    number += 1
                    removed += isMoved ? 1 : 0
                    return true
                }
                removed += rmdir(file.bytes) == 0 ? 1 : 0
                return true
            }
            guard removed > 0 else { return }
        }
    }
}

/// The path of a file as bytes.
///
/// The type is not a string, because file names do not have to be UTF-8.
private struct FilePathBytes {
    /// The bytes of the path, with a terminating NUL.
    package let bytes: [CChar]

    package init(_ path: String) { bytes = Array(path.utf8CString) }

    private init(bytes: [CChar]) { self.bytes = bytes }

    /// Returns the path of a file in this folder; the name has a terminating NUL.
    package func appending(_ name: [CChar]) -> FilePathBytes {
        FilePathBytes(bytes: bytes.dropLast() + [CChar(UInt8(ascii: "/"))] + name)
    }
}
