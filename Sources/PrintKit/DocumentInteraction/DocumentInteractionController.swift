// Previews a document, opens it in other applications, and shows its menu.

public import FoundationEssentials
public import PrintKit
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
            (ownName, ownUTI, detected) = (nil, nil, nil)
        }
    }
    /// Custom data for the application that opens the document, up to 64 KiB as JSON.
    ///
    /// The application reads the data from `OpenedDocument`.
    public var annotation: (any Encodable & Sendable)?
    /// The identifier of this program, which the application reads from `OpenedDocument`.
    ///
    /// The default is `nil`: the name of the program's desktop entry if the desktop has started the program, otherwise the
    /// name of the program.
    public var sourceApplication: String?
    /// The delegate of the controller.
    ///
    /// The controller does not retain the delegate.
    public weak var delegate: (any DocumentInteractionControllerDelegate)?
    /// The presenter of menus.
    ///
    /// The default is the terminal in a program that is linked with `PrintKitTerminal`.
    public var presenter: any DocumentPresenting = LinkedPresenter.documents
    /// The controller that prints the document if the delegate does not print; `nil` for menus without this action.
    public var printInteractionController: PrintInteractionController? = PrintInteractionController() {
        didSet { detected = nil }
    }
    /// The types of documents that the program declares.
    public var documentTypes = DocumentTypeRegistry.shared { didSet { detected = nil } }
    /// The applications that can open documents.
    public var applicationRegistry = ApplicationRegistry()

    private var ownName: String?
    private var ownUTI: String?
    private var detected: DetectedType?
    /// The address of the session bus for applications that D-Bus activates; `nil` for the bus of the user.
    var sessionBus: String?
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
        get { ownUTI ?? type.identifier }
        set { (ownUTI, detected) = (newValue, nil) }
    }

    /// The name of the document's type for users, such as `Word document`; `nil` for an unknown type.
    public var typeName: String? { type.name }

    /// All identifiers of the document's type: the identifiers of its declaration, such as those of old and new Word
    /// documents.
    public var typeIdentifiers: [String] { type.declaration?.identifiers ?? [type.identifier].compactMap(\.self) }

    /// The names (Icon Naming Specification) or paths of the icons of the document's type, the best icon first; empty for
    /// an unknown type.
    public var icons: [String] { type.icons }

    /// Returns the image files of the document's icon, the smallest size first; empty if the theme has no icon.
    public func iconFiles(in theme: IconTheme = IconTheme()) -> [IconFile] { theme.files(for: icons) }

    /// The type with the identifier `uti` if that was set, otherwise the detected type.
    private var type: DetectedType {
        if let detected { return detected }
        let path = url.flatMap { $0.isFileURL ? $0.path : nil }
        guard path != nil || ownUTI != nil else { return DetectedType() }
        let printable = (printInteractionController?.destination ?? PrintInteractionController.defaultDestination)
            .documentTypes
        let type = documentTypes.type(of: path ?? "", identifier: ownUTI, printable: printable)
        detected = type
        return type
    }

    /// The applications that open the document, the best application first.
    ///
    /// The applications come from the desktop, and from the declaration of the document's type.
    public var applications: [DocumentApplication] {
        guard let url, url.isFileURL, DocumentKind.isRegularFile(url.path) else { return [] }
        let found = applicationRegistry.applications(for: type.formats)
        guard let declaration = type.declaration, let own = declaration.application else { return found }
        return found.ranked(own, as: declaration.rank)
    }

    private var canPrint: Bool {
        guard let url, url.isFileURL, DocumentKind.isRegularFile(url.path), let printInteractionController else {
            return false
        }
        return type.isPrinted(by: printInteractionController.destination)
    }

    // MARK: Preview

    /// Shows a preview of the document until the person closes the preview or `dismissPreview()` is called.
    ///
    /// - Returns: False if the document has no previewable type, if the delegate returns no presenter for the preview,
    ///   or if the preview is shown already.
    /// - Throws: `PrintError.printingNotAvailable` when the presenter cannot show previews.
    @discardableResult
    public nonisolated(nonsending) func presentPreview() async throws(PrintError) -> Bool {
        guard preview == nil, let url, type.printable != nil, DocumentKind.isRegularFile(url.path),
            let parent = delegate?.documentInteractionControllerParentForPreview(self)
        else { return false }
        let items = SingleItem(url: url, title: name)
        let controller = PreviewController()
        controller.presenter = parent
        controller.printInteractionController = printInteractionController
        controller.documentTypes = documentTypes
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
    /// - printing, if the delegate or `printInteractionController` can print the document;
    /// - copying, if the delegate can copy the document;
    /// - the applications that open the document, by rank.
    ///
    /// - Parameter style: The preferred form, such as a popover that points at a button.
    /// - Returns: False if the menu would be empty, or if a menu is shown already.
    /// - Throws: `PrintError` when the menu cannot be shown, or when the chosen action fails.
    @discardableResult
    public nonisolated(nonsending) func presentOptionsMenu(
        as style: PresentationStyle = .automatic
    ) async throws(PrintError) -> Bool {
        var items: [DocumentMenu.Item] = []
        if type.printable != nil, delegate?.documentInteractionControllerParentForPreview(self) != nil {
            items.append(.preview)
        }
        if url != nil, delegatePerforms(.print) || canPrint { items.append(.print) }
        if url != nil, delegatePerforms(.copy) { items.append(.copy) }
        items += applications.map { .open($0) }
        guard !items.isEmpty, menu == nil else { return false }
        delegate?.documentInteractionControllerWillPresentOptionsMenu(self)
        let choice = try await choose(from: items, style) { controller in
            controller.delegate?.documentInteractionControllerDidDismissOptionsMenu(controller)
        }
        if let choice { try await perform(choice) }
        return true
    }

    /// Shows a menu with the applications that open the document, by rank, and opens the document in the chosen
    /// application.
    ///
    /// - Parameter style: The preferred form, such as a popover that points at a button.
    /// - Returns: False if no application opens the document, or if a menu is shown already.
    /// - Throws: `PrintError` when the menu cannot be shown, or when the application cannot be started.
    @discardableResult
    public nonisolated(nonsending) func presentOpenInMenu(
        as style: PresentationStyle = .automatic
    ) async throws(PrintError) -> Bool {
        let items = applications.map { DocumentMenu.Item.open($0) }
        guard !items.isEmpty, menu == nil else { return false }
        delegate?.documentInteractionControllerWillPresentOpenInMenu(self)
        let choice = try await choose(from: items, style) { controller in
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
        from items: [DocumentMenu.Item], _ style: PresentationStyle, dismissed: (DocumentInteractionController) -> Void
    ) async throws(PrintError) -> DocumentMenu.Item? {
        let shown = DocumentMenu(title: name, items: items, style: style)
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
        case .print:
            if delegatePerforms(.print) {
                await delegate?.documentInteractionController(self, perform: .print)
            } else if let url {
                try await printInteractionController?.printItem(url, named: name)
            }
        case .copy: await delegate?.documentInteractionController(self, perform: .copy)
        case .open(let application):
            guard let url else { return }
            delegate?.documentInteractionController(self, willBeginSendingTo: application)
            delegate?.documentInteractionController(self, willBeginSendingToApplication: application.id)
            let message = try OpenMessage(
                url, source: sourceApplication ?? OpenMessage.ownIdentifier(), annotation: annotation)
            try await application.open(message, url, bus: sessionBus)
            delegate?.documentInteractionController(self, didEndSendingTo: application)
            delegate?.documentInteractionController(self, didEndSendingToApplication: application.id)
        }
    }

    private func delegatePerforms(_ action: DocumentAction) -> Bool {
        delegate?.documentInteractionController(self, canPerform: action) == true
    }
}

extension [DocumentApplication] {
    /// Returns the applications with another rank of one application; the rank `none` removes the application.
    func ranked(_ id: String, as rank: DocumentType.HandlerRank) -> [DocumentApplication] {
        guard var application = first(where: { $0.id == id }) else { return self }
        var others = filter { $0.id != id }
        guard rank != .none else { return others }
        application.rank = rank
        // The user's choice stays the first application.
        let place = others.firstIndex { $0.rank > rank || $0.rank == rank && rank != .owner } ?? others.endIndex
        others.insert(application, at: place)
        return others
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
