// The file of a Unix socket. Clients can connect only after its mode is set.

import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The file of a Unix socket.
///
/// The server binds the socket inside a hidden directory that only the owner can enter, and sets the mode of the socket
/// there. Then the server renames the socket to its final path. If the final path still has the socket of an ended
/// process, the rename replaces that socket in one step. Therefore clients never find a socket with a wrong mode at the
/// final path, and never find the path without a socket during the replacement.
///
/// The hidden directory always has the same name and is removed when the socket has its final path. If a crashed
/// process did not remove the directory, the next process reuses the directory. A process locks the directory during
/// its use. If two processes start at the same time, the second process waits, and then detects that the socket is in
/// use.
final class UnixSocketFile: Sendable {
    let path: String
    let hiddenPath: String
    private let mode: UInt32
    private let folder: HiddenFolder
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

    /// Throws if `path` is too long, is in use, or belongs to a file that is not a socket.
    init(path: String, mode: UInt32, address: ListenAddress) async throws {
        self.path = path
        self.mode = mode
        let folderPath = HiddenFolder.path(for: path)
        hiddenPath = "\(folderPath)/s"
        // The size of sockaddr_un.sun_path with the terminating zero.
        guard max(path.utf8.count, hiddenPath.utf8.count) < 108 else {
            throw IPPServerError.badPath(path, "the socket path is longer than 107 bytes; use a shorter directory path")
        }
        folder = try await HiddenFolder(folderPath, for: address)
        do {
            unlink(hiddenPath)
            guard access(path, F_OK) == 0 else { return }
            guard FileIdentity(path) != nil else {
                throw IPPServerError.badPath(path, "the file exists and is not a socket; move the file")
            }
            if await Self.isServed(path) { throw IPPServerError.addressInUse(address) }
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Sets the mode of the bound socket and moves the socket to its path.
    func publish() throws {
        guard chmod(hiddenPath, mode_t(mode)) == 0, let identity = FileIdentity(hiddenPath),
            rename(hiddenPath, path) == 0
        else {
            throw IPPServerError.badPath(path, String(cString: strerror(errno)))
        }
        published.withLock { $0 = identity }
        folder.remove()
    }

    /// Removes the socket file if the file still belongs to this socket.
    func remove() {
        guard let identity = published.withLock({ $0 }) else {
            unlink(hiddenPath)
            folder.remove()
            return
        }
        if identity == FileIdentity(path) { unlink(path) }
    }

    private static func isServed(_ path: String) async -> Bool {
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { channel.closeOnExec() } }
            .connect(unixDomainSocketPath: path).get()
        channel?.close(promise: nil)
        return channel != nil
    }
}

/// The directory in which a socket is bound.
///
/// The process that uses the directory holds a lock on the directory.
private final class HiddenFolder: Sendable {
    private let path: String
    private let lock: Mutex<Int32?>

    /// The maximum time to wait until another process unlocks the directory.
    private static let timeout = Duration.seconds(5)

    /// The name is a dot and the first letters of the socket's name.
    ///
    /// The name is short because the length of a socket path is limited.
    static func path(for socket: String) -> String {
        let slash = socket.lastIndex(of: "/")
        let parent = slash.map { String(socket[...$0]) } ?? ""
        var letters = slash.map { String(socket[socket.index(after: $0)...]) } ?? socket
        while letters.utf8.count > 6 { letters.removeLast() }
        return "\(parent).\(letters)"
    }

    /// Creates the directory or opens the existing directory, and then locks the directory.
    ///
    /// Throws `addressInUse` if another process holds the lock for more than five seconds.
    init(_ path: String, for address: ListenAddress) async throws {
        self.path = path
        let end = ContinuousClock.now + Self.timeout
        while true {
            if let descriptor = try Self.locked(path) {
                lock = Mutex(descriptor)
                return
            }
            guard ContinuousClock.now < end else { throw IPPServerError.addressInUse(address) }
            // The kernel does not report the release of a file lock, so poll the lock.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    deinit { if let descriptor = lock.withLock({ $0 }) { close(descriptor) } }

    /// Returns the descriptor of the locked directory, or `nil` if another process holds the lock.
    private static func locked(_ path: String) throws -> Int32? {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw IPPServerError.badPath(path, "cannot create the directory: \(String(cString: strerror(errno)))")
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }  // the other process has just removed the directory
            throw IPPServerError.badPath(
                path, "cannot open the existing directory: \(String(cString: strerror(errno)))")
        }
        var opened = stat()
        var named = stat()
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, lstat(path, &named) == 0,
            opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
        else {
            close(descriptor)
            return nil
        }
        guard opened.st_uid == geteuid(), opened.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw IPPServerError.badPath(
                path,
                "the existing directory belongs to another user or is accessible to other users; remove the directory")
        }
        return descriptor
    }

    func remove() {
        lock.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            rmdir(path)
            close(open)
        }
    }
}
