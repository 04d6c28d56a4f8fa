import Glibc
import PrintModel
import PrintTestSupport
import Testing

@testable import DocumentPreviews
@testable import TerminalImages

/// Tests of the results of print-preview.
struct PreviewProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `'print-preview' draws the pages of a document, and a page viewer shows the pages`() async throws {
        try "hello\n".write(toFile: folder.path("a.txt"), atomically: true, encoding: .utf8)
        let images = folder.path("images")
        #expect(mkdir(images, 0o700) == 0)
        let process = try PreviewProcess(
            PreviewRequest(
                documents: [InputDocument(path: folder.path("a.txt"), name: "a.txt")], folder: images,
                resolution: 30, imageLimit: 3), spool: nil)
        defer { process.end() }
        // The document is the second document of the viewer.
        var browser = PageBrowser(names: ["missing", "a.txt"])
        while let event = try process.next() {
            browser.take(event, limit: 3, indices: [1], cleaned: { $0.replacing("Plain", with: "plain") })
        }
        browser.handle(.nextDocument)
        #expect(browser.title.hasPrefix("a.txt (2 of 2): plain text, 1 page"))
        #expect(browser.document.images[1] == "\(images)/1/page-0001.png" && browser.note == nil)
    }

    @Test func `results for an unknown document are ignored`() {
        var browser = PageBrowser(names: ["a.txt"])
        browser.take(.page(index: 7, side: 1, path: "/p.png"), limit: 1, indices: [0], cleaned: { $0 })
        #expect(browser.document.images.isEmpty)
    }
}
