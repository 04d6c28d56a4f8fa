// A server that says exactly what a test wants it to say.

import Glibc
import PrintTestSupport

/// Listens on a free port; each connection is handed to a script that reads and writes raw bytes.
///
/// It listens until the test process ends, so that no test has to keep it alive.
public struct ScriptedServer: Sendable {
    /// The port it listens on, at 127.0.0.1.
    public let port: Int

    /// A server whose connections are handed to a script, one after the other.
    public init(_ script: @escaping @Sendable (Peer) -> Void) throws {
        let place = try LoopbackPort()
        port = place.number
        try place.serve { script(Peer(descriptor: $0)) }
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
