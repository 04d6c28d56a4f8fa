// Reads the free space of a disk.

import Glibc
import SpoolerClient

/// The size and the free space of the disk that contains a folder.
struct DiskSpace: Sendable, Hashable {
    /// The size of the disk, in bytes.
    var total: Int
    /// The free space that unprivileged users can use, in bytes.
    var free: Int

    /// Creates a description of a disk from its size and its free space, in bytes.
    init(total: Int, free: Int) { (self.total, self.free) = (total, free) }

    /// Reads the disk space for a folder; nil if the folder is not accessible.
    ///
    /// If the folder does not exist, the initializer uses the nearest existing parent folder.
    init?(of folder: String) {
        var path = folder
        var file = statvfs()
        while statvfs(path, &file) != 0 {
            guard errno == ENOENT, path.count > 1 else { return nil }
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            if path.isEmpty { path = "/" }
        }
        let unit = Int(clamping: file.f_frsize)
        self.init(total: Int(clamping: file.f_blocks) * unit, free: Int(clamping: file.f_bavail) * unit)
    }

    /// The free space and the size as text for users, such as `12.3 GiB of 40.0 GiB free`.
    var text: String { "\(Self.gibibytes(free)) of \(Self.gibibytes(total)) free" }

    private static func gibibytes(_ bytes: Int) -> String {
        let tenths = bytes / (1 << 30) * 10 + bytes % (1 << 30) * 10 / (1 << 30)
        return tenths < 10 ? "\(bytes >> 20) MiB" : "\(tenths / 10).\(tenths % 10) GiB"
    }

    /// The free space and the size as JSON, in bytes.
    var json: JSONText { .object([("total-bytes", .number(total)), ("free-bytes", .number(free))]) }
}
