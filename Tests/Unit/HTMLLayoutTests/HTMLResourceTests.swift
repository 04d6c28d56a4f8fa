import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import HTMLLayout

struct HTMLResourceTests {
    let room = Size(width: 400, height: 400)
    /// The folder that contains the base folder `site/` and private files outside `site/`.
    let folder: TemporaryFolder

    /// A PNG with one pixel.
    static let pixel = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC")!)
    static let secretStyle = "p::before { content: 'SECRET' }"

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path("site"), 0o700)
        mkdir(folder.path("site/images"), 0o700)
        try write(Self.pixel, to: "site/images/a b.png")
        try write(Self.pixel, to: "secret.png")
        try write(Array(Self.secretStyle.utf8), to: "secret.css")
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private func lay(_ html: String, network: Bool = false) throws -> HTMLPages {
        try testEngine.layOut(
            html, baseFolder: folder.path("site"), pageSize: room, allowsNetwork: network,
            allowsPrivateNetworks: network)
    }

    private func images(_ pages: HTMLPages) async throws -> Int {
        try await pages.list("pdfimages", "-list").split(separator: "\n").count - 2
    }

    @Test func `HTML can use images, style sheets and fonts in the base folder`() async throws {
        try write(Array("@import 'more.css'; p::before { content: 'styled ' }".utf8), to: "site/main.css")
        try write(
            Array("@font-face { font-family: Own; src: url('own.ttf') } p { font-family: Own }".utf8),
            to: "site/more.css")
        try write(
            Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf"))),
            to: "site/own.ttf")
        let pages = try lay("<link rel=stylesheet href=main.css><p>text<img src='images/a%20b.png'>")
        #expect(pages.notes == [])
        #expect(try await pages.words() == [["styled", "text"]])
        #expect(try await images(pages) == 1)
        #expect(try await pages.list("pdffonts").contains("Own"))
    }

    @Test func `HTML cannot load files outside of the base folder, regardless of the spelling of the path`()
        async throws
    {
        symlink(folder.path("secret.png"), folder.path("site/link.png"))
        symlink(folder.path, folder.path("site/up"))
        let (png, css) = ("file://\(folder.path("secret.png"))", "file://\(folder.path("secret.css"))")
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='9' height='9'>"
        try write(Array("\(svg)<image width='9' height='9' xlink:href='../secret.png'/></svg>".utf8), to: "site/a.svg")
        try write(Array("@import '../secret.css';".utf8), to: "site/a.css")
        let pages = try lay(
            """
            <base href="file:///">
            <link rel=stylesheet href="\(css)"><link rel=stylesheet href="file://\(folder.path("site/a.css"))">
            <link rel=attachment href="\(png)">
            <style>@import "\(css)"; @import "file://\(folder.path("site/up/secret.css"))";
            @font-face { font-family: F; src: url("\(css)") } p { background: url("\(png)"); font-family: F }
            li { list-style-image: url("\(png)") } q::before { content: url("\(png)") }</style>
            <p>kept<img src="\(png)"><img src="file://\(folder.path("site/../secret.png"))"><img src="file://\(folder.path("site/link.png"))">
            <img src="file://\(folder.path("site/%2e%2e/secret.png"))"><img src="file://localhost\(folder.path("secret.png"))">
            <img src="FILE:\(folder.path("secret.png"))"><img src="file://elsewhere\(folder.path("site/images/a b.png"))">
            <object data="\(png)"></object><embed src="\(png)"><img src="file://\(folder.path("site/a.svg"))">
            \(svg)<image width='9' height='9' xlink:href='\(png)'/><use xlink:href="\(png)#a"/></svg><li>item<q>x</q>
            <img src="file:///dev/zero"><img src="file:///proc/self/environ"><img src="file://\(folder.path("site/images"))">
            """)
        #expect(try await pages.words().joined().contains("kept"))
        #expect(try await !pages.words().joined().contains("SECRET"))
        #expect(try await images(pages) == 0)
        #expect(try await pages.list("pdfdetach", "-list").hasPrefix("0 "))
        #expect(pages.notes.contains("\(png) was left out: the file is outside the base folder"))
        #expect(pages.notes.contains("\(css) was left out: the file is outside the base folder"))
        #expect(pages.notes.contains { $0.contains("link.png was left out: the file is outside") })
        #expect(pages.notes.contains { $0.contains("elsewhere") && $0.contains("on another host") })
        #expect(pages.notes.contains { $0.contains("/images was left out: it is not a file") })
    }

    @Test func `without a base folder, HTML can read no file, not even with an absolute path`() async throws {
        let pages = try await testEngine.layOut(
            "<p>x<img src='file://\(folder.path("secret.png"))'><img src='images/a.png'>", pageSize: room)
        #expect(try await images(pages) == 0)
        #expect(pages.notes.count == 2)
    }

    @Test func `a named pipe in the base folder does not block the HTML layout`() throws {
        mkfifo(folder.path("site/pipe.png"), 0o600)
        #expect(try lay("<img src='pipe.png'>").notes.contains { $0.contains("is not a file") })
    }

    @Test func `HTML uses the network only if network access is allowed`() async throws {
        let server = try WebServer(["/a.png": .init(header: "Content-Type: image/png", body: Self.pixel)])
        let html = """
            <link rel=stylesheet href="\(server.address)/a.css"><style>@import "\(server.address)/b.css";
            @font-face { font-family: F; src: url("\(server.address)/f.ttf") } p { font-family: F }</style>
            <base href="\(server.address)/"><p>text<img src="a.png"><img src="//127.0.0.1/x.png"><iframe src="/frame"></iframe>
            <svg><image href="\(server.address)/s.png" width=9 height=9 /></svg><script src="/s.js"></script>
            """
        let pages = try lay(html)
        #expect(server.requests == [])
        #expect(pages.notes.contains("\(server.address)/a.png was left out: network access is not allowed"))
        #expect(try await images(pages) == 0)

        let allowed = try lay(html, network: true)
        #expect(server.requests.contains("/a.png"))
        #expect(try await images(allowed) == 1)
        #expect(allowed.notes.contains { $0.contains("/a.css was left out: ") })
    }

    @Test func `HTML with network access cannot reach this machine or private networks`() async throws {
        let server = try WebServer(["/a.png": .init(header: "Content-Type: image/png", body: Self.pixel)])
        let pages = try await testEngine.layOut(
            "<img src='\(server.address)/a.png'>", pageSize: room, allowsNetwork: true)
        #expect(server.requests == [])
        #expect(try await images(pages) == 0)
        #expect(pages.notes.contains { $0.contains("/a.png was left out: ") && $0.contains("private address") })
    }

    @Test(arguments: [
        (HTMLLimits(networkRequests: 2), 2, "too many resources"), (HTMLLimits(networkBytes: 150), 1, "too large"),
        (HTMLLimits(networkSeconds: 0), 0, "took too long"),
    ])
    func `the network access of a document has a budget`(limits: HTMLLimits, loaded: Int, reason: String) async throws {
        let server = try WebServer(
            Dictionary(
                uniqueKeysWithValues: (1...4).map {
                    (
                        "/\($0).png",
                        .init(header: "Content-Type: image/png", body: Self.pixel + [UInt8](repeating: 0, count: 30))
                    )
                }))
        let pages = try await testEngine.layOut(
            (1...4).map { "<img src='\(server.address)/\($0).png'>" }.joined(), pageSize: room, allowsNetwork: true,
            allowsPrivateNetworks: true, limits: limits)
        #expect(pages.notes.filter { $0.contains(reason) }.count == 4 - loaded, "\(pages.notes)")
    }

    @Test func `a redirect from a web server to a file is refused`() async throws {
        let secret = "file://\(folder.path("secret.png"))"
        let local = "file://\(folder.path("site/images/a%20b.png"))"
        let server = try WebServer([
            "/out": .init(status: "302 Found", header: "Location: \(secret)"),
            "/in": .init(status: "302 Found", header: "Location: \(local)"),
            "/again": .init(status: "302 Found", header: "Location: /a.png"),
            "/a.png": .init(header: "Content-Type: image/png", body: Self.pixel),
        ])
        let refused = try lay("<img src='\(server.address)/out'><img src='\(server.address)/in'>", network: true)
        #expect(try await images(refused) == 0)
        #expect(refused.notes.count == 2)
        #expect(try await images(try lay("<img src='\(server.address)/again'>", network: true)) == 1)
        #expect(server.requests == ["/out", "/in", "/again", "/a.png"])
    }

    @Test func `embedded resources of HTML do not require a base folder`() async throws {
        let data = Data(Self.pixel).base64EncodedString()
        let pages = try await testEngine.layOut("<img src='data:image/png;base64,\(data)'>", pageSize: room)
        #expect(try await images(pages) == 1)
        #expect(pages.notes == [])
    }

    @Test func `the error for a missing base folder contains the path of the folder`() throws {
        for path in ["/nowhere/at/all", folder.path("secret.png")] {
            let error = #expect(throws: WorkError.self) { try testEngine.layOut("x", baseFolder: path, pageSize: room) }
            #expect(error?.code == .documentMissing)
            #expect(error?.message.contains(path) == true)
        }
    }
}
