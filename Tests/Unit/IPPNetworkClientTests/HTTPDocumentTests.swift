import FoundationEssentials
import Glibc
import Testing
import TransportTrials

@testable import IPPNetworkClient

/// Tests of HTTP documents from correct and faulty servers.
struct HTTPDocumentTests {
    /// Fetches a document from a server that sends the given response for each path.
    private func fetch(
        _ answers: [String: String], from path: String = "/a", _ change: (inout HTTPDocument.Bounds) -> Void = { _ in }
    ) async throws -> String {
        let server = try ScriptedServer { peer in
            let words = peer.readHeader().split(separator: " ")
            peer.write(
                Array((answers[words.count > 1 ? String(words[1]) : ""] ?? "HTTP/1.1 404 Not Found\r\n\r\n").utf8))
        }
        var bounds = HTTPDocument.Bounds()
        bounds.reach = .anyAddress
        change(&bounds)
        let name = "\(FileManager.default.temporaryDirectory.path)/printq-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        defer {
            close(descriptor)
            unlink(name)
        }
        try await HTTPDocument("http://127.0.0.1:\(server.port)\(path)", bounds: bounds).fetch(into: descriptor)
        return try String(contentsOfFile: name, encoding: .utf8)
    }

    private func refusal(
        _ answers: [String: String], _ change: (inout HTTPDocument.Bounds) -> Void = { _ in }
    ) async -> String? {
        await #expect(throws: HTTPDocumentError.self) { try await fetch(answers, change) }?.message
    }

    private func fetch(
        _ answers: [String: String], _ change: (inout HTTPDocument.Bounds) -> Void
    ) async throws -> String { try await fetch(answers, from: "/a", change) }

    @Test
    func `a document is fetched with Content-Length, with chunked encoding and with neither, even after a redirect`()
        async throws
    {
        for answer in [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
        ] {
            #expect(try await fetch(["/a": answer]) == "hello")
            let moved = "HTTP/1.1 302 Found\r\nLocation: b?x=1\r\nContent-Length: 0\r\n\r\n"
            #expect(try await fetch(["/a": moved, "/b?x=1": answer]) == "hello")
        }
    }

    @Test
    func `a fetch fails if the document is missing, truncated or too large, or if redirects loop or lead to https`()
        async
    {
        #expect(await refusal([:]) == "404 Not Found")
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"
        #expect(await refusal(["/a": half])?.hasPrefix("the connection was lost") == true)
        #expect(await refusal(["/a": "SSH-2.0-OpenSSH\r\n"])?.hasPrefix("the connection was lost") == true)
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        #expect(await refusal(["/a": whole]) { $0.bytes = 4 } == "the document is larger than 4 bytes")
        let loop = "HTTP/1.1 301 Moved\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n"
        #expect(await refusal(["/a": loop]) { $0.redirects = 2 } == "too many redirects (more than 2)")
        let secure = "HTTP/1.1 301 Moved\r\nLocation: https://localhost/a\r\nContent-Length: 0\r\n\r\n"
        #expect(await refusal(["/a": secure]) == "unsupported URI scheme in 'https://localhost/a'; use http")
        let file = "HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"
        #expect(await refusal(["/a": file])?.contains("file:///etc/passwd") == true)
    }

    @Test func `a fetch from a silent server times out`() async throws {
        let server = try ScriptedServer { peer in _ = peer.read(until: [0, 0, 0]) }
        var bounds = HTTPDocument.Bounds()
        bounds.time = .milliseconds(100)
        bounds.reach = .anyAddress
        let error = await #expect(throws: HTTPDocumentError.self) {
            try await HTTPDocument("http://127.0.0.1:\(server.port)/a", bounds: bounds).fetch(into: 1)
        }
        #expect(error?.message == "timed out")
    }

    @Test(arguments: [
        ("http://127.0.0.1:1/a", "cannot connect to '127.0.0.1'"),
        ("http:///a", "'http:///a' is not a valid document URI"),
        ("http://ann:secret@127.0.0.1/a", "the URI contains credentials for '127.0.0.1'; remove the credentials"),
        ("http://127.0.0.1:99999/a", "'http://127.0.0.1:99999/a' is not a valid document URI"),
    ])
    func `a fetch from an invalid URI or an unreachable server fails with an explanation`(uri: String, words: String)
        async
    {
        var bounds = HTTPDocument.Bounds()
        bounds.reach = .anyAddress
        let error = await #expect(throws: HTTPDocumentError.self) {
            try await HTTPDocument(uri, bounds: bounds).fetch(into: 1)
        }
        #expect(error?.message == words)
    }
}
