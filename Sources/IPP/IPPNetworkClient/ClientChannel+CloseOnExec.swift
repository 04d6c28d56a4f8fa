// Prevents child processes from inheriting sockets.

import Glibc
import NIOCore

extension Channel {
    /// Sets the close-on-exec flag of the channel's socket.
    ///
    /// Call this method on the channel's event loop.
    ///
    /// SwiftNIO opens and accepts sockets without `SOCK_CLOEXEC`.
    func closeOnExec() {
        _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }
}
