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
    /// Custom data for the application that opens the document.
    ///
    /// The delegate can read the data from the controller.
    public var annotation: (any Sendable)?
    /// The delegate of the controller.
    ///
    /// The controller does not retain the delegate.
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

    /// Creates a controller for the file at a `file:` URL.
    public init(url: URL) { self.url = url }

    // MARK: Properties

    /// The name of the document.
    ///
    /// The default is the last path component of the URL.
    public var name: String {
        get { ownName ?? url?.lastPathComponent ?? "" }
        set { ownName = newValue }
    }

    /// The uniform type identifier of the document; `nil` for an unknown type.
    ///
    /// If no identifier was set, the type is detected from the contents and the name of the file.
    public var uti: String? {
        get { ownUTI ?? type?.identifier }
        set { ownUTI = newValue }
    }

    /// The names of the icons of the document's type (Icon Naming Specification), the best icon first; empty for an
    /// unknown type.
    public var icons: [String] { type?.iconNames ?? [] }

    /// The type with the identifier `uti` if that was set, otherwise the detected type.
    private var type: DocumentType? {
        if let ownUTI { return DocumentTypes.builtIn.type(withIdentifier: ownUTI) }
        if let detected { return detected }
        let type = url.flatMap(DocumentKind.type(of:))
        detected = .some(type)
        return type
    }

    /// The applications that open the document, the best application first.
    public var applications: [DocumentApplication] {
        guard url != nil, let type else { return [] }
        return applicationRegistry.applications(for: type.formats)
    }

    // MARK: Preview

    /// Shows a preview of the document until the person closes the preview or `dismissPreview()` is called.
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

    /// Closes the preview if the preview is shown.
    public func dismissPreview() { preview?.dismiss() }

    // MARK: Menus

    /// Shows a menu with all possible actions for the document, and performs the chosen action.
    ///
    /// The menu contains:
    ///
    /// - the preview, if the delegate returns a presenter for the preview;
    /// - copying and printing, if the delegate can perform these actions;
    /// - the applications that open the document, by rank.
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

    /// Closes the menu if the menu is shown.
    ///
    /// The controller then performs no action.
    public func dismissMenu() { menu?.cancel() }

    /// Returns the chosen item; `nil` if the menu was closed.
    private nonisolated(nonsending) func choose(
        from items: [DocumentMenu.Item], dismissed: (DocumentInteractionController) -> Void
    ) async throws(PrintError) -> DocumentMenu.Item? {
        let shown = DocumentMenu(title: name, items: items)
        // The menu appears after `menu` is set, so that `dismissMenu` always finds the visible menu.
        let (isStored, store) = AsyncStream<Void>.makeStream()
        let task = Task<Int?, any Error> { [presenter] in
            for await _ in isStored {}
            return try await presenter.presentMenu(shown)
        }
        menu = task
        store.finish()
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
            delegate?.documentInteractionController(self, willBeginSendingToApplication: application.id)
            try application.open(url)
            delegate?.documentInteractionController(self, didEndSendingTo: application)
            delegate?.documentInteractionController(self, didEndSendingToApplication: application.id)
        }
    }
}

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
