// The file of a Unix socket: nobody can connect before its mode is right.

import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The place of a Unix socket in the file system.
///
/// The socket is bound inside a hidden folder that only its owner can enter, gets its mode there, and is then renamed
/// to its place, over a dead socket if there is one. So there is never a moment with a wrong mode or without a socket.
final class UnixSocketFile: Sendable {
    let path: String
    let hiddenPath: String
    private let mode: UInt32
    private let folder: String
    private let published = Mutex<FileIdentity?>(nil)

    private struct FileIdentity: Equatable {
        var device: dev_t
        var inode: ino_t

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
            device = status.st_dev
            inode = status.st_ino
        }
    }

    /// Makes the hidden folder; throws when `path` is too long, taken by a file, or served by someone.
    init(path: String, mode: UInt32, address: ListenAddress) async throws {
        self.path = path
        self.mode = mode
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? ""
        var template = Array("\(parent).XXXXXX".utf8CString)
        // sockaddr_un.sun_path, with its closing zero.
        guard max(path.utf8.count, template.count + 1) < 108 else {
            throw IPPServerError.badPath(path, "a socket's path has at most 107 bytes; choose a shorter folder")
        }
        if access(path, F_OK) == 0 {
            guard FileIdentity(path) != nil else {
                throw IPPServerError.badPath(path, "there is a file that is no socket; move it away")
            }
            if await Self.isServed(path) { throw IPPServerError.addressInUse(address) }
        }
        guard mkdtemp(&template) != nil else {
            throw IPPServerError.badPath(path, "its folder cannot be written to: \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        hiddenPath = "\(folder)/s"
    }

    /// Gives the bound socket its mode and puts it in its place.
    func publish() throws {
        guard chmod(hiddenPath, mode_t(mode)) == 0, let identity = FileIdentity(hiddenPath),
            rename(hiddenPath, path) == 0
        else {
            throw IPPServerError.badPath(path, String(cString: strerror(errno)))
        }
        published.withLock { $0 = identity }
    }

    /// Takes the socket away, unless another one is in its place by now.
    func remove() {
        unlink(hiddenPath)
        rmdir(folder)
        if let identity = published.withLock({ $0 }), identity == FileIdentity(path) { unlink(path) }
    }

    private static func isServed(_ path: String) async -> Bool {
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path).get()
        channel?.close(promise: nil)
        return channel != nil
    }
}
