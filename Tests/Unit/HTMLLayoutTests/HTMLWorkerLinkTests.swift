import PrintModel
import Testing

@testable import HTMLLayout

struct HTMLWorkerLinkTests {
    @Test func `HTML links are returned with their positions, except links to scripts and local files`() throws {
        let html = """
            <a href="https://example.org/ä">one</a> <a href="#there">two</a> <a href="mailto:ann@example.org">three</a>
            <a href="javascript:alert(1)">four</a> <a href="file:///etc/passwd">five</a> <a href="other.html">six</a>
            <a href="#missing">seven</a>
            <h1 style="break-before: page" id="there">There</h1>
            """
        let pages = try testEngine.layOut(html, baseFolder: "/tmp", pageSize: Size(width: 468, height: 648))
        let targets = pages.links.map(\.target)
        #expect(
            targets == [
                .address("https://example.org/%C3%A4"), .anchor("there"), .address("mailto:ann@example.org"),
                .anchor("missing"),
            ])
        #expect(pages.links.allSatisfy { $0.page == 0 && $0.rect.width > 10 && $0.rect.maxY < 60 })
        #expect(pages.anchors.map(\.name) == ["there"] && pages.anchors.map(\.page) == [1])
    }

    @Test func `HTML links beyond the limit are omitted, and the pages are laid out`() throws {
        let link = "<a href='https://example.org/\(String(repeating: "x", count: 20_000))'>a</a> "
        let pages = try testEngine.layOut(
            String(repeating: link, count: 200), pageSize: Size(width: 468, height: 648))
        #expect(pages.links.count > 5 && pages.links.count < 200)
        #expect(pages.notes.contains("some links were left out: there are too many"))
    }

    @Test func `an HTML engine reports its versions, and a missing HTML engine causes the error '.workerUnavailable'`()
        throws
    {
        let words = try testEngine.probe()
        #expect(words.hasPrefix("WeasyPrint 7") && words.contains(", Python 3."), "\(words)")
        let error = #expect(throws: WorkError.self) { try HTMLEngine(folder: "/nonexistent", warm: 0).probe() }
        #expect(error?.code == .workerUnavailable)
    }
}
