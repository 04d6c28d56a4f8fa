import Glibc
import PrintTestSupport
import Testing
import TransportTrials

@testable import IPPClient

/// Tests of downloads from correct and faulty servers.
struct HTTPDownloadTests {
    /// Downloads the response of a server to a file, and returns the file's contents.
    private func download(_ response: String) async throws -> String {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer.$socketFolder.withValue(folder.path) {
            try ScriptedServer { peer in
                guard peer.readHeader().hasPrefix("GET /a HTTP/1.1\r\n") else { return }
                peer.write(response)
            }
        }
        let file = open(folder.path("file"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard case .unix(let path) = server.address else { return "" }
        try await HTTPDownload(fromSocket: path).fetch("/a", into: file)
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "\r\nhello",
    ])
    func `the body of the response is written to the file`(rest: String) async throws {
        #expect(try await download("HTTP/1.1 200 OK\r\n\(rest)") == "hello")
    }

    @Test func `a refusal has the status and the explanation of the server`() async throws {
        let error = await #expect(throws: HTTPDownloadError.self) {
            try await download("HTTP/1.1 404 Not Found\r\nContent-Length: 21\r\n\r\n{\"detail\":\"no pages\"}")
        }
        #expect(error?.code == .refused(404))
        #expect(error?.message == "no pages")
    }

    @Test(arguments: ["Content-Length: 9\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n9\r\nhello", "", "\r"])
    func `a connection that is lost before the end of the file is an error`(rest: String) async throws {
        let error = await #expect(throws: HTTPDownloadError.self) { try await download("HTTP/1.1 200 OK\r\n\(rest)") }
        #expect(error?.code == .incomplete)
    }

    @Test(arguments: [(5, "hello"), (4, nil)]) func `a body is at most as long as the caller allows`(
        mostBytes: Int, expected: String?
    ) async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let response = "HTTP/1.0 200 ok\r\nContent-type: text/plain\r\n\r\nhello"
        write(ends[1], response, response.utf8.count)
        shutdown(ends[1], Int32(SHUT_WR))
        defer { close(ends[1]) }
        let body = try? await HTTPDownload(over: ends[0], peer: 0, host: "h:8443").body(of: "/a", mostBytes: mostBytes)
        #expect(body.map { String(decoding: $0, as: UTF8.self) } == expected)
        var request = [UInt8](repeating: 0, count: 100)
        let count = recv(ends[1], &request, request.count, 0)
        #expect(String(decoding: request.prefix(count), as: UTF8.self).hasPrefix("GET /a HTTP/1.1\r\nHost: h:8443\r\n"))
    }

    @Test func `a socket without a server is unreachable`() async throws {
        let error = await #expect(throws: HTTPDownloadError.self) {
            try await HTTPDownload(fromSocket: "/nonexistent/s").fetch("/a", into: 1)
        }
        #expect(error?.code == .unreachable)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nbad\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    ])
    func `a response that is not HTTP is rejected`(text: String) {
        var reader = HTTPResponseReader()
        reader.append(Array(text.utf8)[...])
        #expect(throws: HTTPResponseReader.Malformed.self) { while let part = try reader.next(), part != .end {} }
    }

    @Test func `a response after which the connection stays open ends at its length`() throws {
        var reader = HTTPResponseReader()
        reader.append(Array("HTTP/1.1 200 Fine\r\ncontent-length:2\r\nConnection: keep-alive\r\n\r\nabHTTP".utf8)[...])
        #expect(try reader.next() == .head(.init(status: 200, reason: "Fine", contentType: nil, keepsOpen: true)))
        #expect(try reader.next() == .body(Array("ab".utf8)[...]))
        #expect(try reader.next() == .end)
        #expect(reader.hasExcess)
    }
}
