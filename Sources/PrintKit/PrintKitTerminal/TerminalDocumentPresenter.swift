// Presents previews and menus of documents on the terminal.

import DocumentPreviews
public import DocumentInteraction
import FoundationEssentials
import TerminalImages

/// A presenter that shows previews and menus on the terminal of the program.
///
/// A preview shows the pages of each item as `printq preview` does: n and p turn the pages, Tab and P show another item,
/// t shows thumbnails, Control-P prints the item, q closes the preview. On a terminal without colors, and without the
/// program `print-preview`, the preview shows the type and the size of an item, and the first lines of a text. In a menu,
/// the arrow keys move the selection, Enter accepts the selection, and Escape closes the menu. The presenter uses
/// `/dev/tty`, so standard input and output remain available to the program.
public struct TerminalDocumentPresenter: DocumentPresenting {
    private let path: String
    private let environment: [String: String]

    /// Creates a presenter for the program's terminal, or for the terminal at a path.
    public init(terminal path: String = "/dev/tty") {
        self.init(terminal: path, environment: ProcessInfo.processInfo.environment)
    }

    /// - Parameter environment: The variables that describe the terminal.
    init(terminal path: String, environment: [String: String]) { (self.path, self.environment) = (path, environment) }

    /// Shows the pages of the items, or the items as a form.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd {
        let graphics = TerminalGraphics(environment: environment)
        if graphics != .none, PreviewProcess.isInstalled,
            let viewer = PagePreview(pages, index: index, terminal: path, environment: environment)
        {
            return try await viewer.run(graphics)
        }
        let form = PreviewForm(pages, index: index)
        return try await Terminal.run(form, style: .automatic, at: path) ?? PreviewEnd(index: form.index)
    }

    /// Shows the menu as a list.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentMenu(_ menu: DocumentMenu) async throws -> Int? {
        try await Terminal.run(ListForm(menu), style: menu.style, at: path)
    }
}
