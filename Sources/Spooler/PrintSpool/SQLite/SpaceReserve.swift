// Keeps space on the disk for changes of jobs and printers while the disk is full.

import AsyncPrimitives
import Glibc
import Synchronization

/// A file beside the database that occupies space, and gives the space back while the disk is full.
///
/// On a full disk, SQLite could not even store that a job is canceled or deleted, so nothing could be freed. Such
/// changes take space from the reserve, one step at a time, so that other programs can take little of it. New jobs are
/// refused until the disk has space for the whole reserve again.
package final class SpaceReserve: Sendable {
    /// The size of the reserve in bytes.
    ///
    /// The size is sufficient for the largest transaction: the removal of 100 jobs with documents in the database, whose
    /// pages are overwritten. It also lets the database grow by the usual length of its log (`WriteAheadLog`).
    static let size = 16 << 20
    /// The number of bytes that are given back at once.
    private static let step = 1 << 20

    private let path: String
    /// The number of bytes that the file occupies.
    private let held: Mutex<Int>

    /// Creates the reserve of the database at a path, from the existing file of an earlier process.
    init(ofDatabase path: String) {
        self.path = "\(path.lastIndex(of: "/").map { path[...$0] } ?? "")reserve"
        var status = stat()
        let isFile = lstat(self.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        held = Mutex(isFile ? min(Int(status.st_size), Self.size) : 0)
    }

    /// The number of bytes that are still available for changes.
    var level: Int { held.withLock { $0 } }

    var isComplete: Bool { level == Self.size }

    /// Gives a part of the reserve back to the disk.
    ///
    /// - Parameter level: The level before the change that failed. If another change has used the reserve since, the
    ///   function gives nothing back.
    /// - Returns: Whether the change can be repeated.
    func release(below level: Int) -> Bool {
        held.withLock { held in
            held < level || release(Self.step, from: &held)
        }
    }

    /// Gives so much back that a number of bytes is free.
    ///
    /// - Returns: False if the reserve does not suffice. In that case, the function gives nothing back.
    func release(untilFree bytes: Int) -> Bool {
        held.withLock { held in
            var disk = statvfs()
            guard statvfs(path, &disk) == 0 else { return false }
            let missing = bytes - Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize)
            return missing <= 0 || missing <= held && release(missing, from: &held)
        }
    }

    private func release(_ bytes: Int, from held: inout Int) -> Bool {
        BlockingCall.check()
        guard held > 0 else { return false }
        let file = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let rest = max(0, held - bytes)
        guard ftruncate(file, rest) == 0 else { return false }
        held = rest
        return true
    }

    /// Occupies the missing space again if the disk has it, and leaves as much as one step free.
    ///
    /// A file system that cannot reserve space has no reserve.
    ///
    /// - Returns: Whether the reserve is complete.
    @discardableResult
    func renew() -> Bool {
        held.withLock { held in
            if held == Self.size { return true }
            let failure = occupy(Self.size, from: held)
            guard failure != ENOSPC, failure != EDQUOT else { return false }
            held = Self.size
            return true
        }
    }

    /// Lets the file occupy a number of bytes, and returns 0 or an error number.
    private func occupy(_ size: Int, from held: Int) -> Int32 {
        BlockingCall.check()
        let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        defer { close(file) }
        var disk = statvfs()
        guard fstatvfs(file, &disk) == 0 else { return errno }
        let free = Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize)
        guard free >= size - held + Self.step else { return ENOSPC }
        let failure = posix_fallocate(file, 0, size)
        if failure != 0 { ftruncate(file, held) }
        return failure
    }
}
