// Shows previews of several items, one after another.

public import FoundationEssentials
public import PrintKit
import PrintModel

/// An item that can be previewed (`QLPreviewItem`).
public protocol PreviewItem {
    /// The `file:` URL of the item; `nil` if the item is not available.
    var previewItemURL: URL? { get }
    /// The title; `nil` means the last path component of the URL.
    var previewItemTitle: String? { get }
}

extension PreviewItem {
    /// The default title `nil`, which means the last path component of the URL.
    public var previewItemTitle: String? { nil }
}

extension URL: PreviewItem {
    /// The URL itself: a URL is an item that can be previewed.
    public var previewItemURL: URL? { self }
}

/// An object that provides the items of a preview controller (`QLPreviewControllerDataSource`).
public protocol PreviewControllerDataSource: AnyObject {
    /// Returns how many items exist; 0 shows nothing.
    ///
    /// The controller asks when the data source is set, and in `reloadData()`.
    func numberOfPreviewItems(in controller: PreviewController) -> Int

    /// Returns an item.
    ///
    /// - Parameter index: The index, from 0.
    func previewController(_ controller: PreviewController, previewItemAt index: Int) -> any PreviewItem
}

/// A delegate of a preview controller (`QLPreviewControllerDelegate`).
public protocol PreviewControllerDelegate: AnyObject {
    /// Tells the delegate that the preview will disappear.
    func previewControllerWillDismiss(_ controller: PreviewController)

    /// Tells the delegate that the preview has disappeared.
    func previewControllerDidDismiss(_ controller: PreviewController)
}

extension PreviewControllerDelegate {
    /// Does nothing by default before the preview disappears.
    public func previewControllerWillDismiss(_ controller: PreviewController) {}

    /// Does nothing by default after the preview has disappeared.
    public func previewControllerDidDismiss(_ controller: PreviewController) {}
}

/// A controller that shows previews of items (`QLPreviewController`).
///
///     let controller = PreviewController()
///     controller.dataSource = folder
///     controller.currentPreviewItemIndex = 2
///     try await controller.present()
///
/// The controller can preview a document if and only if the type of the document can be printed. The types include
/// iWork, Microsoft Office (97 and later), RTF, PDF, images, text and CSV. The preview has an action that prints the
/// visible item with `printInteractionController`.
public final class PreviewController {
    /// The data source, which provides the items to preview.
    ///
    /// The controller does not retain the data source.
    public weak var dataSource: (any PreviewControllerDataSource)? { didSet { reloadData() } }
    /// The delegate of the controller.
    ///
    /// The controller does not retain the delegate.
    public weak var delegate: (any PreviewControllerDelegate)?
    /// The presenter of previews.
    ///
    /// The default is the terminal in a program that is linked with `PrintKitTerminal`.
    public var presenter: any DocumentPresenting = LinkedPresenter.documents
    /// The controller that prints the visible item; `nil` for previews without this action.
    ///
    /// The preview offers the action for the items that the controller's destination prints. The queue prints all items
    /// with a preview.
    public var printInteractionController: PrintInteractionController? = PrintInteractionController()
    /// The types of documents that the program declares.
    public var documentTypes = DocumentTypeRegistry.shared
    /// The number of items that the data source returned when `reloadData()` was last called.
    public private(set) var numberOfItems = 0
    private var index = 0
    private var isPresented = false
    private var isDismissed = false
    private var task: Task<PreviewEnd, any Error>?

    /// Creates a preview controller without items.
    public init() {}

    /// The index of the shown item, from 0; -1 if there are no items.
    ///
    /// An invalid index becomes the index of the nearest item.
    public var currentPreviewItemIndex: Int {
        get { numberOfItems == 0 ? -1 : index }
        set { index = min(max(0, newValue), max(0, numberOfItems - 1)) }
    }

    /// The shown item; `nil` if there are no items.
    public var currentPreviewItem: (any PreviewItem)? { numberOfItems == 0 ? nil : item(at: index) }

    /// The title of the shown item: its `previewItemTitle`, otherwise the last path component of its URL.
    public var title: String? { currentPreviewItem.map(Self.title(of:)) }

    /// Returns whether the controller can preview an item.
    ///
    /// The item must be a readable file of a type that can be printed.
    public static func canPreview(_ item: any PreviewItem) -> Bool {
        item.previewItemURL.flatMap(DocumentKind.type(of:)) != nil
    }

    /// Requests the number of items from the data source again.
    ///
    /// The index of the shown item does not change, unless the data source now has fewer items.
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
    /// After the person has closed the preview, `currentPreviewItemIndex` is the index of the item that was visible
    /// last. If the person prints an item, the printer options are shown, and the preview is shown again after the
    /// destination has accepted the job.
    ///
    /// - Returns: False if there is no item, or if a preview of this controller is shown already.
    /// - Throws: `PrintError`: `printingNotAvailable` when the presenter cannot show previews; the error of the print job
    ///   when an item cannot be printed.
    @discardableResult
    public nonisolated(nonsending) func present() async throws(PrintError) -> Bool {
        reloadData()
        guard numberOfItems > 0, !isPresented else { return false }
        (isPresented, isDismissed) = (true, false)
        defer {
            isPresented = false
            delegate?.previewControllerDidDismiss(self)
        }
        let pages = pages()
        do throws(PrintError) {
            while let end = try await show(pages) {
                currentPreviewItemIndex = end.index
                guard end.isPrinting, pages.indices.contains(end.index), pages[end.index].canPrint,
                    let url = pages[end.index].url
                else { break }
                try await printInteractionController?.printItem(url, named: pages[end.index].title)
                if isDismissed { break }
            }
        } catch {
            delegate?.previewControllerWillDismiss(self)
            throw error
        }
        delegate?.previewControllerWillDismiss(self)
        return true
    }

    /// Returns the items as pages of a preview.
    private func pages() -> [PreviewPage] {
        let printing = printInteractionController
        let printable = (printing?.destination ?? PrintInteractionController.defaultDestination).documentTypes
        return (0..<numberOfItems).map { index in
            let item = item(at: index)
            let url = item.previewItemURL
            let type = url.flatMap { $0.isFileURL ? documentTypes.type(of: $0.path, printable: printable) : nil }
            let canPrint = printing.map { type?.isPrinted(by: $0.destination) == true } ?? false
            return PreviewPage(item, type: type, canPrint: canPrint)
        }
    }

    /// Shows the preview once; returns `nil` if the preview was dismissed.
    private nonisolated(nonsending) func show(_ pages: [PreviewPage]) async throws(PrintError) -> PreviewEnd? {
        let task = Task<PreviewEnd, any Error> { [presenter, index] in
            try await presenter.presentPreview(pages, startingAt: index)
        }
        self.task = task
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        self.task = nil
        do {
            return try result.get()
        } catch is CancellationError {
            return nil
        } catch {
            throw PrintError(error, while: "showing the preview")
        }
    }

    /// Closes the preview if the preview is shown.
    public func dismiss() {
        isDismissed = true
        task?.cancel()
        printInteractionController?.dismiss()
    }

    private func item(at index: Int) -> any PreviewItem {
        dataSource?.previewController(self, previewItemAt: index) ?? MissingItem()
    }

    static func title(of item: any PreviewItem) -> String {
        item.previewItemTitle ?? item.previewItemURL?.lastPathComponent ?? ""
    }
}

private struct MissingItem: PreviewItem {
    var previewItemURL: URL? { nil }
}

/// The properties of an item that a presenter requires to show a preview.
public struct PreviewPage: Sendable, Hashable {
    /// The title of the item.
    public let title: String
    /// The URL of the item; `nil` if the item is not available.
    public let url: URL?
    /// The name of the type for users; `nil` if the item cannot be previewed.
    public let typeName: String?
    /// The media type; `nil` if the type is unknown.
    public let format: DocumentFormat?
    /// Whether the preview offers an action that prints the item.
    public let canPrint: Bool
    /// Whether a presenter without images can show the first lines of the item.
    public let isText: Bool

    init(_ item: any PreviewItem, type: DetectedType?, canPrint: Bool) {
        title = PreviewController.title(of: item)
        url = item.previewItemURL
        self.canPrint = canPrint
        // The name of the type is missing if and only if the item cannot be previewed.
        typeName = type?.printable == nil ? nil : type?.name
        format = type?.printable == nil ? nil : type?.formats.first
        switch type?.printable?.converter {
        case .text, .table, .markdown, .sourceCode: isText = true
        default: isText = false
        }
    }
}

extension PrintInteractionController {
    /// Shows the printer options for a document, and returns when its job is accepted or the person has canceled.
    nonisolated(nonsending) func printItem(_ url: URL, named name: String) async throws(PrintError) {
        printInfo.jobName = name
        printingItem = .url(url)
        // A canceled presentation keeps its content.
        defer { printingItem = nil }
        _ = try await presentAndSubmit()
    }
}
