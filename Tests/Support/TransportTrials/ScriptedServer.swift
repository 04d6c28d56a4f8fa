// Provides a server that sends predefined bytes.

import Dispatch
import Glibc
public import IPPClient
import PrintTestSupport
import Testing

/// A server on a free port that calls a script for each connection; the script reads and writes raw bytes.
///
/// The server listens until the test process ends, so tests need not keep a reference.
public struct ScriptedServer: Sendable {
    /// The port of the server at 127.0.0.1.
    public let port: Int
    /// The address for clients: the port, or a Unix socket in `socketFolder`.
    public let address: IPPAddress

    /// The folder for the Unix sockets of new servers; nil if new servers listen only on ports.
    @TaskLocal public static var socketFolder: String?

    /// Creates a server that runs the script for one connection at a time.
    public init(_ script: @escaping @Sendable (Peer) -> Void) throws {
        let place = try LoopbackPort()
        port = place.number
        try place.serve { script(Peer(descriptor: $0)) }
        guard let folder = Self.socketFolder else {
            address = .tcp(host: "127.0.0.1", port: port)
            return
        }
        let path = "\(folder)/\(port)"
        address = .unix(path: path)
        let listener = try #require(TestSocket(path: path))
        let socket = listener.descriptor
        // The socket is never closed.
        _ = Unmanaged.passRetained(listener)
        DispatchQueue(label: "door").async {
            while case let descriptor = accept(socket, nil, nil), descriptor >= 0 {
                script(Peer(descriptor: descriptor))
                close(descriptor)
            }
        }
    }

    /// The server's end of a connection.
    public struct Peer {
        /// The socket of the connection.
        public let descriptor: Int32

        /// Reads until `end` has been received, or the client closes the connection.
        @discardableResult
        public func read(until end: [UInt8]) -> [UInt8] {
            var all: [UInt8] = []
            var byte: UInt8 = 0
            while !all.suffix(end.count).elementsEqual(end), recv(descriptor, &byte, 1, 0) == 1 { all.append(byte) }
            return all
        }

        /// Reads one request without a document, and returns its request ID.
        @discardableResult
        public func readRequest() -> Int32 {
            readHeader()
            let attributes = read(until: [3])
            guard attributes.count >= 8 else { return 0 }
            return attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) }
        }

        /// Reads the HTTP header of a request.
        @discardableResult
        public func readHeader() -> String { String(decoding: read(until: Array("\r\n\r\n".utf8)), as: UTF8.self) }

        /// Writes bytes; returns false if the client has closed the connection.
        @discardableResult
        public func write(_ bytes: [UInt8]) -> Bool {
            send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }

        /// Begins a response with a printer attribute that has one value.
        ///
        /// ``moreValues`` continues the response.
        public func beginEndlessAnswer() {
            write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 1000000000\r\n\r\n")
            write([2, 0, 0, 0, 0, 0, 0, 1, 4, 0x44, 0, 1, 0x61, 0, 0])
        }

        /// About 64 KiB of further values of an attribute.
        public static let moreValues = (1...64).flatMap { _ in
            [0x44, 0, 0, 3, 0xE8] + [UInt8](repeating: 0x61, count: 1000)
        }

        /// Writes text.
        public func write(_ text: String) { write(Array(text.utf8)) }

        /// Responds with `successful-ok` and no attributes.
        public func answer(_ requestID: Int32, extraHeader: String = "") {
            let id = withUnsafeBytes(of: requestID.bigEndian, Array.init)
            write("HTTP/1.1 200 OK\r\n\(extraHeader)Content-Type: application/ipp\r\nContent-Length: 9\r\n\r\n")
            write([2, 0, 0, 0] + id + [3])
        }
    }
}
