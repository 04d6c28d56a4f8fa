// Writes files that must not replace existing files.

import Glibc
import SafeFiles
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
        let file = try temporary(for: path)
        try file.append(bytes)
        // The umask must not hide a public file.
        guard fchmod(file.descriptor, mode) == 0 else { throw failure(path, SystemFailure(errno)) }
        try file.finish(sync: .content, replaces: replaces)
    }

    /// Creates a file that gets its final name after all bytes are written.
    static func temporary(for path: String) throws(SpoolerClientError) -> AtomicFile<SpoolerClientError> {
        try AtomicFile(path: path) { failure(path, $0) }
    }

    /// Creates a file with the bytes of another file.
    ///
    /// - Throws: `SpoolerClientError` with `output` if the path exists or the file cannot be written. No incomplete
    ///   file remains.
    static func create(_ path: String, from source: String) throws(SpoolerClientError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure(source, SystemFailure(errno)) }
        defer { close(input) }
        let file = try AtomicFile(path: path, mode: 0o666) { failure(path, $0) }
        try FileBytes.copy(from: input, to: file.descriptor) { error, _ in failure(path, error) }
        try file.finish(replaces: false)
    }

    private static func exists(_ path: String) -> SpoolerClientError {
        SpoolerClientError(.output, "'\(path.printable)' already exists; choose another name, or use --force")
    }

    private static func failure(_ path: String, _ error: SystemFailure) -> SpoolerClientError {
        error.number == EEXIST
            ? exists(path) : SpoolerClientError(.output, "cannot write '\(path.printable)': \(error)")
    }
}
