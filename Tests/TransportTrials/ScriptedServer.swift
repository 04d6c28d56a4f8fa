// A server that says exactly what a test wants it to say.

import Dispatch
import Glibc
import Testing

/// Listens on a free port; each connection is handed to a script that reads and writes raw bytes.
///
/// It listens until the test process ends, so that no test has to keep it alive.
public struct ScriptedServer: Sendable {
    /// The port it listens on, at 127.0.0.1.
    public let port: Int

    /// A server whose connections are handed to a script, one after the other.
    public init(_ script: @escaping @Sendable (Peer) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(bound)
        port = Int(in_port_t(bigEndian: address.sin_port))
        DispatchQueue(label: "scripted-server").async {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                script(Peer(descriptor: descriptor))
                close(descriptor)
            }
        }
    }

    /// The script's end of a connection.
    public struct Peer {
        /// The connection.
        public let descriptor: Int32

        /// Reads until `end` has come, or the client closes.
        @discardableResult
        public func read(until end: [UInt8]) -> [UInt8] {
            var all: [UInt8] = []
            var byte: UInt8 = 0
            while !all.suffix(end.count).elementsEqual(end), recv(descriptor, &byte, 1, 0) == 1 { all.append(byte) }
            return all
        }

        /// Reads one request without a document, header and attributes, and returns its request id.
        @discardableResult
        public func readRequest() -> Int32 {
            readHeader()
            let attributes = read(until: [3])
            guard attributes.count >= 8 else { return 0 }
            return attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) }
        }

        /// Reads the header of a request.
        @discardableResult
        public func readHeader() -> String { String(decoding: read(until: Array("\r\n\r\n".utf8)), as: UTF8.self) }

        /// Writes bytes.
        public func write(_ bytes: [UInt8]) {
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Writes text.
        public func write(_ text: String) { write(Array(text.utf8)) }

        /// Answers with `successful-ok` and nothing else.
        public func answer(_ requestID: Int32, extraHeader: String = "") {
            let id = withUnsafeBytes(of: requestID.bigEndian, Array.init)
            write("HTTP/1.1 200 OK\r\n\(extraHeader)Content-Type: application/ipp\r\nContent-Length: 9\r\n\r\n")
            write([2, 0, 0, 0] + id + [3])
        }
    }
}
