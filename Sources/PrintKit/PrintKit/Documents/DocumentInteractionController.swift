// Previews a document, opens it in other applications, and shows its menu.

public import FoundationEssentials
import PrintModel

/// A controller that shows the possible actions for a document (`UIDocumentInteractionController`).
///
///     let controller = DocumentInteractionController(url: URL(filePath: "/home/me/report.docx"))
///     controller.delegate = window
///     if try await !controller.presentOpenInMenu() { print("no application opens \(controller.name)") }
///
/// Each presenting method returns false when there is nothing to show.
public final class DocumentInteractionController {
    /// The URL of the document.
    ///
    /// Setting the URL resets `uti` and `name`.
    public var url: URL? {
        didSet {
            (ownName, ownUTI) = (nil, nil)
            detected = nil
        }
    }
    /// Custom data for the application that opens the document, passed to the delegate.
    public var annotation: (any Sendable)?
    /// The delegate.
    ///
    /// The controller does not own the delegate.
    public weak var delegate: (any DocumentInteractionControllerDelegate)?
    /// The presenter of menus.
    ///
    /// The default is the terminal.
    public var presenter: any DocumentPresenting = TerminalDocumentPresenter()
    /// The applications that can open documents.
    public var applicationRegistry = ApplicationRegistry()

    private var ownName: String?
    private var ownUTI: String?
    private var detected: DocumentType??
    private var menu: Task<Int?, any Error>?
    private var preview: PreviewController?

    /// Creates a controller without a document.
    public init() {}

    /// Creates a controller for a document.
    public init(url: URL) { self.url = url }

    // MARK: Properties

    /// The name of the document.
    ///
    /// The default is the last path component of the URL.
    public var name: String {
        get { ownName ?? url?.lastPathComponent ?? "" }
        set { ownName = newValue }
    }

    /// The uniform type identifier; nil for an unknown type.
    ///
    /// The default is detected from the contents and the name.
    public var uti: String? {
        get { ownUTI ?? type?.identifier }
        set { ownUTI = newValue }
    }

    /// The names of the icons of the document's type, the best first (Icon Naming Specification); empty for an unknown
    /// type.
    public var icons: [String] { type?.iconNames ?? [] }

    /// The type of the document: the type with `uti` if it was set, otherwise the detected type.
    private var type: DocumentType? {
        if let ownUTI { return DocumentTypeRegistry.builtIn.type(withIdentifier: ownUTI) }
        if let detected { return detected }
        let type = url.flatMap(DocumentKind.type(of:))
        detected = .some(type)
        return type
    }

    /// The applications that open the document, the best first.
    public var applications: [DocumentApplication] {
        guard url != nil, let type else { return [] }
        return applicationRegistry.applications(for: type.formats)
    }

    // MARK: Preview

    /// Shows a preview of the document until the person closes it or `dismissPreview()` is called.
    ///
    /// - Returns: False if the document has no previewable type, if the delegate returns no presenter for the preview,
    ///   or if the preview is shown already.
    /// - Throws: `PrintError.printingNotAvailable` when the presenter cannot show previews.
    @discardableResult
    public nonisolated(nonsending) func presentPreview() async throws(PrintError) -> Bool {
        guard preview == nil, let url, type != nil, DocumentKind.isRegularFile(url.path),
            let parent = delegate?.documentInteractionControllerParentForPreview(self)
        else { return false }
        let items = SingleItem(url: url, title: name)
        let controller = PreviewController()
        controller.presenter = parent
        controller.dataSource = items
        preview = controller
        delegate?.documentInteractionControllerWillBeginPreview(self)
        defer {
            preview = nil
            delegate?.documentInteractionControllerDidEndPreview(self)
        }
        return try await controller.present()
    }

    /// Closes the preview if it is shown.
    public func dismissPreview() { preview?.dismiss() }

    // MARK: Menus

    /// Shows a menu with all possible actions for the document, and performs the chosen action.
    ///
    /// The menu contains the preview if the delegate returns a presenter for it, copying and printing if the delegate
    /// can perform them, and the applications that open the document, by rank.
    ///
    /// - Returns: False if the menu would be empty, or if a menu is shown already.
    /// - Throws: `PrintError` when the menu cannot be shown, or when the chosen action fails.
    @discardableResult
    public nonisolated(nonsending) func presentOptionsMenu() async throws(PrintError) -> Bool {
        var items: [DocumentMenu.Item] = []
        if type != nil, delegate?.documentInteractionControllerParentForPreview(self) != nil { items.append(.preview) }
        for (action, item) in [(DocumentAction.print, DocumentMenu.Item.print), (.copy, .copy)]
        where url != nil && delegate?.documentInteractionController(self, canPerform: action) == true {
            items.append(item)
        }
        items += applications.map { .open($0) }
        guard !items.isEmpty, menu == nil else { return false }
        delegate?.documentInteractionControllerWillPresentOptionsMenu(self)
        let choice = try await choose(from: items) { controller in
            controller.delegate?.documentInteractionControllerDidDismissOptionsMenu(controller)
        }
        if let choice { try await perform(choice) }
        return true
    }

    /// Shows a menu with the applications that open the document, by rank, and opens the document in the chosen
    /// application.
    ///
    /// - Returns: False if no application opens the document, or if a menu is shown already.
    /// - Throws: `PrintError` when the menu cannot be shown, or when the application cannot be started.
    @discardableResult
    public nonisolated(nonsending) func presentOpenInMenu() async throws(PrintError) -> Bool {
        let items = applications.map { DocumentMenu.Item.open($0) }
        guard !items.isEmpty, menu == nil else { return false }
        delegate?.documentInteractionControllerWillPresentOpenInMenu(self)
        let choice = try await choose(from: items) { controller in
            controller.delegate?.documentInteractionControllerDidDismissOpenInMenu(controller)
        }
        if let choice { try await perform(choice) }
        return true
    }

    /// Closes the menu if it is shown.
    ///
    /// Nothing is chosen.
    public func dismissMenu() { menu?.cancel() }

    /// Returns the chosen item; nil if the menu was closed.
    private nonisolated(nonsending) func choose(
        from items: [DocumentMenu.Item], dismissed: (DocumentInteractionController) -> Void
    ) async throws(PrintError) -> DocumentMenu.Item? {
        let shown = DocumentMenu(title: name, items: items)
        let task = Task<Int?, any Error> { [presenter] in try await presenter.presentMenu(shown) }
        menu = task
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        menu = nil
        dismissed(self)
        do {
            guard !task.isCancelled, let index = try result.get(), items.indices.contains(index) else { return nil }
            return items[index]
        } catch is CancellationError {
            return nil
        } catch {
            throw PrintError(error, while: "showing the menu")
        }
    }

    private nonisolated(nonsending) func perform(_ item: DocumentMenu.Item) async throws(PrintError) {
        switch item {
        case .preview: try await presentPreview()
        case .print: await delegate?.documentInteractionController(self, perform: .print)
        case .copy: await delegate?.documentInteractionController(self, perform: .copy)
        case .open(let application):
            guard let url else { return }
            delegate?.documentInteractionController(self, willBeginSendingTo: application)
            try application.open(url)
            delegate?.documentInteractionController(self, didEndSendingTo: application)
        }
    }
}

/// A data source with one item.
private final class SingleItem: PreviewControllerDataSource {
    private struct Item: PreviewItem {
        var previewItemURL: URL?
        var previewItemTitle: String?
    }

    private let item: Item

    init(url: URL, title: String) { item = Item(previewItemURL: url, previewItemTitle: title) }

    func numberOfPreviewItems(in controller: PreviewController) -> Int { 1 }

    func previewController(_ controller: PreviewController, previewItemAt index: Int) -> any PreviewItem { item }
}

/// An action of a menu that the delegate performs.
public enum DocumentAction: Hashable, Sendable, CaseIterable {
    /// Printing the document.
    case print
    /// Copying the document.
    case copy
}

/// A delegate of a document interaction controller (`UIDocumentInteractionControllerDelegate`).
///
/// Every method has a default implementation, which does nothing or answers no.
public protocol DocumentInteractionControllerDelegate: AnyObject {
    /// Returns the presenter of previews (`documentInteractionControllerViewControllerForPreview(_:)`). For nil, the
    /// default, there are no previews.
    func documentInteractionControllerParentForPreview(
        _ controller: DocumentInteractionController
    ) -> (any DocumentPresenting)?

    /// Called before the preview is shown.
    func documentInteractionControllerWillBeginPreview(_ controller: DocumentInteractionController)

    /// Called after the preview has disappeared.
    func documentInteractionControllerDidEndPreview(_ controller: DocumentInteractionController)

    /// Called before the options menu is shown.
    func documentInteractionControllerWillPresentOptionsMenu(_ controller: DocumentInteractionController)

    /// Called after the options menu has disappeared, before the chosen action.
    func documentInteractionControllerDidDismissOptionsMenu(_ controller: DocumentInteractionController)

    /// Called before the menu of applications is shown.
    func documentInteractionControllerWillPresentOpenInMenu(_ controller: DocumentInteractionController)

    /// Called after the menu of applications has disappeared, before the document is opened.
    func documentInteractionControllerDidDismissOpenInMenu(_ controller: DocumentInteractionController)

    /// Called before the document is opened in an application.
    func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingTo application: DocumentApplication)

    /// Called after the application was started with the document.
    func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingTo application: DocumentApplication)

    /// Returns whether the delegate can perform an action. The default is false.
    func documentInteractionController(
        _ controller: DocumentInteractionController, canPerform action: DocumentAction
    ) -> Bool

    /// Performs an action that the person has chosen.
    nonisolated(nonsending) func documentInteractionController(
        _ controller: DocumentInteractionController, perform action: DocumentAction
    ) async
}

extension DocumentInteractionControllerDelegate {
    /// Returns nil, so that there are no previews.
    public func documentInteractionControllerParentForPreview(
        _ controller: DocumentInteractionController
    ) -> (any DocumentPresenting)? { nil }

    /// Does nothing.
    public func documentInteractionControllerWillBeginPreview(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionControllerDidEndPreview(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionControllerWillPresentOptionsMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionControllerDidDismissOptionsMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionControllerWillPresentOpenInMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionControllerDidDismissOpenInMenu(_ controller: DocumentInteractionController) {}

    /// Does nothing.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingTo application: DocumentApplication
    ) {}

    /// Does nothing.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingTo application: DocumentApplication
    ) {}

    /// Returns false.
    public func documentInteractionController(
        _ controller: DocumentInteractionController, canPerform action: DocumentAction
    ) -> Bool { false }

    /// Does nothing.
    public nonisolated(nonsending) func documentInteractionController(
        _ controller: DocumentInteractionController, perform action: DocumentAction
    ) async {}
}
