import Foundation
import HTTPTypes
import IPPServer
import PrintIPP
import Testing

@testable import PrintCenter

struct CenterFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Center/PrintCenter/Web").standardized

    private func get(_ path: String, headers: HTTPFields = [:]) async throws -> WebAnswer {
        try await CenterBench().center.answer(to: Self.request(path, headers: headers))
    }

    private static func request(_ path: String, headers: HTTPFields = [:]) -> WebRequest {
        WebRequest(.get, path, headers: headers, host: Browser.host, peer: .tcp(address: "127.0.0.1", port: 1))
    }

    @Test func `each file of the web folder is compiled into the program`() async throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        let files = paths.filter { $0.contains(".") && $0 != "frame/shell.html" }
        #expect(files.count > 40)
        let bench = try await CenterBench()
        for path in files {
            let answer = await bench.center.answer(to: Self.request(CenterFiles.shared.address(of: path)))
            let content = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
            #expect(answer.text == content, "add \(path) to CCenterFiles.c")
        }
    }

    @Test func `a web file is compressed, and browsers cache it at the address of the build without revalidation`()
        async throws
    {
        let address = CenterFiles.shared.address(of: "frame/center.css")
        let plain = try await get(address)
        #expect(plain.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(plain.headers[.contentType] == "text/css; charset=utf-8")
        #expect(plain.headers[.contentEncoding] == nil)
        let compressed = try await get(address, headers: [.acceptEncoding: "br, gzip;q=0.8"])
        #expect(compressed.headers[.contentEncoding] == "gzip")
        #expect(try await get(CenterFiles.shared.address(of: "frame/nothing.js")).status == .notFound)
        #expect(try await get(CenterFiles.shared.address(of: "frame/shell.html")).status == .notFound)
    }

    @Test func `a file of another build is not found, and the response is not cached`() async throws {
        let other = try await get("/center/another/frame/center.css")
        #expect(other.status == .notFound && other.headers[.cacheControl] == "no-store")
    }

    @Test func `the description of the API is revalidated`() async throws {
        let plain = try await get("/api/v1/openapi.json")
        #expect(plain.headers[.cacheControl] == "no-cache")
        let tag = try #require(plain.headers[.eTag])
        let same = try await get("/api/v1/openapi.json", headers: [.ifNoneMatch: tag])
        #expect(same.status == .notModified && same.text.isEmpty)
    }

    @Test func `the HTML shell is returned only to signed-in users and contains no inline scripts or styles`()
        async throws
    {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        let shell = await browser.send(.get, "/jobs/7/pages/2")
        #expect(shell.status == .ok && shell.headers[.cacheControl] == "no-store")
        #expect(shell.text.contains(CenterFiles.shared.address(of: "frame/main.js")))
        #expect(!shell.text.contains("<script>") && !shell.text.contains(" style="))
        #expect(shell.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        // The view and what it imports directly and through other modules, once each.
        for path in ["viewer/viewer.js", "viewer/viewer-bar.js", "frame/router.js", "base/dom.js"] {
            let link = "<link rel=\"modulepreload\" href=\"\(CenterFiles.shared.address(of: path))\">"
            #expect(shell.text.split(separator: link, omittingEmptySubsequences: false).count == 2, "\(path)")
        }
        let signIn = try await get("/jobs")
        #expect(signIn.status == .unauthorized && signIn.text.contains("printq center"))
    }
}
