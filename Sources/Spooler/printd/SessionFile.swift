// Stores the sessions of the Print Center in the spool.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintCenter

/// The file `sessions.json` of a spool.
///
/// Only the server's user can read the file. The file contains the cookies of signed-in browsers. If the file is
/// deleted, all users must sign in again.
struct SessionFile: SessionStore {
    private let path: String
    /// The thread that writes the file.
    private let thread = BlockingThreads()

    /// Creates the session store for the folder of a spool.
    init(spool: String) { path = "\(spool)/sessions.json" }

    /// Returns the content of the file; nil if the file does not exist, is accessible to other users, or has 1 MiB or
    /// more.
    func load() -> Data? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0, status.st_size < 1 << 20
        else { return nil }
        return FileManager.default.contents(atPath: path)
    }

    /// Replaces the content of the file.
    ///
    /// If the file cannot be written, for example because the disk is full, the sessions end when `printd` exits.
    func save(_ sessions: Data) {
        _ = thread.async { [path] in Self.write(sessions, to: path) }
    }

    private static func write(_ sessions: Data, to path: String) {
        BlockingCall.check()
        let new = "\(path).new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(sessions)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count
        close(file)
        if !isWritten || rename(new, path) != 0 { unlink(new) }
    }
}
