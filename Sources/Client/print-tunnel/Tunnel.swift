// Copies bytes in both directions until one end closes the connection.

import Glibc

/// A tunnel between the standard streams and a TLS session.
///
/// Neither direction waits for the other, because a server can respond before it has received a whole document.
struct Tunnel {
    let session: TLSClientSession
    let socket: Int32

    /// The bytes of one direction that were read and not yet written.
    private struct Pending {
        private var bytes = [UInt8](repeating: 0, count: 64 << 10)
        private var range = 0..<0

        var isEmpty: Bool { range.isEmpty }

        /// Fills the empty buffer; `read` returns the number of bytes.
        mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) {
            range = 0..<bytes.withUnsafeMutableBytes(read)
        }

        /// Empties a part of the buffer; `write` returns the number of bytes.
        mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
            let count = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[range])) }
            range = range.lowerBound + count..<range.upperBound
        }
    }

    func run() throws(TunnelFailure) {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        var (toServer, toClient) = (Pending(), Pending())
        var (clientEnded, serverEnded) = (false, false)
        while !(serverEnded && toClient.isEmpty), !(clientEnded && toServer.isEmpty) {
            wait(
                readsClient: toServer.isEmpty && !clientEnded, writesServer: !toServer.isEmpty,
                readsServer: toClient.isEmpty && !serverEnded, writesClient: !toClient.isEmpty)
            if toServer.isEmpty, !clientEnded {
                toServer.fill { space in
                    let count = read(STDIN_FILENO, space.baseAddress, space.count)
                    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { clientEnded = true }
                    return max(0, count)
                }
            }
            if !toServer.isEmpty {
                toServer.drain { bytes in
                    switch session.send(bytes) {
                    case .bytes(let count): return count
                    case .wait: return 0
                    case .end:
                        // The server can have responded before it closed the connection.
                        clientEnded = true
                        return bytes.count
                    }
                }
            }
            if toClient.isEmpty, !serverEnded {
                toClient.fill { space in
                    switch session.receive(into: space) {
                    case .bytes(let count): return count
                    case .wait: return 0
                    case .end:
                        serverEnded = true
                        return 0
                    }
                }
            }
            if !toClient.isEmpty {
                toClient.drain { bytes in
                    let count = write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
                    if count < 0, errno != EAGAIN, errno != EINTR {
                        clientEnded = true
                        return bytes.count
                    }
                    return max(0, count)
                }
            }
        }
        session.finish()
    }

    private func wait(readsClient: Bool, writesServer: Bool, readsServer: Bool, writesClient: Bool) {
        guard session.pending == 0 || !readsServer else { return }
        var waiting = [
            pollfd(fd: readsClient ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: writesClient ? STDOUT_FILENO : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(
                fd: readsServer || writesServer ? socket : -1,
                events: Int16((readsServer ? POLLIN : 0) | (writesServer ? POLLOUT : 0)), revents: 0),
        ]
        poll(&waiting, nfds_t(waiting.count), -1)
    }
}
