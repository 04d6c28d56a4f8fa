// The options that a person chooses before printing.

/// The printer options of a job: the available choices and the current selection.
///
/// A presenter shows a control for each available choice, changes the selection, and returns the changed options.
public struct PrinterOptions: Sendable {
    /// The job's name, for the heading of the form.
    public let title: String
    /// The printers to choose from.
    ///
    /// The array is never empty.
    public let printers: [Printer]
    /// The number of pages that the content has on the chosen printer's paper.
    ///
    /// The value is `nil` when the number is not needed or not known. `recountPages()` updates the number.
    public private(set) var pageCount: Int?
    /// The preferred form of presentation.
    public let style: PresentationStyle
    let showsCopies: Bool
    let showsPages: Bool
    let showsPapers: Bool
    /// The closure that counts the pages for a changed selection.
    ///
    /// The closure returns `nil` when the pages cannot be counted.
    package var counter: (@Sendable (PrinterOptions) async -> Int?)?

    /// The index of the chosen printer in the array `printers`.
    public var printerIndex: Int
    /// The number of copies, from 1 to `maximumCopies`.
    public var copies = 1
    /// The pages to print, counted from 1; `all` by default.
    public var pages = PageRanges.all
    /// The chosen setting for two-sided printing.
    ///
    /// A setting that the printer does not support counts as `none`.
    public var duplex: Duplex
    /// The chosen paper among the loaded papers.
    ///
    /// If the value is `nil`, the app or the controller chooses the paper.
    public var paper: PrintPaper?

    /// Creates options for one copy of every page.
    ///
    /// - Parameters:
    ///   - printers: The printers to choose from. At least one printer is required.
    ///   - duplex: The preselected setting for two-sided printing.
    ///   - showsPages: Whether pages can be chosen when there are several pages.
    ///   - showsPapers: Whether a loaded paper can be chosen.
    public init(
        title: String, printers: [Printer], printerIndex: Int = 0, pageCount: Int? = nil, duplex: Duplex = .none,
        style: PresentationStyle = .automatic, showsCopies: Bool = true, showsPages: Bool = false,
        showsPapers: Bool = false
    ) {
        precondition(printers.indices.contains(printerIndex), "printerIndex must be the index of a printer")
        (self.title, self.printers, self.printerIndex) = (title, printers, printerIndex)
        (self.pageCount, self.duplex, self.style) = (pageCount, duplex, style)
        (self.showsCopies, self.showsPages, self.showsPapers) = (showsCopies, showsPages, showsPapers)
    }

    /// Counts the pages for the chosen printer and paper.
    ///
    /// Call this method when the printer or the paper has changed.
    ///
    /// The controller lays out the content to count its pages. If the layout fails, the count does not change.
    public mutating func recountPages() async {
        if let count = await counter?(self) { pageCount = count }
    }

    /// The printer at `printerIndex`.
    public var printer: Printer { printers[printerIndex] }

    /// The maximum number of copies.
    ///
    /// When the maximum is 1, no control is shown.
    public var maximumCopies: Int { showsCopies ? max(1, printer.capabilities?.maxCopies ?? 1) : 1 }

    /// Whether pages can be chosen.
    ///
    /// The value is true if there are several pages and the app allows a page range.
    public var allowsPageRange: Bool { showsPages && (pageCount ?? 0) > 1 }

    /// The settings for two-sided printing that can be chosen.
    ///
    /// When there is only one choice, no control is shown.
    public var duplexModes: [Duplex] {
        let modes = printer.capabilities?.duplexModes ?? []
        return Duplex.allCases.filter { $0 == .none || modes.contains($0) }
    }

    /// The loaded papers that can be chosen.
    ///
    /// When the array is empty, no control is shown.
    public var loadedPapers: [PrintPaper] { showsPapers ? printer.capabilities?.readyPapers ?? [] : [] }

    /// The chosen setting for two-sided printing; `none` if the printer does not support this setting.
    public var effectiveDuplex: Duplex { duplexModes.contains(duplex) ? duplex : .none }
}

/// The form in which options are shown (UIKit's sheet and popover).
///
/// A surface that does not support a style uses another style. Narrow surfaces show a sheet, and wide surfaces show a
/// popover.
public enum PresentationStyle: Hashable, Sendable {
    /// The best style for the surface.
    case automatic
    /// A sheet over the whole width.
    case sheet
    /// A popover that points at a rectangle in the coordinate system of the surface.
    case popover(from: Rect)
}

/// A surface that shows printer options.
///
/// `TerminalOptionsPresenter` in the module PrintKitTerminal is a presenter. Other presenters can show windows or web pages. `presentOptions` and
/// `presentPrinters` return `nil` when the person cancels. Canceling the task hides the options, and the methods then
/// return `nil`.
public protocol PrinterOptionsPresenting: Sendable {
    /// Shows the options until the person accepts or cancels the options.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when the options cannot be shown.
    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions?

    /// Shows the printers until the person chooses a printer or cancels.
    ///
    /// - Parameters:
    ///   - printers: The printers. At least one printer is required.
    ///   - selected: The index of the preselected printer.
    /// - Returns: The index of the chosen printer.
    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int?
}
