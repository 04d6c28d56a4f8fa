// A web server that records the received requests.

import Glibc
import Synchronization

/// A real HTTP server on the loopback interface.
///
/// The server returns a fixed response for each path and records the requests.
package final class WebServer: Sendable {
    /// A response: the status, the header lines and the body.
    package struct Page: Sendable {
        package var status: String
        package var header: String
        package var body: [UInt8]

        package init(status: String = "200 OK", header: String = "Content-Type: text/plain", body: [UInt8] = []) {
            (self.status, self.header, self.body) = (status, header, body)
        }
    }

    /// The address of the server: `http://127.0.0.1:PORT`.
    package let address: String
    private let socket: Int32
    private let asked = Mutex<[String]>([])

    /// The requested paths, in order.
    package var requests: [String] { asked.withLock { $0 } }

    /// Starts a server with a response for each path.
    package init(_ pages: [String: Page]) throws {
        let place = try LoopbackPort()
        address = "http://127.0.0.1:\(place.number)"
        socket = place.socket
        try place.serve { [weak self] connection in
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
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
