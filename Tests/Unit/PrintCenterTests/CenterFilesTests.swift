import Foundation
import HTTPTypes
import IPPServer
import PrintIPP
import Testing

@testable import PrintCenter

struct CenterFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Center/PrintCenter/Web").standardized

    private func get(_ path: String, query: String = "", headers: HTTPFields = [:]) async throws -> WebAnswer {
        let bench = try await CenterBench()
        return await bench.center.answer(
            to: WebRequest(
                .get, path, query: query, headers: headers, host: Browser.host,
                peer: .tcp(address: "127.0.0.1", port: 1)))
    }

    @Test func `each file of the web folder is compiled into the program`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        for name in names where name != "shell.html" && !name.hasPrefix(".") {
            #expect(CenterFiles.shared.address(of: name).contains("?v="), "add \(name) to CCenterFiles.c")
        }
    }

    @Test func `a web file is compressed, and is cached without revalidation only if the URL contains the file's hash`()
        async throws
    {
        let address = CenterFiles.shared.address(of: "center.css").split(separator: "?")
        let plain = try await get(String(address[0]))
        #expect(plain.headers[.cacheControl] == "no-cache" && plain.headers[.contentType] == "text/css; charset=utf-8")
        let named = try await get(
            String(address[0]), query: String(address[1]), headers: [.acceptEncoding: "br, gzip;q=0.8"])
        #expect(named.headers[.cacheControl]?.contains("immutable") == true)
        #expect(named.headers[.contentEncoding] == "gzip")
        let tag = try #require(plain.headers[.eTag])
        let same = try await get(String(address[0]), headers: [.ifNoneMatch: tag])
        #expect(same.status == .notModified && same.text.isEmpty)
        #expect(try await get("/center/nothing.js").status == .notFound)
        #expect(try await get("/center/shell.html").status == .notFound)
    }

    @Test func `the HTML shell is returned only to signed-in users and contains no inline scripts or styles`()
        async throws
    {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        let shell = await browser.send(.get, "/jobs/7/pages/2")
        #expect(shell.status == .ok && shell.text.contains("/center/center.css?v="))
        #expect(!shell.text.contains("<script>") && !shell.text.contains(" style="))
        #expect(shell.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        let signIn = try await get("/jobs")
        #expect(signIn.status == .unauthorized && signIn.text.contains("printq center"))
    }
}
