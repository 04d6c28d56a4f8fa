// Shows previews of several items, one after another.

public import FoundationEssentials
import PrintModel

/// An item that can be previewed (`QLPreviewItem`).
public protocol PreviewItem {
    /// The `file:` URL of the item; nil for an item that is not available.
    var previewItemURL: URL? { get }
    /// The title; nil for the last path component of the URL.
    var previewItemTitle: String? { get }
}

extension PreviewItem {
    /// Nil, so that the last path component of the URL is the title.
    public var previewItemTitle: String? { nil }
}

extension URL: PreviewItem {
    /// The URL itself.
    public var previewItemURL: URL? { self }
}

/// The items of a preview controller (`QLPreviewControllerDataSource`).
public protocol PreviewControllerDataSource: AnyObject {
    /// Returns the number of items.
    func numberOfPreviewItems(in controller: PreviewController) -> Int

    /// Returns an item.
    ///
    /// - Parameter index: The index, from 0.
    func previewController(_ controller: PreviewController, previewItemAt index: Int) -> any PreviewItem
}

/// A delegate of a preview controller (`QLPreviewControllerDelegate`).
public protocol PreviewControllerDelegate: AnyObject {
    /// Called before the preview disappears.
    func previewControllerWillDismiss(_ controller: PreviewController)

    /// Called after the preview has disappeared.
    func previewControllerDidDismiss(_ controller: PreviewController)
}

extension PreviewControllerDelegate {
    /// Does nothing.
    public func previewControllerWillDismiss(_ controller: PreviewController) {}

    /// Does nothing.
    public func previewControllerDidDismiss(_ controller: PreviewController) {}
}

/// A controller that shows previews of items (`QLPreviewController`).
///
///     let controller = PreviewController()
///     controller.dataSource = folder
///     controller.currentPreviewItemIndex = 2
///     try await controller.present()
///
/// Every type of document that can be printed can be previewed, and the other way around: iWork, Microsoft Office (97
/// and later), RTF, PDF, images, text and CSV.
public final class PreviewController {
    /// The items.
    ///
    /// The controller does not own the data source.
    public weak var dataSource: (any PreviewControllerDataSource)? { didSet { reloadData() } }
    /// The delegate.
    ///
    /// The controller does not own the delegate.
    public weak var delegate: (any PreviewControllerDelegate)?
    /// The presenter of previews.
    ///
    /// The default is the terminal.
    public var presenter: any DocumentPresenting = TerminalDocumentPresenter()
    /// The number of items, as of the last `reloadData()`.
    public private(set) var numberOfItems = 0
    private var index = 0
    private var task: Task<Int, any Error>?

    /// Creates a controller without items.
    public init() {}

    /// The index of the shown item, from 0; -1 without items.
    ///
    /// An index outside the items is set to the nearest item.
    public var currentPreviewItemIndex: Int {
        get { numberOfItems == 0 ? -1 : index }
        set { index = min(max(0, newValue), max(0, numberOfItems - 1)) }
    }

    /// The shown item; nil without items.
    public var currentPreviewItem: (any PreviewItem)? { numberOfItems == 0 ? nil : item(at: index) }

    /// The title of the shown item: its `previewItemTitle`, otherwise the last path component of its URL.
    public var title: String? { currentPreviewItem.map(Self.title(of:)) }

    /// Returns whether an item can be previewed: a readable file of a type that can be printed.
    public static func canPreview(_ item: any PreviewItem) -> Bool {
        item.previewItemURL.flatMap(DocumentKind.type(of:)) != nil
    }

    /// Asks the data source again for the number of items.
    ///
    /// The shown item is kept if it still exists.
    public func reloadData() {
        numberOfItems = max(0, dataSource?.numberOfPreviewItems(in: self) ?? 0)
        currentPreviewItemIndex = index
    }

    /// Shows the next item.
    ///
    /// - Returns: Whether there is a next item.
    @discardableResult
    public func showNextItem() -> Bool { move(by: 1) }

    /// Shows the previous item.
    ///
    /// - Returns: Whether there is a previous item.
    @discardableResult
    public func showPreviousItem() -> Bool { move(by: -1) }

    private func move(by step: Int) -> Bool {
        guard (0..<numberOfItems).contains(index + step) else { return false }
        index += step
        return true
    }

    /// Shows the items until the person closes the preview or `dismiss()` is called.
    ///
    /// - Returns: False if there is no item, or if a preview of this controller is shown already. `currentPreviewItemIndex`
    ///   is then the item that was shown last.
    /// - Throws: `PrintError.printingNotAvailable` when the presenter cannot show previews.
    @discardableResult
    public nonisolated(nonsending) func present() async throws(PrintError) -> Bool {
        reloadData()
        guard numberOfItems > 0, task == nil else { return false }
        let pages = (0..<numberOfItems).map { PreviewPage(item(at: $0)) }
        let task = Task<Int, any Error> { [presenter, index] in
            try await presenter.presentPreview(pages, startingAt: index)
        }
        self.task = task
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        delegate?.previewControllerWillDismiss(self)
        self.task = nil
        defer { delegate?.previewControllerDidDismiss(self) }
        do {
            currentPreviewItemIndex = try result.get()
        } catch is CancellationError {
        } catch {
            throw PrintError(error, while: "showing the preview")
        }
        return true
    }

    /// Closes the preview if it is shown.
    public func dismiss() { task?.cancel() }

    private func item(at index: Int) -> any PreviewItem {
        dataSource?.previewController(self, previewItemAt: index) ?? MissingItem()
    }

    static func title(of item: any PreviewItem) -> String {
        item.previewItemTitle ?? item.previewItemURL?.lastPathComponent ?? ""
    }
}

/// An item of a data source that no longer exists.
private struct MissingItem: PreviewItem {
    var previewItemURL: URL? { nil }
}

/// A previewed item as a presenter receives it.
public struct PreviewPage: Sendable, Hashable {
    /// The title.
    public let title: String
    /// The URL; nil for an item that is not available.
    public let url: URL?
    /// The name of the type for users; nil if the item cannot be previewed.
    public let typeName: String?
    /// Whether the contents are text, whose first lines can be shown.
    let isText: Bool

    /// Creates the page of an item.
    init(_ item: any PreviewItem) {
        title = PreviewController.title(of: item)
        url = item.previewItemURL
        let type = url.flatMap(DocumentKind.type(of:))
        typeName = type?.name
        switch type?.converter {
        case .text, .table, .markdown, .sourceCode: isText = true
        default: isText = false
        }
    }
}
