// The controller that runs print jobs.

import CLinkedDefaults
import FoundationEssentials

/// A controller that presents print options and prints the content of an app (`UIPrintInteractionController`).
///
///     let controller = PrintInteractionController.shared
///     controller.printInfo.jobName = "Letter"
///     controller.printFormatter = SimpleTextPrintFormatter(text: letter)
///     try await controller.print(to: .file("letter.pdf"))
///
/// Set exactly one of `printingItem`, `printingItems`, `printFormatter` and `printPageRenderer`. Setting one of these
/// properties sets the other three properties to `nil`. When a job has ended, the controller releases the content, but
/// not the delegate.
///
/// Use a controller, its content and its delegate only from the isolation domain that created the controller. For
/// `shared`, the domain is the main actor. For other controllers, the domain can be any actor or task.
///
/// The controller's asynchronous calls, including the drawing, run in the same domain. Several controllers can print at
/// the same time.
public final class PrintInteractionController {
    /// The shared controller, which belongs to the main actor.
    @MainActor public static let shared = PrintInteractionController()

    /// Whether jobs can be printed on this system.
    ///
    /// The value is always true, because a job can be printed to a file on every system. `Printer.contactPrinter()`
    /// checks whether a printer is reachable.
    public static let isPrintingAvailable = true

    /// The destination of new controllers: the queue in a program that is linked with `PrintSubmission`, otherwise PDF
    /// files in the current folder.
    public static let defaultDestination: any PrintDestination = {
        withUnsafeTemporaryAllocation(of: (any PrintDestination).self, capacity: 1) { place in
            guard let start = place.baseAddress, clinked_destination_make(start) else { return PDFFileDestination() }
            return start.move()
        }
    }()

    /// The job's output type, name, orientation, sides and printer.
    public var printInfo = PrintInfo()
    /// The paper of the job.
    ///
    /// Before the paper is chosen, the value is the default paper.
    public internal(set) var printPaper = PrintPaper.standard
    /// The delegate, which receives the progress of the job and can choose the paper of the job.
    public weak var delegate: (any PrintInteractionControllerDelegate)?
    /// Whether the options include a page range.
    ///
    /// The default is false. The property has no effect on `printingItems` and on content with a single page.
    public var showsPageRange = false
    /// Whether the options include the number of copies.
    ///
    /// The default is true.
    public var showsNumberOfCopies = true
    /// Whether the options include a choice of the loaded papers.
    ///
    /// The default is false.
    public var showsPaperSelectionForLoadedPapers = false
    /// The destination that provides the printers in the options.
    ///
    /// The default is `defaultDestination`.
    public var destination: any PrintDestination = defaultDestination
    /// The presenter of the options, unless the delegate returns another presenter.
    ///
    /// The default is the terminal in a program that is linked with `PrintKitTerminal`. Without a presenter, showing the
    /// options fails with an error that names this product.
    public var optionsPresenter: any PrinterOptionsPresenting = LinkedPresenter.options
    /// The time limit for drawing a job.
    ///
    /// The job fails when the limit is exceeded. The default is ten minutes.
    ///
    /// The time limit and task cancellation are checked between pages. A single page that is drawn endlessly cannot be
    /// stopped. HTML layout stops at the time limit, even in the middle of a page.
    public var drawingTimeLimit = Duration.seconds(600)

    /// The content to print.
    ///
    /// `contentNumber` increases with each new content. Therefore a job that has ended releases only the content of
    /// that job.
    private(set) var content: PrintContent? { didSet { contentNumber += 1 } }
    private(set) var contentNumber = 0
    /// During this time, the controller refuses to start another job.
    var isDrawing = false
    /// The current presentation of the options; `nil` if the options are not shown or have been hidden.
    var presentation: Presentation?
    /// The previous presentation, whose options might not have disappeared yet.
    var lastPresentation: Presentation?

    /// Creates a controller for the current isolation domain.
    public init() {}

    // MARK: Content

    /// Ready-made content for one job.
    ///
    /// The value is `nil` if other content was set later.
    public var printingItem: PrintingItem? {
        get { if case .item(let item) = content { item } else { nil } }
        set { set(newValue.map(PrintContent.item), unlessNil: printingItem != nil) }
    }

    /// Several items of ready-made content.
    ///
    /// The items are the documents of one job if the destination accepts several documents, and have no page range. The
    /// value is `nil` if other content was set later.
    ///
    /// At other destinations, each item is a separate job. The jobs are submitted in this order. The controller does
    /// not wait until a job has been printed before it submits the next job.
    public var printingItems: [PrintingItem]? {
        get { if case .items(let items) = content { items } else { nil } }
        set { set(newValue.map(PrintContent.items), unlessNil: printingItems != nil) }
    }

    /// A single formatter, whose pages have no header and no footer.
    ///
    /// The value is `nil` if other content was set later.
    ///
    /// If the formatter belongs to a renderer, setting this property removes the formatter from that renderer, because
    /// the renderer's headers are not printed.
    public var printFormatter: PrintFormatter? {
        get { if case .formatter(let formatter) = content { formatter } else { nil } }
        set {
            newValue?.removeFromPrintPageRenderer()
            set(newValue.map(PrintContent.formatter), unlessNil: printFormatter != nil)
        }
    }

    /// A page renderer that draws the content of one job.
    ///
    /// The value is `nil` if other content was set later.
    public var printPageRenderer: PrintPageRenderer? {
        get { if case .renderer(let renderer) = content { renderer } else { nil } }
        set { set(newValue.map(PrintContent.renderer), unlessNil: printPageRenderer != nil) }
    }

    /// Sets the content to print.
    ///
    /// Setting a property to `nil` releases the content only if the content was set with the same property.
    private func set(_ new: PrintContent?, unlessNil isOwn: Bool) {
        if new != nil || isOwn { content = new }
    }

    /// Releases the content of a job, unless new content was set.
    func release(_ number: Int) {
        if contentNumber == number { content = nil }
    }

    /// The name of the job.
    ///
    /// The default is the name of the program.
    var jobName: String {
        if !printInfo.jobName.isEmpty { return printInfo.jobName }
        let program = CommandLine.arguments.first ?? ""
        return program.split(separator: "/").last.map(String.init) ?? "Document"
    }
}
