// Atomic file operations.

import CRename
import Glibc
import SafeFiles

func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }

/// The file operations of the simulator.
///
/// The errors contain the path of the file.
enum FileOperations {
    /// Creates a folder and missing parent folders, with mode 0700.
    ///
    /// An existing folder does not change.
    static func makeFolders(_ path: String) throws(SimulatorError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let number = errno
        guard number == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .fileSystem("create the folder", path, number)
        }
        try makeFolders(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .fileSystem("create the folder", path, errno) }
    }

    /// Returns false when the path exists.
    static func makeNewFolder(_ path: String) throws(SimulatorError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .fileSystem("create the folder", path, errno) }
        return false
    }

    /// Replaces a file atomically, with mode 0600.
    ///
    /// Readers see either the old or the new contents.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SimulatorError) {
        let temporary = path + ".new"
        do {
            try write(bytes, to: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Replaces a file that is written often.
    ///
    /// The old file stays as `path.old` until the next call overwrites that file.
    ///
    /// On ext4, the creation of files is slow if many files were deleted in the last few seconds. The function
    /// exchanges two files, and therefore does not create and delete a file for each write.
    ///
    /// Use this function only for files without concurrent readers. If the function is called twice while a reader has
    /// the file open, the second call overwrites the contents of the open file.
    static func exchange(_ path: String, with bytes: [UInt8]) throws(SimulatorError) {
        let spare = path + ".old"
        do {
            try write(bytes, to: spare, flags: O_WRONLY | O_CREAT)
        } catch {
            unlink(spare)
            throw error
        }
        // Move the file if there is no old file yet, or if the file system does not support the exchange.
        if crename_exchanging(spare, path) != 0 { try move(spare, to: path) }
    }

    /// If the write fails, the file keeps its old size.
    static func append(_ bytes: [UInt8], to path: String) throws(SimulatorError) {
        var status = stat()
        let size = stat(path, &status) == 0 ? status.st_size : 0
        do {
            try write(bytes, to: path, flags: O_WRONLY | O_CREAT | O_APPEND)
        } catch {
            truncate(path, size)
            throw error
        }
    }

    static func move(_ path: String, to target: String) throws(SimulatorError) {
        guard rename(path, target) == 0 else { throw .fileSystem("move", path, to: target, errno) }
    }

    static func size(_ path: String) throws(SimulatorError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .fileSystem("read", path, errno) }
        return Int(status.st_size)
    }

    /// Returns the complete lines in the last `count` bytes of a file.
    ///
    /// The function removes an incomplete last line from the file.
    ///
    /// The result is empty if the file does not exist.
    static func wholeLines(endOf path: String, count: Int) throws(SimulatorError) -> String {
        let file = open(path, O_RDWR | O_CLOEXEC)
        if file < 0, errno == ENOENT { return "" }
        guard file >= 0 else { throw .fileSystem("read", path, errno) }
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END))
        let start = max(0, size - count)
        var bytes = [UInt8](repeating: 0, count: size - start)
        guard pread(file, &bytes, bytes.count, off_t(start)) == bytes.count else {
            throw .fileSystem("read", path, errno)
        }
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if end < bytes.count, start == 0 || end > 0 { ftruncate(file, off_t(start + end)) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func write(_ bytes: [UInt8], to path: String, flags: Int32) throws(SimulatorError) {
        let file = open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .fileSystem("write", path, errno) }
        defer { close(file) }
        do throws(SystemFailure) { try FileBytes.write(bytes, to: file) } catch {
            throw .fileSystem("write", path, error.number)
        }
        // Cut off the rest of longer old contents.
        if flags & (O_TRUNC | O_APPEND) == 0, ftruncate(file, off_t(bytes.count)) != 0 {
            throw .fileSystem("write", path, errno)
        }
    }
}
