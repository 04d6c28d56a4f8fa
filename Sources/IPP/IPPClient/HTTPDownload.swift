// Downloads a file from printd or another server.

import FoundationEssentials
import Glibc
import SafeFiles

/// A download from a server: the body of the response to a GET request is written to an open file during the transfer.
///
///     try await HTTPDownload(fromSocket: "/run/printq/printd.sock").fetch("/api/v1/backup", into: descriptor)
public struct HTTPDownload: Sendable {
    private enum Place: Sendable {
        /// The path of the Unix socket of printd.
        case socket(String)
        case connection(SocketConnection)
    }

    private let place: Place
    /// The value of the field `Host`.
    private let host: String
    /// The name of the server in error messages.
    private let server: String
    private let timeout: Duration

    /// The maximum number of bytes that the client keeps from the body of an error response.
    private static let longestRefusal = 1 << 16

    /// Creates a download from the server on a Unix socket.
    ///
    /// - Parameter timeout: The maximum time to wait for the next data from the server.
    package init(fromSocket socket: String, timeout: Duration = .seconds(600)) {
        (place, host, server, self.timeout) = (.socket(socket), "localhost", "printd", timeout)
    }

    /// Creates one download over a connected stream socket.
    ///
    /// - Parameters:
    ///   - peer: The object at the other end, which must exist as long as the connection.
    ///   - host: The host and, if it is not the default, the port of the server.
    package init(over descriptor: Int32, peer: any Sendable, host: String, timeout: Duration = .seconds(10)) {
        place = .connection(SocketConnection(descriptor: descriptor, peer: peer))
        (self.host, server, self.timeout) = (host, "the server", timeout)
    }

    /// Sends the request, and writes the body of the response to an open file.
    ///
    /// - Throws: `HTTPDownloadError` if the server refuses the request or the body is incomplete. The bytes written
    ///   before the failure remain in the file.
    package func fetch(_ path: String, into descriptor: Int32) async throws(HTTPDownloadError) {
        try await fetch(path) { (piece) throws(HTTPDownloadError) in try write(piece, to: descriptor) }
    }

    /// Sends the request, and returns the body of the response.
    ///
    /// - Throws: `HTTPDownloadError`, also if the body has more bytes than `mostBytes`.
    package func body(of path: String, mostBytes: Int) async throws(HTTPDownloadError) -> [UInt8] {
        var body: [UInt8] = []
        try await fetch(path) { (piece) throws(HTTPDownloadError) in
            guard body.count + piece.count <= mostBytes else {
                throw HTTPDownloadError(.incomplete, "the document is larger than \(mostBytes >> 10) KiB")
            }
            body += piece
        }
        return body
    }

    private func fetch(
        _ path: String, take: (ArraySlice<UInt8>) throws(HTTPDownloadError) -> Void
    ) async throws(HTTPDownloadError) {
        let connection = try connection()
        let failure = await withTaskCancellationHandler { () async -> HTTPDownloadError? in
            do throws(HTTPDownloadError) {
                try await fetch(path, over: connection, take: take)
                return nil
            } catch {
                return error
            }
        } onCancel: {
            connection.cancel()
        }
        if let failure { throw failure }
    }

    private func connection() throws(HTTPDownloadError) -> SocketConnection {
        switch place {
        case .connection(let connection): return connection
        case .socket(let path):
            do throws(SocketFailure) {
                return try SocketConnection(path: path, timeout: .seconds(10))
            } catch {
                throw HTTPDownloadError(.unreachable, "cannot connect to '\(path)'")
            }
        }
    }

    private func fetch(
        _ path: String, over connection: SocketConnection,
        take: (ArraySlice<UInt8>) throws(HTTPDownloadError) -> Void
    ) async throws(HTTPDownloadError) {
        let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: printq\r\nConnection: close\r\n\r\n"
        var reader = HTTPResponseReader()
        var head = HTTPResponseReader.Head()
        var refusal: [UInt8] = []
        do {
            _ = try await connection.send(Array(request.utf8), within: timeout)
            while true {
                switch try reader.next() {
                case .head(let received): head = received
                case .body(let piece):
                    if head.status == 200 {
                        try take(piece)
                    } else if refusal.count < Self.longestRefusal {
                        refusal += piece
                    }
                case .end:
                    return try check(head, refusal)
                case nil:
                    let bytes = try await connection.receive(until: .now + timeout)
                    if bytes.isEmpty {
                        guard reader.isComplete() else {
                            throw HTTPDownloadError(
                                .incomplete, "\(server) closed the connection before the end of the file")
                        }
                        return try check(head, refusal)
                    }
                    reader.append(bytes)
                }
            }
        } catch let error as HTTPDownloadError {
            throw error
        } catch SocketFailure.timedOut {
            throw HTTPDownloadError(.incomplete, "\(server) sent no data in time")
        } catch {
            throw HTTPDownloadError(.incomplete, "the connection to \(server) was lost before the end of the file")
        }
    }

    /// Throws an error if the response refuses the request.
    ///
    /// The body of an error response contains an explanation (RFC 9457).
    private func check(_ head: HTTPResponseReader.Head, _ refusal: [UInt8]) throws(HTTPDownloadError) {
        struct Details: Decodable { var detail: String }
        guard head.status != 200 else { return }
        let details = try? JSONDecoder().decode(Details.self, from: Data(refusal))
        throw HTTPDownloadError(
            .refused(head.status), details?.detail ?? "\(server) refuses the request: \(head.status) \(head.reason)")
    }

    /// Writes a piece of the body to the file.
    ///
    /// If writing is slow, the connection receives data more slowly.
    private func write(_ piece: ArraySlice<UInt8>, to descriptor: Int32) throws(HTTPDownloadError) {
        do throws(SystemFailure) { try FileBytes.write(piece, to: descriptor) } catch {
            throw HTTPDownloadError(.unwritable, error.description)
        }
    }
}

/// The reason why a file cannot be downloaded from printd.
public struct HTTPDownloadError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for a socket without a listening process.
        case unreachable
        /// The value is the HTTP status.
        case refused(Int)
        case incomplete
        case unwritable
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The error message for people.
    public var description: String { message }
}
