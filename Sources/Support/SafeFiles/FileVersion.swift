// Notices that a file was changed or replaced.

import Glibc

/// The version of a file: it differs from an earlier version after each change of the file.
package struct FileVersion: Equatable, Sendable {
    private var numbers: [Int]

    /// Creates the version of the file at a path; nil if the file does not exist.
    package init?(_ path: String) {
        var seen = stat()
        guard stat(path, &seen) == 0 else { return nil }
        numbers = [
            Int(truncatingIfNeeded: seen.st_dev), Int(truncatingIfNeeded: seen.st_ino), Int(seen.st_size),
            seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec, seen.st_ctim.tv_sec, seen.st_ctim.tv_nsec,
        ]
    }
}
