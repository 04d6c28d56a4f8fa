// The protocol for surfaces that show previews and menus of documents.

import FoundationEssentials
import SafeFiles

/// A surface that shows previews and menus of documents.
///
/// `TerminalDocumentPresenter` is a presenter. Other presenters can show windows or web pages. Canceling the task hides
/// the preview or the menu.
public protocol DocumentPresenting: Sendable {
    /// Shows items one after another until the person closes the preview.
    ///
    /// - Parameters:
    ///   - pages: The items. At least one item is required.
    ///   - index: The index of the first item to show.
    /// - Returns: The index of the item that was visible when the person closed the preview.
    /// - Throws: `PrintError.printingNotAvailable` when the preview cannot be shown.
    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> Int

    /// Shows a menu until the person chooses an item or closes the menu.
    ///
    /// - Returns: The index of the chosen item; `nil` if the menu was closed.
    /// - Throws: `PrintError.printingNotAvailable` when the menu cannot be shown.
    func presentMenu(_ menu: DocumentMenu) async throws -> Int?
}

/// The actions that a person can choose for a document.
public struct DocumentMenu: Sendable, Hashable {
    /// The title: the name of the document.
    public let title: String
    /// The items of the menu, in order.
    ///
    /// There is at least one item.
    public let items: [Item]

    /// One action, and what it does when it is chosen.
    public enum Item: Sendable, Hashable {
        /// An item that shows the preview.
        case preview
        /// An item that prints the document.
        case print
        /// An item that copies the document.
        case copy
        /// An item that opens the document in an application.
        case open(DocumentApplication)

        /// The text of the menu item.
        public var title: String {
            switch self {
            case .preview: "Preview"
            case .print: "Print"
            case .copy: "Copy"
            case .open(let application): "Open in \(application.name)"
            }
        }
    }
}

/// A presenter that shows previews and menus on the terminal of the program.
///
/// A preview shows the title, the type and the size of an item. If the item is a text, the preview also shows its first
/// lines. The arrow keys show another item or move the selection, Enter accepts the selection, and Escape closes the
/// preview or the menu. The presenter uses `/dev/tty`, so standard input and output remain available to the program. To
/// show the pages of a document, use `printq preview`.
public struct TerminalDocumentPresenter: DocumentPresenting {
    private let path: String

    /// Creates a presenter for the program's terminal, or for the terminal at a path.
    public init(terminal path: String = "/dev/tty") { self.path = path }

    /// Shows the items as a form.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> Int {
        try await Terminal.run(PreviewForm(pages, index: index), style: .automatic, at: path) ?? index
    }

    /// Shows the menu as a list.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentMenu(_ menu: DocumentMenu) async throws -> Int? {
        try await Terminal.run(ListForm(menu), style: .automatic, at: path)
    }
}

struct PreviewForm: TerminalForm {
    let subject = "the preview"
    let alternative = "set the controller's presenter"
    private static let mostLines = 12

    let pages: [PreviewPage]
    private(set) var index: Int

    init(_ pages: [PreviewPage], index: Int) {
        (self.pages, self.index) = (pages, min(max(0, index), pages.count - 1))
    }

    mutating func handle(_ key: TerminalKey) -> FormOutcome<Int> {
        switch key {
        case .escape, .enter, .character("q"): return .accepted(index)
        case .right, .down, .character("n"): index = min(index + 1, pages.count - 1)
        case .left, .up, .character("p"): index = max(index - 1, 0)
        default: break
        }
        return .open
    }

    var title: String {
        let title = pages[index].title
        return pages.count == 1 ? title : "\(title) (\(index + 1) of \(pages.count))"
    }

    var hint: String { (pages.count > 1 ? "arrows show the next or previous item · " : "") + "Escape closes" }

    var rows: [String] {
        let page = pages[index]
        guard let type = page.typeName, let url = page.url else { return ["This item cannot be previewed."] }
        let size = DocumentKind.size(of: url.path)
        let lines = page.isText ? [""] + Self.lines(of: url) : []
        return [size.map { "\(type), \(Self.text(for: $0))" } ?? type] + lines
    }

    private static func text(for size: Int) -> String {
        switch size {
        case ..<1_000: "\(size) bytes"
        case ..<1_000_000: "\(size / 1_000) kB"
        default: "\(size / 1_000_000) MB"
        }
    }

    /// When the form is shown, control characters in the lines are replaced.
    private static func lines(of url: URL) -> [String] {
        guard DocumentKind.isRegularFile(url.path), let head = try? FileBytes.read(url.path, count: 4096) else {
            return []
        }
        let text = String(decoding: head, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).prefix(mostLines).map { line in
            String(line.filter { $0 != "\r" }).split(separator: "\t", omittingEmptySubsequences: false)
                .joined(separator: "    ")
        }
    }
}
