import FoundationEssentials
import PrintTestSupport
import Synchronization
import Testing

@testable import DocumentInteraction

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

    @Test func `the print action of a preview prints the item, and then the preview is shown again`() async throws {
        let destination = RecordingDestination()
        let printing = PrintInteractionController()
        (printing.destination, printing.optionsPresenter) = (destination, DecidingPresenter())
        controller.printInteractionController = printing
        let documents = Documents([
            try file("a.txt"), Titled(previewItemURL: try file("b.csv", "a,b\n"), previewItemTitle: "Table"),
        ])
        controller.dataSource = documents
        presenter.ends = [PreviewEnd(index: 1, isPrinting: true), PreviewEnd(index: 0)]
        #expect(try await controller.present())
        #expect(presenter.previews.count == 2 && controller.currentPreviewItemIndex == 0)
        #expect(destination.jobs.map(\.title) == ["Table"])
        printing.optionsPresenter = DecidingPresenter(accepts: false)
        presenter.ends = [PreviewEnd(index: 0, isPrinting: true)]
        #expect(try await controller.present())
        #expect(presenter.previews.count == 4 && destination.jobs.count == 1)
    }

    @Test func `'dismiss' closes the visible preview and tells the delegate`() async throws {
        let (shown, showing) = AsyncStream<Void>.makeStream()
        controller.presenter = WaitingPresenter(shown: showing)
        let (documents, delegate) = (Documents([try file("a.txt")]), Recorder())
        (controller.dataSource, controller.delegate) = (documents, delegate)
        let box = Box(controller)
        async let result = box.present()
        for await _ in shown { break }
        box.controller.dismiss()
        let isShown = try await result
        #expect(isShown && delegate.calls == ["will dismiss", "did dismiss"])
    }

    private final class Recorder: PreviewControllerDelegate {
        var calls: [String] = []

        func previewControllerWillDismiss(_ controller: PreviewController) { calls.append("will dismiss") }

        func previewControllerDidDismiss(_ controller: PreviewController) { calls.append("did dismiss") }
    }

    /// A controller that a test uses from two tasks, one after another.
    private final class Box: @unchecked Sendable {
        let controller: PreviewController
        init(_ controller: PreviewController) { self.controller = controller }
        func present() async throws -> Bool { try await controller.present() }
    }

    @Test func `only items that the destination prints have a print action`() async throws {
        let printing = PrintInteractionController()
        printing.destination = PDFFileDestination(folder: folder.path)
        let seen = PagesPresenter()
        (controller.printInteractionController, controller.presenter) = (printing, seen)
        let documents = Documents([
            try file("a.txt"), try file("b.pdf", "%PDF-1.7"), try file("c.zip", "PK\u{3}\u{4}\u{0}"),
        ])
        controller.dataSource = documents
        #expect(try await controller.present())
        #expect(seen.pages.map(\.canPrint) == [false, true, false])
        #expect(seen.pages.map(\.typeName) == ["Plain text", "PDF document", nil])
        printing.destination = RecordingDestination()
        #expect(try await controller.present())
        #expect(seen.pages.map(\.canPrint) == [true, true, false])
        controller.printInteractionController = nil
        #expect(try await controller.present())
        #expect(seen.pages.map(\.canPrint) == [false, false, false])
    }
}

/// A presenter that stores the items of the preview.
private final class PagesPresenter: DocumentPresenting {
    private let shown = Mutex<[PreviewPage]>([])

    var pages: [PreviewPage] { shown.withLock { $0 } }

    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd {
        shown.withLock { $0 = pages }
        return PreviewEnd(index: index)
    }

    func presentMenu(_ menu: DocumentMenu) async throws -> Int? { nil }
}
