// Stores the sessions of the Print Center in the spool.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintCenter
import SafeFiles

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
        guard let file = try? RegularFile(path), file.status.st_uid == geteuid(), file.status.st_mode & 0o077 == 0,
            file.size < 1 << 20
        else { return nil }
        return (try? file.bytes(count: file.size)).map { Data($0) }
    }

    /// Replaces the content of the file.
    ///
    /// If the file cannot be written, for example because the disk is full, the sessions end when `printd` exits.
    func save(_ sessions: Data) {
        _ = thread.async { [path] in
            BlockingCall.check()
            try? AtomicFile.write(sessions, to: path, temporaryName: .new)
        }
    }
}
