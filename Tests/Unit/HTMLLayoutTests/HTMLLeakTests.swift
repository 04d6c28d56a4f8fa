import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import HTMLLayout

/// Tests that documents get no content from other files or from the network.
struct HTMLLeakTests {
    private let folder: TemporaryFolder
    private let server: WebServer

    init() throws {
        folder = try TemporaryFolder()
        try Data(HTMLResourceTests.pixel).write(to: URL(filePath: folder.path("canary.png")))
        try Data("p::before { content: 'CANARY' }".utf8).write(to: URL(filePath: folder.path("canary.css")))
        try Data("<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>CANARY</text></svg>".utf8)
            .write(to: URL(filePath: folder.path("canary.svg")))
        server = try WebServer([:])
    }

    /// HTML that refers to files and addresses in many ways.
    private var html: String {
        let places = [server.address, "file://\(folder.path)", folder.path]
        return places.map { place in
            """
            <link rel=stylesheet href="\(place)/canary.css"><link rel=attachment href="\(place)/canary.css">
            <style>@import "\(place)/canary.css"; @import url(\(place)/canary.css);
            @font-face { font-family: F; src: url("\(place)/f.ttf") }
            p { background: url("\(place)/canary.png"); font-family: F } li { list-style-image: url("\(place)/a.png") }
            q::before { content: url("\(place)/canary.svg") }</style>
            <p>kept <img src="\(place)/canary.png"><img srcset="\(place)/canary.png 2x"><li>item<q>x</q>
            <iframe src="\(place)/canary.svg"></iframe><object data="\(place)/canary.svg"></object>
            <embed src="\(place)/canary.svg"><video poster="\(place)/canary.png"></video>
            <input type=image src="\(place)/canary.png"><script src="\(place)/s.js"></script>
            <svg xmlns:xlink="http://www.w3.org/1999/xlink"><image href="\(place)/canary.png" width=9 height=9 />
            <image xlink:href="\(place)/canary.svg" width=9 height=9 /><use xlink:href="\(place)/canary.svg#a" />
            <style>@import "\(place)/canary.css"; rect { fill: url(\(place)/canary.svg#f) }</style></svg>
            <meta http-equiv=refresh content="0; url=\(place)/canary.svg">

            """
        }.joined() + "<base href=\"\(server.address)/\"><img src=relative.png>"
    }

    private func expectNoLeak(_ page: Conversion) async throws {
        let text = try await page.text
        #expect(text.contains("kept"))
        #expect(!text.contains("CANARY"))
        #expect(try await page.run("pdfimages", "-list", "out.pdf").split(separator: "\n").count == 2)
        #expect(try await page.run("pdfdetach", "-list", "out.pdf").hasPrefix("0 "))
        #expect(server.requests == [])
        #expect(page.result.notices.contains { $0.hasPrefix("file://\(folder.path)/canary.png was left out: ") })
        #expect(page.result.notices.contains { $0.hasPrefix("\(server.address)/canary.png was left out: ") })
    }

    @Test func `HTML cannot load files or use the network`() async throws {
        try await expectNoLeak(Conversion(Array(html.utf8), name: "a.html"))
    }

    @Test func `Markdown cannot load files or use the network`() async throws {
        let links = ["file://\(folder.path)", server.address].map { "![x](\($0)/canary.png)\n" }.joined()
        try await expectNoLeak(Conversion(Array("# Title\n\n\(links)\n\(html)".utf8), name: "a.md"))
    }

    @Test func `an e-mail cannot load files or use the network`() async throws {
        let head = "From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n"
        try await expectNoLeak(Conversion(Array((head + html).utf8), name: "a.eml"))
    }

    @Test func `HTML markup in source code is printed as text`() async throws {
        let page = try await Conversion(Array(html.utf8), name: "a.php")
        #expect(try await page.text.contains("<iframe"))
        #expect(server.requests == [])
        #expect(page.result.notices == [])
    }

    @Test(arguments: ["a.html", "a.md", "a.eml", "a.py"])
    func `the HTML engine responds to each damaged document`(name: String) async throws {
        let mail = """
            From: "A" <a@example.com>
            To: =?utf-8?q?J=C3=B6rg?= <b@example.com>
            Subject: =?utf-8?b?R3LDvMOfZQ==?=
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary="M"

            --M
            Content-Type: text/plain; charset="iso-8859-1"; format=flowed
            Content-Transfer-Encoding: quoted-printable

            caf=E9 and \n> more
            --M
            Content-Type: text/html; charset=utf-8

            <p>kept<table><tr><td>1</table><img src="cid:x">
            --M
            Content-Type: image/png; name*=utf-8''%41.png
            Content-Disposition: attachment; filename="a.png"
            Content-ID: <x>
            Content-Transfer-Encoding: base64

            iVBORw0KGgoAAAANSUhEUg==
            --M--
            """
        let markdown =
            "# T\n\n| a | b |\n|--|:-:|\n| 1 | ~~2~~ |\n\n- [x] y[^1]\n\n"
            + "```c\nint x;\n```\n\n> q\n\n[^1]: n\n"
        let page =
            "<style>@page { size: A5 } p { color: rgb(1 2 3); float: left }</style><p>x<ul><li>y</ul>"
            + "<svg><path d='M0 0L9 9'/></svg>"
        let code = "import os\nclass A(object):\n    def f(self, x=1):\n        return f\"{x!r:>{10}}\"\n"
        let documents = ["a.html": page, "a.md": markdown, "a.eml": mail, "a.py": code]
        let original = Array(try #require(documents[name]).utf8)
        var mutations = ByteMutations()
        let engine = testEngine
        var printed = 0
        for _ in 0..<100 {
            let request = try Conversion.request(mutations.mutated(original), name: name, in: folder)
            do throws(WorkError) {
                let result = try await engine.convert(request)
                #expect(result.pageCount > 0)
                printed += 1
            } catch {
                #expect(error.code != .workerCrashed && error.code != .timeExceeded, "\(error) \(error.detail ?? "")")
            }
        }
        #expect(printed >= 90)
        #expect(server.requests == [])
    }
}
