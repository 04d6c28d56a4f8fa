// The object that runs a job.

import FoundationEssentials

/// Runs print jobs: takes content, lets a person choose options, and prints (`UIPrintInteractionController`).
///
///     let controller = PrintInteractionController.shared
///     controller.printInfo.jobName = "Letter"
///     controller.printFormatter = SimpleTextPrintFormatter(text: letter)
///     try await controller.print(to: .file("letter.pdf"))
///
/// Of `printingItem`, `printingItems`, `printFormatter` and `printPageRenderer` exactly one is set: setting one makes the
/// others nil. When a job has ended the content is released, the delegate is not.
///
/// A controller is used from the isolation domain that made it, with its content and delegate: `shared` from the main
/// actor, others from any actor or task. Its asynchronous calls run there, so drawing does too; several controllers print at
/// the same time.
public final class PrintInteractionController {
    /// The main actor's controller.
    @MainActor public static let shared = PrintInteractionController()

    /// Whether jobs can be printed here at all; it never changes on a machine.
    ///
    /// It is true wherever this library runs, for a job can always become a file. Whether a printer answers at this moment,
    /// `Printer.contactPrinter()` tells.
    public static let isPrintingAvailable = true

    /// What is said about the job: kind, name, orientation, sides, printer.
    public var printInfo = PrintInfo()
    /// The paper of the job: the default one until its paper was chosen.
    public internal(set) var printPaper = PrintPaper.standard
    /// Is told how the job gets on, and asked for its paper.
    public weak var delegate: (any PrintInteractionControllerDelegate)?
    /// Whether the options let pages be chosen; false at first, and without effect for `printingItems` and single pages.
    public var showsPageRange = false
    /// Whether the options let copies be chosen; true at first.
    public var showsNumberOfCopies = true
    /// Whether the options let one of the loaded papers be chosen; false at first.
    public var showsPaperSelectionForLoadedPapers = false
    /// The way to printers: where the options find them; PDF files in the current folder at first.
    public var destination: any PrintDestination = PDFFileDestination()
    /// What shows the options, unless the delegate names something else; the terminal at first.
    public var optionsPresenter: any PrinterOptionsPresenting = TerminalOptionsPresenter()
    /// The longest that drawing may take in all, after which the job fails; ten minutes at first.
    ///
    /// It is looked at between pages, as is the task's cancellation: nothing can end a single page that is drawn without end.
    /// Laying HTML out is ended when it is over, be it in the middle.
    public var drawingTimeLimit = Duration.seconds(600)

    /// The content, and a number that is new for each, so that a job's end releases its own content only.
    private(set) var content: PrintContent? { didSet { contentNumber += 1 } }
    private(set) var contentNumber = 0
    /// Whether a job is being drawn; its content must be left alone meanwhile.
    var isDrawing = false
    /// The options on their way or shown, until they are hidden or have gone.
    var presentation: Presentation?
    /// The presentation before, which may still be going.
    var lastPresentation: Presentation?

    /// A controller of its own, for the isolation domain that makes it.
    public init() {}

    // MARK: Content

    /// Ready content that is one job; nil unless it was set last.
    public var printingItem: PrintingItem? {
        get { if case .item(let item) = content { item } else { nil } }
        set { set(newValue.map(PrintContent.item), unlessNil: printingItem != nil) }
    }

    /// Ready contents, each a separate job, without page range; nil unless they were set last.
    ///
    /// The jobs are submitted in this order, before the first one is printed.
    public var printingItems: [PrintingItem]? {
        get { if case .items(let items) = content { items } else { nil } }
        set { set(newValue.map(PrintContent.items), unlessNil: printingItems != nil) }
    }

    /// A single formatter, without header or footer; nil unless it was set last.
    ///
    /// One that belongs to a renderer is taken from there, as its headers are not the formatter's.
    public var printFormatter: PrintFormatter? {
        get { if case .formatter(let formatter) = content { formatter } else { nil } }
        set {
            newValue?.removeFromPrintPageRenderer()
            set(newValue.map(PrintContent.formatter), unlessNil: printFormatter != nil)
        }
    }

    /// A page renderer; nil unless it was set last.
    public var printPageRenderer: PrintPageRenderer? {
        get { if case .renderer(let renderer) = content { renderer } else { nil } }
        set { set(newValue.map(PrintContent.renderer), unlessNil: printPageRenderer != nil) }
    }

    /// Setting a property to nil releases its own content, not that of another.
    private func set(_ new: PrintContent?, unlessNil isOwn: Bool) {
        if new != nil || isOwn { content = new }
    }

    /// Lets go of a job's content, unless there is another by now.
    func release(_ number: Int) {
        if contentNumber == number { content = nil }
    }

    /// The job's name: the application's when none was given.
    var jobName: String {
        if !printInfo.jobName.isEmpty { return printInfo.jobName }
        let program = CommandLine.arguments.first ?? ""
        return program.split(separator: "/").last.map(String.init) ?? "Document"
    }
}
