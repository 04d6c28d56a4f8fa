// Writes files that must not replace existing files.

import Glibc
import SpoolerClient

/// A namespace for functions that create an output file whose name the user chooses.
enum NewFile {
    /// Throws an error if the output would replace an existing file.
    static func check(_ path: String) throws(SpoolerClientError) {
        var status = stat()
        if isProtected(path), lstat(path, &status) == 0 { throw exists(path) }
    }

    /// Returns whether a file at the path must not be replaced.
    ///
    /// The result is false for devices and pipes, such as `/dev/stdout`.
    static func isProtected(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return ![S_IFCHR, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Writes a file atomically, and syncs the file to disk.
    ///
    /// An incomplete file never appears under the given path.
    ///
    /// - Parameter mode: The mode of the file.
    static func write(
        _ bytes: [UInt8], to path: String, replaces: Bool, mode: mode_t = 0o600
    ) throws(SpoolerClientError) {
        let temporary = "\(path).\(getpid()).part"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw failure(path, errno) }
        do throws(SpoolerClientError) {
            defer { close(file) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(path, errno) }
                rest = rest.dropFirst(count)
            }
            // The umask must not hide a public file.
            guard fchmod(file, mode) == 0, fsync(file) == 0 else { throw failure(path, errno) }
            try move(temporary, to: path, replaces: replaces)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Renames a complete temporary file to its final name.
    static func move(_ temporary: String, to path: String, replaces: Bool) throws(SpoolerClientError) {
        guard !replaces else {
            guard rename(temporary, path) == 0 else { throw failure(path, errno) }
            return
        }
        // link(2) never replaces a file that was created meanwhile.
        guard link(temporary, path) == 0 else {
            let code = errno
            guard code != EEXIST else { throw exists(path) }
            // Some file systems have no hard links.
            guard access(path, F_OK) != 0, rename(temporary, path) == 0 else { throw failure(path, errno) }
            return
        }
        unlink(temporary)
    }

    /// Creates a file with the bytes of another file.
    ///
    /// - Throws: `SpoolerClientError` with `output` if the path exists or the file cannot be written. No incomplete
    ///   file remains.
    static func create(_ path: String, from source: String) throws(SpoolerClientError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure(source, errno) }
        defer { close(input) }
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard output >= 0 else { throw errno == EEXIST ? exists(path) : failure(path, errno) }
        var code = copy(input, to: output)
        if close(output) != 0, code == nil { code = errno }
        if let code {
            unlink(path)
            throw failure(path, code)
        }
    }

    /// Copies all bytes from one file descriptor to another file descriptor.
    ///
    /// Returns nil on success, otherwise the `errno` of the failure.
    static func copy(_ input: Int32, to output: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return errno }
            if count == 0 { return nil }
            var sent = 0
            while sent < count {
                let written = buffer.withUnsafeBytes { Glibc.write(output, $0.baseAddress! + sent, count - sent) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return errno }
                sent += written
            }
        }
    }

    private static func exists(_ path: String) -> SpoolerClientError {
        SpoolerClientError(.output, "'\(path.printable)' already exists; choose another name, or use --force")
    }

    private static func failure(_ path: String, _ code: Int32) -> SpoolerClientError {
        SpoolerClientError(.output, "cannot write '\(path.printable)': \(String(cString: strerror(code)))")
    }
}
