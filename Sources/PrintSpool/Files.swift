// The few system calls that put a file on the disk for good.

import FoundationEssentials
import Glibc

/// The few system calls that put a file on the disk for good, with errors for people.
///
/// The order is always: write, fsync the file, rename, fsync the folder, and only then the row that names the file.
enum Files {
    /// Makes a new file that only its owner can read, and opens it for writing.
    static func create(_ path: String) throws(SpoolError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, "open", errno) }
        return descriptor
    }

    /// Writes all of `bytes`.
    static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(SpoolError) {
        let failure = bytes.withUnsafeBytes { buffer -> Int32? in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
        if let failure { throw .file(path, "write", failure) }
    }

    /// Forces an open file onto the disk.
    static func sync(_ descriptor: Int32, path: String) throws(SpoolError) {
        guard fsync(descriptor) == 0 else { throw .file(path, "fsync", errno) }
    }

    /// Forces a folder's entries onto the disk.
    static func syncFolder(_ path: String) throws(SpoolError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path, "open", errno) }
        defer { close(descriptor) }
        try sync(descriptor, path: path)
    }

    /// Renames a file; one that has the new name already is replaced.
    static func rename(_ path: String, to newPath: String) throws(SpoolError) {
        guard Glibc.rename(path, newPath) == 0 else { throw .file(newPath, "rename", errno) }
    }

    /// Makes a folder that only its owner can enter, if it is not there.
    static func makeFolder(_ path: String) throws(SpoolError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .file(path, "mkdir", errno) }
    }

    /// Makes a folder and those above it, if they are not there.
    static func makeFolders(_ path: String) throws(SpoolError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw SpoolError(
                code: .unwritable, message: "the folder '\(path)' cannot be made; choose another with '--spool'",
                cause: error)
        }
    }

    /// The names in a folder; none when it cannot be read.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Removes a file, or a folder with all that is in it; what is not there is well removed.
    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Whether there is a file that can be read.
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}
