// Files that appear whole or not at all.

import CRename
import Glibc

/// What the system says of an error number.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }

/// The few things done to files here, each with an error that names the file.
enum FileOperations {
    /// Makes a folder (mode 0700) and those above it; one that exists is left as it is.
    static func makeFolders(_ path: String) throws(SimulatorError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let number = errno
        guard number == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .fileSystem("make the folder", path, number)
        }
        try makeFolders(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .fileSystem("make the folder", path, errno) }
    }

    /// Makes one new folder; false when something of that name exists.
    static func makeNewFolder(_ path: String) throws(SimulatorError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .fileSystem("make the folder", path, errno) }
        return false
    }

    /// Replaces a file by one with the given bytes (mode 0600): readers see the old one or the new one.
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

    /// Replaces a file that is written often: the old one stays as `path.old`, and is written over the next time.
    ///
    /// To make and to remove a file each time is slow where many are made: ext4 looks at each that was removed in the last
    /// seconds before it makes one. Whoever opens the file and reads it only later may find the next but one in it, so this
    /// is for files that nobody reads while they are written.
    static func exchange(_ path: String, with bytes: [UInt8]) throws(SimulatorError) {
        let spare = path + ".old"
        do {
            try write(bytes, to: spare, flags: O_WRONLY | O_CREAT)
        } catch {
            unlink(spare)
            throw error
        }
        // There is no old one yet, or the file system cannot do it.
        if crename_exchanging(spare, path) != 0 { try move(spare, to: path) }
    }

    /// Adds bytes to a file's end in one piece, or not at all.
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

    /// Moves a file or folder within its file system.
    static func move(_ path: String, to target: String) throws(SimulatorError) {
        guard rename(path, target) == 0 else { throw .fileSystem("move to \(target) the file", path, errno) }
    }

    /// The size of a file in bytes.
    static func size(_ path: String) throws(SimulatorError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .fileSystem("read", path, errno) }
        return Int(status.st_size)
    }

    /// The first bytes of a file, at most `count`.
    static func head(_ path: String, count: Int) throws(SimulatorError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .fileSystem("read", path, errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = read(file, &bytes, count)
        guard length >= 0 else { throw .fileSystem("read", path, errno) }
        return Array(bytes.prefix(length))
    }

    /// The whole lines at the end of a file, of at most `count` bytes; what follows the last line's end is cut off.
    ///
    /// A file that is not there has no lines.
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
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                throw .fileSystem("write", path, errno)
            }
            rest = rest.dropFirst(written)
        }
        // What was longer before ends here too.
        if flags & (O_TRUNC | O_APPEND) == 0, ftruncate(file, off_t(bytes.count)) != 0 {
            throw .fileSystem("write", path, errno)
        }
    }
}
