// Simulates a machine that accepts connections and never responds.

import Foundation
import Glibc
import PrintTestSupport
import Synchronization

/// A listener on 127.0.0.1 that accepts every connection, keeps it open, reads nothing and never responds.
final class SilentListener: Sendable {
    /// The TCP port.
    let port: Int
    private let descriptor: Int32
    private let accepted = Mutex<[Int32]>([])

    init() throws {
        let place = try LoopbackPort()
        (port, descriptor) = (place.number, place.socket)
        listen(descriptor, 4096)
        let thread = Thread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 || errno == EINTR else { return }
                if connection >= 0 { accepted.withLock { $0.append(connection) } }
            }
        }
        thread.start()
    }

    /// The number of accepted connections.
    var count: Int { accepted.withLock { $0.count } }
}
