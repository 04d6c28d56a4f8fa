// What a person chooses before printing.

/// The printer options of a job: what is chosen, and what there is to choose.
///
/// A presenter shows the controls that this says are there, changes the choices, and gives the value back.
public struct PrinterOptions: Sendable {
    /// The job's name.
    public let title: String
    /// The printers to choose from; never empty.
    public let printers: [Printer]
    /// How many pages there are on the chosen printer's paper, where it matters; `recountPages()` renews it.
    public private(set) var pageCount: Int?
    /// In which form they are best shown.
    public let style: PresentationStyle
    let showsCopies: Bool
    let showsPages: Bool
    let showsPapers: Bool
    /// Counts the pages for other choices than before; nil when they cannot be counted.
    var counter: (@Sendable (PrinterOptions) async -> Int?)?

    /// The chosen printer: its index in `printers`.
    public var printerIndex: Int
    /// How many copies.
    public var copies = 1
    /// Which pages.
    public var pages = PageRanges.all
    /// On which sides; what the printer cannot do counts as `none`.
    public var duplex: Duplex
    /// On which loaded paper; nil leaves it to the app and the controller.
    public var paper: PrintPaper?

    /// Options with the first printer chosen, one copy of every page.
    ///
    /// - Parameters:
    ///   - title: The job's name.
    ///   - printers: At least one.
    ///   - printerIndex: The index of the one that is chosen.
    ///   - pageCount: How many pages there are, where it matters.
    ///   - duplex: The sides that are preselected.
    ///   - style: In which form the options are best shown.
    ///   - showsCopies: Whether copies can be chosen.
    ///   - showsPages: Whether pages can be chosen when there are several.
    ///   - showsPapers: Whether one of the loaded papers can be chosen.
    public init(
        title: String, printers: [Printer], printerIndex: Int = 0, pageCount: Int? = nil, duplex: Duplex = .none,
        style: PresentationStyle = .automatic, showsCopies: Bool = true, showsPages: Bool = false,
        showsPapers: Bool = false
    ) {
        precondition(printers.indices.contains(printerIndex), "printer options need a printer")
        (self.title, self.printers, self.printerIndex) = (title, printers, printerIndex)
        (self.pageCount, self.duplex, self.style) = (pageCount, duplex, style)
        (self.showsCopies, self.showsPages, self.showsPapers) = (showsCopies, showsPages, showsPapers)
    }

    /// Counts the pages for the chosen printer and paper; to be called when either was changed.
    ///
    /// The content is laid out for that, by whoever presents. When it cannot be, the count stays as it was.
    public mutating func recountPages() async {
        if let count = await counter?(self) { pageCount = count }
    }

    /// The chosen printer.
    public var printer: Printer { printers[printerIndex] }

    /// The most copies that can be chosen; without a control when it is 1.
    public var maximumCopies: Int { showsCopies ? max(1, printer.capabilities?.maxCopies ?? 1) : 1 }

    /// Whether pages can be chosen: there are several, and the app wants it.
    public var allowsPageRange: Bool { showsPages && (pageCount ?? 0) > 1 }

    /// The sides that can be chosen; without a control when there is one.
    public var duplexModes: [Duplex] {
        let modes = printer.capabilities?.duplexModes ?? []
        return Duplex.allCases.filter { $0 == .none || modes.contains($0) }
    }

    /// The loaded papers that can be chosen; without a control when there are none.
    public var loadedPapers: [PrintPaper] { showsPapers ? printer.capabilities?.readyPapers ?? [] : [] }

    /// The chosen sides, as far as the printer can.
    public var effectiveDuplex: Duplex { duplexModes.contains(duplex) ? duplex : .none }
}

/// In which form something is shown (UIKit's sheet and popover).
///
/// What a surface has no room for falls back: narrow ones show a sheet, wide ones a popover.
public enum PresentationStyle: Hashable, Sendable {
    /// As suits the surface.
    case automatic
    /// A sheet over the whole width.
    case sheet
    /// A popover that points at a rectangle, in the surface's own coordinates.
    case popover(from: Rect)
}

/// A surface on which printer options are shown.
///
/// `TerminalOptionsPresenter` is one; others show windows or web pages. Both calls return nil when the person cancels, and
/// soon after their task was cancelled, which is how the options are hidden.
public protocol PrinterOptionsPresenting: Sendable {
    /// Shows the options until they are accepted or cancelled.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when nothing can be shown.
    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions?

    /// Lets the person pick a printer.
    ///
    /// - Parameters:
    ///   - printers: At least one.
    ///   - selected: The index of the one that is preselected.
    /// - Returns: The index of the one picked.
    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int?
}
