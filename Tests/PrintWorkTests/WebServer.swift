// A web server that counts who asks.

import Glibc
import Synchronization

/// A real HTTP server on the loopback, which answers each path with what it was given, and counts.
final class WebServer: Sendable {
    /// An answer: its status, header lines and body.
    struct Page: Sendable {
        var status = "200 OK"
        var header = "Content-Type: text/plain"
        var body: [UInt8] = []
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    let address: String
    private let socket: Int32
    private let asked = Mutex<[String]>([])

    /// The paths that were asked for, in order.
    var requests: [String] { asked.withLock { $0 } }

    init(_ pages: [String: Page]) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                precondition(bind(socket, place, size) == 0 && listen(socket, 20) == 0)
                getsockname(socket, place, &size)
            }
        }
        address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
        self.socket = socket
        Thread.start { [weak self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                var buffer = [UInt8](repeating: 0, count: 8192)
                let count = max(read(connection, &buffer, buffer.count), 0)
                let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
                let path = words.count > 1 ? String(words[1]) : ""
                self?.asked.withLock { $0.append(path) }
                let page = pages[path] ?? Page(status: "404 Not Found")
                let head = "HTTP/1.1 \(page.status)\r\n\(page.header)\r\nContent-Length: \(page.body.count)\r\n"
                let bytes = Array("\(head)Connection: close\r\n\r\n".utf8) + page.body
                _ = write(connection, bytes, bytes.count)
                shutdown(connection, Int32(SHUT_RDWR))
                close(connection)
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private enum Thread {
        private final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        static func start(_ run: @escaping @Sendable () -> Void) {
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { pointer in
                    Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(Body(run)).toOpaque())
            pthread_detach(thread)
        }
    }
}
