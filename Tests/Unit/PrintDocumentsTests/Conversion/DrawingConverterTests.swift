// Tests the conversion of SVG drawings.

import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import Testing

@Suite struct DrawingConverterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ content: String, root: String = "width='40' height='20'", name: String = "a.svg") throws
        -> String
    {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(root)>\(content)</svg>"
        try text.write(toFile: folder.path(name), atomically: false, encoding: .utf8)
        return folder.path(name)
    }

    private let halves = "<rect width='20' height='20' fill='red'/><rect x='20' width='20' height='20' fill='blue'/>"

    @Test(arguments: [
        ("width='40' height='20'", "30 x 15", true), ("width='2in' height='1in' viewBox='0 0 40 20'", "144 x 72", true),
        ("viewBox='0 0 40 20'", "30 x 15", false), ("width='100%' height='100%' viewBox='0 0 40 20'", "30 x 15", false),
        ("", "30 x 15", false), ("width='1e9' height='5e8' viewBox='0 0 40 20'", "14400 x 7200", false),
    ])
    func `the page of a converted drawing has the size of the drawing`(root: String, size: String, hasSize: Bool)
        async throws
    {
        let conversion = try await Conversion(write(halves, root: root))
        #expect(conversion.document.hasSize == hasSize)
        #expect(try await run("pdfinfo", [conversion.path]).contains("\(size) pts"))
        if size.count < 10 { expectPixels(try await conversion.page(), "RB") }
    }

    @Test func `shapes and text of a drawing are converted to vector graphics, even in a transparent group`()
        async throws
    {
        let text = "<text x='2' y='15' font-family='DejaVu Sans' font-size='12'>Wide</text>"
        let conversion = try await Conversion(write("<g opacity='0.5'>\(halves)</g>\(text)"))
        #expect(try await conversion.images().isEmpty)
        #expect(try await run("pdftotext", [conversion.path, "-"]).contains("Wide"))
    }

    @Test func `an SVG filter is drawn as an image with a high resolution`() async throws {
        let filter =
            "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><rect width='30' height='15' filter='url(#f)'/>"
        let conversion = try await Conversion(write(filter))
        let image = try #require(try await conversion.images().first)
        #expect(try #require(Int(image[3])) > 80)
        #expect(conversion.document.notices.isEmpty)
    }

    @Test func `a gzip-compressed SVG drawing is converted`() async throws {
        let path = try write(halves)
        try await run("gzip", ["-k", "-S", ".svgz", path])
        rename(folder.path("a.svg.svgz"), folder.path("a.svgz"))
        expectPixels(try await Conversion(folder.path("a.svgz")).page(), "RB")
    }

    @Test func `an image in a data URI is drawn`() async throws {
        let png = try await makeQuarters("q.png", in: folder)
        let data = try #require(FileManager.default.contents(atPath: png)).base64EncodedString()
        let conversion = try await Conversion(
            write("<image width='40' height='20' xlink:href='data:image/png;base64,\(data)'/>"))
        expectPixels(try await conversion.page(), "RRGG\nBBKK")
        #expect(conversion.document.notices.isEmpty)
    }

    @Test(arguments: [
        "<image width='40' height='20' href='file://CANARY'/>", "<image width='40' height='20' href='CANARY'/>",
        "<image width='40' height='20' href='canary.png'/>", "<use href='canary.svg#a'/>",
        "<use xlink:href='file://FOLDER/canary.svg#a'/>", "<image width='40' height='20' href='http://SERVER/a.png'/>",
        "<style>@import url(http://SERVER/a.css);</style>", "<style>@import 'file://FOLDER/canary.css';</style>",
        "<rect width='40' height='20' fill='url(file://FOLDER/canary.svg#g) none'/>",
        "<filter id='f'><feImage href='file://CANARY'/></filter><rect width='40' height='20' fill='none' filter='url(#f)'/>",
    ])
    func `content that a drawing references in a file or on a server is omitted with a notice`(
        content: String
    ) async throws {
        let canary = folder.path("canary.png")
        try await run("convert", ["-size", "40x20", "xc:red", canary])
        _ = try write(
            "<linearGradient id='g'><stop stop-color='red'/></linearGradient><rect id='a' width='40' height='20' fill='red'/>",
            name: "canary.svg")
        try "svg { background: red }".write(toFile: folder.path("canary.css"), atomically: false, encoding: .utf8)
        let server = try LoopbackPort()
        defer { close(server.socket) }
        listen(server.socket, 5)
        let text = content.replacing("CANARY", with: canary).replacing("FOLDER", with: folder.path)
            .replacing("SERVER", with: "127.0.0.1:\(server.number)")
        let conversion = try await Conversion(write(text))
        expectPixels(try await conversion.page(), "_")
        #expect(conversion.document.notices.count == 1)
        let isWaiting = fcntl(server.socket, F_SETFL, O_NONBLOCK) == 0 && accept(server.socket, nil, nil) >= 0
        #expect(!isWaiting, "librsvg connected to a server")
    }

    @Test func `the files of external entities in a drawing are not read`() async throws {
        try "SECRETWORD".write(toFile: folder.path("secret.txt"), atomically: false, encoding: .utf8)
        let text = """
            <!DOCTYPE svg [<!ENTITY x SYSTEM "file://\(folder.path("secret.txt"))">]>
            <svg xmlns='http://www.w3.org/2000/svg' width='400' height='40'><text y='20'>&x;</text></svg>
            """
        let path = folder.path("b.svg")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        guard let conversion = try? await Conversion(path) else { return }
        #expect(try await !run("pdftotext", [conversion.path, "-"]).contains("SECRETWORD"))
    }

    @Test func `a drawing with exponentially expanding entities is refused`() async throws {
        let entities = (1...12).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        let text =
            "<!DOCTYPE svg [<!ENTITY e0 \"lol\">\(entities)]><svg xmlns='http://www.w3.org/2000/svg'><text>&e12;</text></svg>"
        let path = folder.path("c.svg")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let error = await #expect(throws: WorkError.self) { try await Conversion(path) }
        #expect(error?.code == .damaged)
    }

    @Test func `a drawing is refused if its decompressed size exceeds the limit`() async throws {
        let path = folder.path("d.svg")
        try await run("dd", ["if=/dev/zero", "of=\(path)", "bs=1M", "count=80"])
        try await run("gzip", ["-S", ".svgz", path])
        rename(folder.path("d.svg.svgz"), folder.path("d.svgz"))
        let error = await #expect(throws: WorkError.self) { try await Conversion(folder.path("d.svgz")) }
        #expect(error?.code == .damaged)
    }

    @Test func `the conversion of a damaged drawing never crashes the process`() async throws {
        let path = try write(
            "<defs><linearGradient id='g'><stop offset='0.5' stop-color='red'/></linearGradient></defs>"
                + "<path d='M0 0 L20 20 C1 2 3 4 5 6 Z' fill='url(#g)' transform='rotate(5) scale(1.5)'/>"
                + "<g opacity='0.5' font-size='12'><text x='2' y='15'>Wide</text></g>\(halves)")
        var mutations = ByteMutations()
        let successes = try await convertDamaged(path, times: 300, &mutations)
        #expect(successes > 0)
    }
}
