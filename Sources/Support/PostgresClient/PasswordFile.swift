// Reads a password from a file.

import Glibc

/// A file whose first line is a password.
enum PasswordFile {
    /// The maximum size of the file, in bytes.
    private static let mostBytes = 4096

    /// Returns the password in a file.
    ///
    /// The file must be a regular file that other users cannot read. The owner of the file must be root or the user of
    /// this process. If the owner is root, as for credential files of systemd, the group of the file can have read
    /// access.
    ///
    /// - Throws: `badAddress` if the file cannot be used.
    static func password(at path: String) throws(PostgresError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "it is not a regular file") }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw failure(path, "it belongs to another user; run 'chown' so that it belongs to you")
        }
        let forbidden: mode_t = status.st_uid == 0 ? 0o007 : 0o077
        guard status.st_mode & forbidden == 0 else {
            throw failure(path, "other users can read it; run 'chmod 600 \(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        guard count <= mostBytes else { throw failure(path, "it has more than \(mostBytes) bytes") }
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0), let password = String(validating: line, as: UTF8.self) else {
            throw failure(path, "its first line is not a password in UTF-8")
        }
        return password
    }

    private static func failure(_ path: String, _ reason: String) -> PostgresError {
        PostgresError(.badAddress, "cannot use the password file '\(path)': \(reason)")
    }
}
