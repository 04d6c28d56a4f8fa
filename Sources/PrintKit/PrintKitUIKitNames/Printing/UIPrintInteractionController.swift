// The print controller with UIKit's methods, which return at once and call a closure at the end.

public import Foundation
public import PrintKit

/// A controller that presents print options and prints, with UIKit's methods.
///
/// `controller` is the controller of PrintKit that does the work: set its `destination` and `optionsPresenter`, for
/// example `PDFFileDestination` or `SpoolerDestination`.
@MainActor
public final class UIPrintInteractionController {
    /// The closure that a job calls at its end: the controller, whether the job was completed, and the error.
    ///
    /// The error is a `UIPrintError`, or `nil` if the job was completed or canceled.
    public typealias CompletionHandler = @MainActor (UIPrintInteractionController, Bool, (any Error)?) -> Void

    /// The shared controller.
    public static let shared = UIPrintInteractionController(.shared)

    /// The controller of PrintKit.
    public let controller: PrintInteractionController
    /// The properties of the next job; `nil` for the default properties.
    public var printInfo: UIPrintInfo?
    /// The delegate of the controller, which the controller does not retain.
    public weak var delegate: (any UIPrintInteractionControllerDelegate)?
    private var bridge: DelegateBridge?
    private var isPresenting = false

    private init(_ controller: PrintInteractionController) {
        self.controller = controller
        bridge = DelegateBridge(self)
    }

    /// Whether jobs can be printed: always true.
    public static var isPrintingAvailable: Bool { PrintInteractionController.isPrintingAvailable }
    /// The uniform type identifiers of the documents that can be printed.
    public static var printableUTIs: Set<String> { PrintInteractionController.printableUTIs }

    /// Returns whether the content of a URL can be printed.
    public static func canPrint(_ url: URL) -> Bool { PrintInteractionController.canPrint(url: url) }

    /// Returns whether data can be printed.
    public static func canPrint(_ data: Data) -> Bool { PrintInteractionController.canPrint(data: data) }

    // MARK: Content

    /// One document: `Data`, a `URL` or a `UIImage`.
    ///
    /// Another type ends the program, as on iOS.
    public var printingItem: Any? {
        get { controller.printingItem.map(Self.object) }
        set { controller.printingItem = newValue.map(Self.item) }
    }

    /// Several documents of the types that `printingItem` accepts.
    public var printingItems: [Any]? {
        get { controller.printingItems?.map(Self.object) }
        set { controller.printingItems = newValue?.map(Self.item) }
    }

    /// A formatter, whose pages have no header and footer.
    public var printFormatter: UIPrintFormatter? {
        get { controller.printFormatter }
        set { controller.printFormatter = newValue }
    }

    /// A renderer of pages.
    public var printPageRenderer: PrintPageRenderer? {
        get { controller.printPageRenderer }
        set { controller.printPageRenderer = newValue }
    }

    private static func item(_ value: Any) -> PrintingItem {
        switch value {
        case let data as Data: .data(data)
        case let data as NSData: .data(Data(referencing: data))
        case let url as URL: .url(url)
        case let url as NSURL: .url(URL(string: url.absoluteString) ?? URL(fileURLWithPath: "/"))
        case let image as UIImage: .image(image)
        case let item as PrintingItem: item
        default: preconditionFailure("cannot print a \(type(of: value)); set Data, a URL or a UIImage")
        }
    }

    private static func object(_ item: PrintingItem) -> Any {
        switch item {
        case .data(let data): data
        case .url(let url): url
        case .image(let image): image
        }
    }

    // MARK: Options

    /// The paper of the job.
    public var printPaper: UIPrintPaper? { controller.printPaper }
    /// Whether the options include a page range.
    public var showsPageRange: Bool {
        get { controller.showsPageRange }
        set { controller.showsPageRange = newValue }
    }
    /// Whether the options include the number of copies.
    public var showsNumberOfCopies: Bool {
        get { controller.showsNumberOfCopies }
        set { controller.showsNumberOfCopies = newValue }
    }
    /// Whether the options include a choice of the loaded papers.
    public var showsPaperSelectionForLoadedPapers: Bool {
        get { controller.showsPaperSelectionForLoadedPapers }
        set { controller.showsPaperSelectionForLoadedPapers = newValue }
    }

    // MARK: Printing

    /// Shows the options, and prints when the person accepts them.
    ///
    /// - Returns: False if options are shown already, or if there is no content.
    @discardableResult
    public func present(animated: Bool, completionHandler completion: CompletionHandler? = nil) -> Bool {
        present(as: .automatic, completion)
    }

    /// Shows the options as a popover from a rectangle, and prints when the person accepts them.
    ///
    /// - Returns: False if options are shown already, or if there is no content.
    @discardableResult
    public func present(
        from rect: CGRect, in view: UIView, animated: Bool, completionHandler completion: CompletionHandler? = nil
    ) -> Bool { present(as: .popover(from: rect), completion) }

    /// Hides the options.
    public func dismiss(animated: Bool) { controller.dismiss() }

    /// Prints without showing options.
    ///
    /// - Returns: False if there is no content.
    @discardableResult
    public func print(to printer: UIPrinter, completionHandler completion: CompletionHandler? = nil) -> Bool {
        guard hasContent else { return false }
        prepare()
        controller.print(to: printer) { [self] _, isCompleted, error in
            finish()
            completion?(self, isCompleted, error)
        }
        return true
    }

    private func present(as style: PresentationStyle, _ completion: CompletionHandler?) -> Bool {
        guard !isPresenting, hasContent else { return false }
        isPresenting = true
        prepare()
        controller.present(as: style) { [self] _, isCompleted, error in
            isPresenting = false
            finish()
            completion?(self, isCompleted, error)
        }
        return true
    }

    private var hasContent: Bool {
        controller.printingItem != nil || controller.printingItems != nil || controller.printFormatter != nil
            || controller.printPageRenderer != nil
    }

    private func prepare() {
        let printerID = controller.printInfo.printerID
        controller.printInfo = printInfo?.value ?? PrintInfo()
        if controller.printInfo.printerID == nil { controller.printInfo.printerID = printerID }
        controller.delegate = bridge
    }

    private func finish() { printInfo?.printerID = controller.printInfo.printerID }
}

/// The methods that a controller calls, all of them optional.
@MainActor
public protocol UIPrintInteractionControllerDelegate: AnyObject {
    /// Tells the delegate that the options will be shown.
    func printInteractionControllerWillPresentPrinterOptions(_ printInteractionController: UIPrintInteractionController)
    /// Tells the delegate that the options are shown.
    func printInteractionControllerDidPresentPrinterOptions(_ printInteractionController: UIPrintInteractionController)
    /// Tells the delegate that the options will disappear.
    func printInteractionControllerWillDismissPrinterOptions(_ printInteractionController: UIPrintInteractionController)
    /// Tells the delegate that the options have disappeared.
    func printInteractionControllerDidDismissPrinterOptions(_ printInteractionController: UIPrintInteractionController)
    /// Tells the delegate that the job begins.
    func printInteractionControllerWillStartJob(_ printInteractionController: UIPrintInteractionController)
    /// Tells the delegate that the job has ended.
    func printInteractionControllerDidFinishJob(_ printInteractionController: UIPrintInteractionController)
    /// Returns the paper to print on.
    func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
    ) -> UIPrintPaper
    /// Returns the length of a page on a roll, in points.
    func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, cutLengthFor paper: UIPrintPaper
    ) -> CGFloat
    /// Returns when the printer cuts the paper roll.
    ///
    /// - Parameter availableBehaviors: Values of `UIPrinter.CutterBehavior`.
    func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, chooseCutterBehavior availableBehaviors: [Any]
    ) -> UIPrinter.CutterBehavior
}

extension UIPrintInteractionControllerDelegate {
    /// Does nothing by default.
    public func printInteractionControllerWillPresentPrinterOptions(
        _ printInteractionController: UIPrintInteractionController
    ) {}
    /// Does nothing by default.
    public func printInteractionControllerDidPresentPrinterOptions(
        _ printInteractionController: UIPrintInteractionController
    ) {}
    /// Does nothing by default.
    public func printInteractionControllerWillDismissPrinterOptions(
        _ printInteractionController: UIPrintInteractionController
    ) {}
    /// Does nothing by default.
    public func printInteractionControllerDidDismissPrinterOptions(
        _ printInteractionController: UIPrintInteractionController
    ) {}
    /// Does nothing by default.
    public func printInteractionControllerWillStartJob(_ printInteractionController: UIPrintInteractionController) {}
    /// Does nothing by default.
    public func printInteractionControllerDidFinishJob(_ printInteractionController: UIPrintInteractionController) {}
    /// Returns the paper for the output type and the locale.
    public func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, choosePaper paperList: [UIPrintPaper]
    ) -> UIPrintPaper { printInteractionController.controller.defaultPaper(from: paperList) }
    /// Returns the length of the paper.
    public func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, cutLengthFor paper: UIPrintPaper
    ) -> CGFloat { paper.paperSize.height }
    /// Returns the printer's default.
    public func printInteractionController(
        _ printInteractionController: UIPrintInteractionController, chooseCutterBehavior availableBehaviors: [Any]
    ) -> UIPrinter.CutterBehavior { .printerDefault }
}

/// Passes the calls of PrintKit's controller to a delegate of UIKit's protocol.
///
/// The shared controller calls its delegate on the main actor.
private final class DelegateBridge: PrintInteractionControllerDelegate {
    private let owner: @MainActor () -> UIPrintInteractionController?

    init(_ owner: UIPrintInteractionController) { self.owner = { [weak owner] in owner } }

    private func tell<Answer: Sendable>(
        _ body: @MainActor (any UIPrintInteractionControllerDelegate, UIPrintInteractionController) -> Answer
    ) -> Answer? {
        let owner = owner
        return MainActor.assumeIsolated {
            guard let controller = owner(), let delegate = controller.delegate else { return nil }
            return body(delegate, controller)
        }
    }

    func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerWillPresentPrinterOptions($1) }
    }

    func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerDidPresentPrinterOptions($1) }
    }

    func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerWillDismissPrinterOptions($1) }
    }

    func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerDidDismissPrinterOptions($1) }
    }

    func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerWillStartJob($1) }
    }

    func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController) {
        _ = tell { $0.printInteractionControllerDidFinishJob($1) }
    }

    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper {
        tell { $0.printInteractionController($1, choosePaper: papers) } ?? controller.defaultPaper(from: papers)
    }

    func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double { tell { $0.printInteractionController($1, cutLengthFor: paper) } ?? paper.paperSize.height }

    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior {
        tell { $0.printInteractionController($1, chooseCutterBehavior: behaviors) } ?? .printerDefault
    }
}
