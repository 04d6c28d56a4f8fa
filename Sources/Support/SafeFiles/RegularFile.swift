// Opens files in folders to which other processes can write.

package import Glibc

/// A regular file that is open for reading.
///
/// The path is not followed if it is a symbolic link, because a link could lead to any file of the user. Opening a named
/// pipe does not block.
package final class RegularFile: Sendable {
    /// The descriptor of the open file.
    package let descriptor: Int32
    /// The attributes of the file when it was opened.
    package let status: stat

    /// Opens a file.
    ///
    /// - Throws: `EINVAL` if the file is not a regular file.
    package init(_ path: String) throws(SystemFailure) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SystemFailure(EINVAL)
        }
        self.status = status
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The size of the file in bytes when it was opened.
    package var size: Int { Int(status.st_size) }

    /// Whether the file belongs to the user of this process and has no other name.
    package var isOwn: Bool { status.st_uid == geteuid() && status.st_nlink == 1 }

    /// Returns the bytes at an offset; fewer bytes at the end of the file.
    package func bytes(at offset: Int = 0, count: Int) throws(SystemFailure) -> [UInt8] {
        try FileBytes.read(descriptor, at: offset, count: count)
    }
}
