// The file of a Unix socket: nobody can connect before its mode is right.

import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The place of a Unix socket in the file system.
///
/// The socket is bound inside a hidden folder that only its owner can enter, gets its mode there, and is then renamed
/// to its place, over a dead socket if there is one. So there is never a moment with a wrong mode or without a socket.
///
/// The hidden folder always has the same name and is gone as soon as the socket is in its place; one that a process left
/// as it died is used again. While it is there it is locked, so that of two that come at once the second waits, and
/// then sees that the socket is served.
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

    /// Makes the hidden folder; throws when `path` is too long, taken by a file, or served by someone.
    init(path: String, mode: UInt32, address: ListenAddress) async throws {
        self.path = path
        self.mode = mode
        let folderPath = HiddenFolder.path(for: path)
        hiddenPath = "\(folderPath)/s"
        // sockaddr_un.sun_path, with its closing zero.
        guard max(path.utf8.count, hiddenPath.utf8.count) < 108 else {
            throw IPPServerError.badPath(path, "a socket's path has at most 107 bytes; choose a shorter folder")
        }
        folder = try await HiddenFolder(folderPath, for: address)
        do {
            unlink(hiddenPath)
            guard access(path, F_OK) == 0 else { return }
            guard FileIdentity(path) != nil else {
                throw IPPServerError.badPath(path, "there is a file that is no socket; move it away")
            }
            if await Self.isServed(path) { throw IPPServerError.addressInUse(address) }
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Gives the bound socket its mode and puts it in its place.
    func publish() throws {
        guard chmod(hiddenPath, mode_t(mode)) == 0, let identity = FileIdentity(hiddenPath),
            rename(hiddenPath, path) == 0
        else {
            throw IPPServerError.badPath(path, String(cString: strerror(errno)))
        }
        published.withLock { $0 = identity }
        folder.remove()
    }

    /// Takes the socket away, unless another one is in its place by now.
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

/// The folder in which a socket is bound, locked while it is there.
private final class HiddenFolder: Sendable {
    private let path: String
    private let lock: Mutex<Int32?>

    /// How long one waits for another that opens its socket.
    private static let patience = Duration.seconds(5)

    /// A dot and the first letters of the socket's name, so short that the path of the socket inside stays short.
    static func path(for socket: String) -> String {
        let slash = socket.lastIndex(of: "/")
        let parent = slash.map { String(socket[...$0]) } ?? ""
        var letters = slash.map { String(socket[socket.index(after: $0)...]) } ?? socket
        while letters.utf8.count > 6 { letters.removeLast() }
        return "\(parent).\(letters)"
    }

    /// Makes the folder or takes the one that is there, and locks it.
    init(_ path: String, for address: ListenAddress) async throws {
        self.path = path
        let end = ContinuousClock.now + Self.patience
        while true {
            if let descriptor = try Self.locked(path) {
                lock = Mutex(descriptor)
                return
            }
            guard ContinuousClock.now < end else { throw IPPServerError.addressInUse(address) }
            // A lock tells nobody when it is let go of, so it is asked again.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    deinit { if let descriptor = lock.withLock({ $0 }) { close(descriptor) } }

    /// The folder's open and locked descriptor; nil while another has it.
    private static func locked(_ path: String) throws -> Int32? {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw IPPServerError.badPath(path, "its folder cannot be written to: \(String(cString: strerror(errno)))")
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }  // the other one has just removed it
            throw IPPServerError.badPath(path, "it is in the way: \(String(cString: strerror(errno)))")
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
            throw IPPServerError.badPath(path, "it is in the way, and not for its owner alone; remove it")
        }
        return descriptor
    }

    /// Removes the folder, and lets the next one in.
    func remove() {
        lock.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            rmdir(path)
            close(open)
        }
    }
}
