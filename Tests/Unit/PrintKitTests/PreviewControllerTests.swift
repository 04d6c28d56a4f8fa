import FoundationEssentials
import PrintTestSupport
import Testing

@testable import PrintKit

/// Tests of previews of several items.
struct PreviewControllerTests {
    private let folder: TemporaryFolder
    private let presenter = RecordingPresenter()
    private let controller = PreviewController()

    init() throws {
        folder = try TemporaryFolder()
        controller.presenter = presenter
    }

    /// The documents of a folder, as in an app that shows a list of files.
    private final class Documents: PreviewControllerDataSource {
        var items: [any PreviewItem]
        init(_ items: [any PreviewItem]) { self.items = items }

        func numberOfPreviewItems(in controller: PreviewController) -> Int { items.count }

        func previewController(_ controller: PreviewController, previewItemAt index: Int) -> any PreviewItem {
            items[index]
        }
    }

    private struct Titled: PreviewItem {
        var previewItemURL: URL?
        var previewItemTitle: String?
    }

    private func file(_ name: String, _ contents: String = "hello") throws -> URL {
        let url = URL(filePath: folder.path(name))
        try Data(contents.utf8).write(to: url)
        return url
    }

    @Test func `the title of a preview is the file name unless the item has a title`() throws {
        let documents = Documents([
            try file("a.txt"), Titled(previewItemURL: try file("b.txt"), previewItemTitle: "Letter"),
        ])
        controller.dataSource = documents
        #expect(controller.numberOfItems == 2 && controller.title == "a.txt")
        #expect(controller.showNextItem() && controller.title == "Letter")
        #expect(!controller.showNextItem() && controller.currentPreviewItemIndex == 1)
        #expect(controller.showPreviousItem() && !controller.showPreviousItem())
        #expect(controller.currentPreviewItem?.previewItemURL?.lastPathComponent == "a.txt")
    }

    @Test func `the current index stays within the range of the preview items when the items change`() throws {
        let documents = Documents([try file("a.txt"), try file("b.txt"), try file("c.txt")])
        controller.dataSource = documents
        controller.currentPreviewItemIndex = 7
        #expect(controller.currentPreviewItemIndex == 2)
        documents.items.removeLast()
        controller.reloadData()
        #expect(controller.currentPreviewItemIndex == 1)
        documents.items = []
        controller.reloadData()
        #expect(controller.currentPreviewItemIndex == -1 && controller.currentPreviewItem == nil)
        #expect(controller.title == nil)
    }

    @Test func `the delegate is told before and after a preview disappears`() async throws {
        final class Watcher: PreviewControllerDelegate {
            var calls: [String] = []
            func previewControllerWillDismiss(_ controller: PreviewController) { calls.append("will dismiss") }
            func previewControllerDidDismiss(_ controller: PreviewController) { calls.append("did dismiss") }
        }
        let (documents, watcher) = (Documents([try file("a.txt")]), Watcher())
        (controller.dataSource, controller.delegate) = (documents, watcher)
        #expect(try await controller.present())
        #expect(watcher.calls == ["will dismiss", "did dismiss"])
    }

    @Test func `a document type can be previewed if it can be printed`() throws {
        let rtf = try file("a.rtf", "{\\rtf1 hello}")
        for url in [
            try file("a.txt"), try file("a.csv", "a,b\n"), try file("a.html", "<p>a"), rtf,
            try file("a.pdf", "%PDF-1.7"),
        ] {
            #expect(PreviewController.canPreview(url), "\(url)")
        }
        #expect(!PreviewController.canPreview(try file("a.bin", "\u{0}\u{1}")))
        #expect(!PreviewController.canPreview(try file("empty.txt", "")))
        #expect(!PreviewController.canPreview(URL(filePath: folder.path("none.txt"))))
        #expect(!PreviewController.canPreview(URL(filePath: folder.path)))
        #expect(!PreviewController.canPreview(Titled(previewItemURL: nil, previewItemTitle: "x")))
    }

    @Test
    func `a preview starts with the current item, and when it closes, the visible item becomes the current item`()
        async throws
    {
        #expect(try await !controller.present(), "there is no item")
        let documents = Documents([try file("a.txt"), try file("b.txt")])
        controller.dataSource = documents
        presenter.lastIndex = 1
        #expect(try await controller.present())
        #expect(presenter.previews == [["a.txt", "b.txt"]] && controller.currentPreviewItemIndex == 1)
    }

    @Test func `the terminal shows the type, size and first lines of an item, and a key shows the next item`()
        async throws
    {
        let pty = try PseudoTerminal(columns: 80)
        controller.presenter = TerminalDocumentPresenter(terminal: pty.path)
        let documents = Documents([try file("a.txt", "first\nsec\u{1B}ond\n"), try file("b.pdf", "%PDF-1.7")])
        controller.dataSource = documents
        let box = Box(controller)
        async let end = box.present()
        let screen = try await pty.read(until: "Escape closes")
        #expect(screen.contains("a.txt (1 of 2)") && screen.contains("Plain text, 14 bytes"))
        #expect(screen.contains("first") && screen.contains("sec?ond"))
        pty.write("n")
        let next = try await pty.read(until: "Escape closes")
        #expect(next.contains("b.pdf (2 of 2)") && next.contains("PDF document, 8 bytes"))
        pty.write("\u{1B}")
        let isShown = try await end
        #expect(isShown && controller.currentPreviewItemIndex == 1)
    }

    @Test func `the terminal presenter shows a document menu and returns the index of the chosen item`() async throws {
        let pty = try PseudoTerminal(columns: 80)
        let menu = DocumentMenu(title: "a.txt", items: [.preview, .print])
        async let choice = TerminalDocumentPresenter(terminal: pty.path).presentMenu(menu)
        #expect(try await pty.read(until: "Escape closes").contains("> Preview"))
        pty.write("\u{1B}[B\r")
        let index = try await choice
        #expect(index == 1)
    }

    /// A controller that a test uses from two tasks, one after another.
    private final class Box: @unchecked Sendable {
        let controller: PreviewController
        init(_ controller: PreviewController) { self.controller = controller }
        func present() async throws -> Bool { try await controller.present() }
    }
}
