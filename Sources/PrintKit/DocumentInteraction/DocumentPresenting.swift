// The protocol for surfaces that show previews and menus of documents.

import CLinkedDefaults
public import PrintKit

/// A surface that shows previews and menus of documents.
///
/// `TerminalDocumentPresenter` in the module PrintKitTerminal is a presenter. Other presenters can show windows or web
/// pages. Canceling the task hides the preview or the menu.
public protocol DocumentPresenting: Sendable {
    /// Shows items one after another until the person closes the preview or chooses an action.
    ///
    /// - Parameters:
    ///   - pages: The items. At least one item is required.
    ///   - index: The index of the first item to show.
    /// - Returns: The index of the item that was visible at the end, and the chosen action. The controller prints the item
    ///   and then shows the preview again.
    /// - Throws: `PrintError.printingNotAvailable` when the preview cannot be shown.
    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd

    /// Shows a menu until the person chooses an item or closes the menu.
    ///
    /// - Returns: The index of the chosen item; `nil` if the menu was closed.
    /// - Throws: `PrintError.printingNotAvailable` when the menu cannot be shown.
    func presentMenu(_ menu: DocumentMenu) async throws -> Int?
}

/// What the person did last in a preview.
public struct PreviewEnd: Hashable, Sendable {
    /// The index of the item that was visible.
    public var index: Int
    /// Whether the person chose to print the item; only items with `PreviewPage.canPrint` offer this action.
    public var isPrinting: Bool

    /// Creates an end without an action, unless the person prints the item.
    public init(index: Int, isPrinting: Bool = false) { (self.index, self.isPrinting) = (index, isPrinting) }
}

/// The actions that a person can choose for a document.
public struct DocumentMenu: Sendable, Hashable {
    /// The title: the name of the document.
    public let title: String
    /// The items of the menu, in order.
    ///
    /// There is at least one item.
    public let items: [Item]
    /// The form and the place of the menu.
    ///
    /// A popover points at the rectangle that the program has passed, such as that of a button.
    public let style: PresentationStyle

    /// Creates a menu.
    ///
    /// - Precondition: There is an item.
    public init(title: String, items: [Item], style: PresentationStyle = .automatic) {
        precondition(!items.isEmpty, "the menu of '\(title)' requires an item")
        (self.title, self.items, self.style) = (title, items, style)
    }

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

/// A namespace for the presenters that linked modules provide.
enum LinkedPresenter {
    /// The terminal in a program that is linked with `PrintKitTerminal`, otherwise `MissingDocumentPresenter`.
    static var documents: any DocumentPresenting {
        withUnsafeTemporaryAllocation(of: (any DocumentPresenting).self, capacity: 1) { place in
            guard let start = place.baseAddress, clinked_document_presenter_make(start) else {
                return MissingDocumentPresenter()
            }
            return start.move()
        }
    }
}

/// The presenter of a program without a surface for documents.
struct MissingDocumentPresenter: DocumentPresenting {
    func presentPreview(_ pages: [PreviewPage], startingAt index: Int) async throws -> PreviewEnd {
        throw Self.missing("the preview")
    }

    func presentMenu(_ menu: DocumentMenu) async throws -> Int? { throw Self.missing("the menu") }

    private static func missing(_ subject: String) -> PrintError {
        PrintError(
            .printingNotAvailable,
            "cannot show \(subject) because the program has no presenter; link the product PrintKitTerminal, or set the "
                + "controller's presenter")
    }
}
