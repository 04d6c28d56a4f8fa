// The identity of a client, as the kernel reports it.

import CPeerUser
import Glibc
import NIOCore
import PrintIPP

/// The credentials of a client, in the form of the `struct ucred` of unix(7).
///
/// glibc defines this type only for C with `_GNU_SOURCE`.
private struct PeerCredentials: Sendable {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
}

extension Channel {
    /// Calls `body` with the credentials of the client of this connected channel.
    ///
    /// The method does not call `body` if the client has disconnected.
    ///
    /// Call this method on the channel's event loop. `body` runs before the method returns.
    func readPeer(_ body: @escaping (Peer) -> Void) {
        if let address = remoteAddress ?? localAddress, let ip = address.ipAddress {
            let peer = Peer.tcp(address: ip, port: address.port ?? 0)
            let uid = peer.isOnThisMachine ? loopbackUser : nil
            return body(.tcp(address: ip, port: address.port ?? 0, uid: uid))
        }
        guard let options = self as? any SocketOptionProvider else { return }
        let credentials: EventLoopFuture<PeerCredentials> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        credentials.assumeIsolated().whenSuccess { body(.unix(uid: $0.uid, gid: $0.gid, pid: $0.pid)) }
    }

    /// The user ID of the process at the other end of a loopback connection, or `nil` if the kernel does not report the
    /// user ID.
    private var loopbackUser: UInt32? {
        guard let remoteAddress, let localAddress else { return nil }
        var user: UInt32 = 0
        let error = remoteAddress.withSockAddr { peer, _ in
            localAddress.withSockAddr { own, _ in peer_user(peer, own, &user) }
        }
        return error == 0 ? user : nil
    }
}
