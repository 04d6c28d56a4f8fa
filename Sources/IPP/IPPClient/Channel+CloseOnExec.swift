// Sockets that programs started by this process do not get.

import Glibc
import NIOCore

extension Channel {
    /// Has the channel's socket closed in programs that this process starts; to be called on the channel's event loop.
    ///
    /// SwiftNIO opens and accepts sockets without `SOCK_CLOEXEC`.
    func closeOnExec() {
        _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }
}
