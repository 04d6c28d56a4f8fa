import FoundationEssentials
import PrintTestSupport
import Testing

@testable import DocumentInteraction
@testable import PrintKitTerminal

/// Tests of previews and menus of documents on a pseudo-terminal, one after another, because one test checks that no
/// folder of a preview is left.
@Suite(.serialized) struct TerminalPreviewTests {
    private let folder: TemporaryFolder
    private let pty: PseudoTerminal

    init() throws {
        folder = try TemporaryFolder()
        pty = try PseudoTerminal(columns: 80)
    }

    private static let color = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

    private struct Item: PreviewItem { let previewItemURL: URL? }

    private func page(_ name: String, _ contents: String, canPrint: Bool = true) throws -> PreviewPage {
        let url = URL(filePath: folder.path(name))
        try Data(contents.utf8).write(to: url)
        let type = DocumentTypeRegistry().type(of: url.path, printable: .builtIn)
        return PreviewPage(Item(previewItemURL: url), type: type, canPrint: canPrint)
    }

    private func presenter(_ environment: [String: String] = [:]) -> TerminalDocumentPresenter {
        TerminalDocumentPresenter(terminal: pty.path, environment: environment)
    }

    @Test func `without colors, the terminal shows the type, size and first lines of an item, and Control-P prints`()
        async throws
    {
        let pages = [try page("a.txt", "first\nsec\u{1B}ond\n", canPrint: false), try page("b.pdf", "%PDF-1.7")]
        async let end = presenter().presentPreview(pages, startingAt: 0)
        let screen = try await pty.read(until: "Escape closes")
        #expect(screen.contains("a.txt (1 of 2)") && screen.contains("Plain text, 14 bytes"))
        #expect(screen.contains("first") && screen.contains("sec?ond") && !screen.contains("Ctrl-P"))
        pty.write("\u{10}n")
        let next = try await pty.read(until: "Escape closes")
        #expect(next.contains("b.pdf (2 of 2)") && next.contains("PDF document, 8 bytes"))
        #expect(next.contains("Ctrl-P prints"))
        pty.write("\u{10}")
        #expect(try await end == PreviewEnd(index: 1, isPrinting: true))
    }

    @Test func `a terminal with colors shows the pages of a document, and Control-P prints the document`() async throws
    {
        let missing = PreviewPage(Item(previewItemURL: nil), type: nil, canPrint: false)
        let pages = [missing, try page("a.txt", "hello\n")]
        async let end = presenter(Self.color).presentPreview(pages, startingAt: 1)
        _ = try await pty.read(until: "\u{1B}[c")
        pty.write("\u{1B}[?62c")
        // Half blocks show the page.
        let screen = try await pty.read(until: "▀")
        #expect(screen.contains("a.txt (2 of 2): Plain text, 1 page"))
        // Each read ends with the screen that a key has caused, because the rest of the output is lost.
        pty.write("P")
        _ = try await pty.read(until: "This item cannot be previewed.")
        pty.write("\t")
        _ = try await pty.read(until: "side 1 of 1 · Ctrl-P print")
        pty.write("\u{10}")
        #expect(try await end == PreviewEnd(index: 1, isPrinting: true))
        // print-preview has removed its temporary folder.
        let left = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        #expect(!left.contains { $0.hasPrefix("printkit-preview-") })
    }

    @Test func `if the task is canceled, the pages disappear`() async throws {
        let pages = [try page("a.txt", "hello\n")]
        let presenter = presenter(Self.color)
        let task = Task { try await presenter.presentPreview(pages, startingAt: 0) }
        _ = try await pty.read(until: "\u{1B}[c")
        pty.write("\u{1B}[?62c")
        _ = try await pty.read(until: "▀")
        task.cancel()
        _ = try await pty.read(until: "\u{1B}[?1049l")
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `the terminal presenter shows a document menu and returns the index of the chosen item`() async throws {
        let style = PresentationStyle.popover(from: Rect(x: 7, y: 0, width: 4, height: 1))
        let menu = DocumentMenu(title: "a.txt", items: [.preview, .print], style: style)
        async let choice = presenter().presentMenu(menu)
        let screen = try await pty.read(until: "Escape closes")
        #expect(screen.contains("> Preview") && screen.contains("       ┌"))
        pty.write("\u{1B}[B\r")
        let index = try await choice
        #expect(index == 1)
    }

    @Test func `a program that is linked with PrintKitTerminal uses the terminal by default`() {
        #expect(PrintInteractionController().optionsPresenter is TerminalOptionsPresenter)
        #expect(DocumentInteractionController().presenter is TerminalDocumentPresenter)
        #expect(PreviewController().presenter is TerminalDocumentPresenter)
    }
}
