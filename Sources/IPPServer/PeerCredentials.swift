// Who connected, as the kernel says.

import Glibc
import NIOCore
import PrintIPP

/// `struct ucred` of unix(7), which glibc shows only to C with `_GNU_SOURCE`.
private struct PeerCredentials: Sendable {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
}

extension Channel {
    /// Calls `body` with the other end of this connected channel; not at all when that is gone already.
    ///
    /// To be called on the channel's event loop; `body` runs before it returns.
    func readPeer(_ body: @escaping (Peer) -> Void) {
        if let address = remoteAddress ?? localAddress, let ip = address.ipAddress {
            return body(.tcp(address: ip, port: address.port ?? 0))
        }
        guard let options = self as? any SocketOptionProvider else { return }
        let credentials: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        credentials.assumeIsolated().whenSuccess { body(.unix(uid: $0.uid, gid: $0.gid, pid: $0.pid)) }
    }
}
