// Picking a printer without printing.

/// Lets a person pick a printer (`UIPrinterPickerController`).
///
///     let picker = PrinterPicker(destination: spooler)
///     if try await picker.present(), let printer = picker.selectedPrinter { … }
public final class PrinterPicker {
    /// The printer picked last, or preselected.
    public private(set) var selectedPrinter: Printer?
    /// Which printers are offered; every one unless set (`printerPickerController(_:shouldShow:)`).
    public var shouldShow: (Printer) -> Bool = { _ in true }
    /// What shows the printers; the terminal at first.
    public var presenter: any PrinterOptionsPresenting = TerminalOptionsPresenter()
    private let destination: any PrintDestination

    /// A picker among a destination's printers.
    public init(destination: any PrintDestination, initiallySelected printer: Printer? = nil) {
        (self.destination, selectedPrinter) = (destination, printer)
    }

    /// Shows the printers.
    ///
    /// - Returns: Whether one was picked; false when the person cancelled.
    /// - Throws: `printingNotAvailable` when there is no printer or nothing to show them on.
    public nonisolated(nonsending) func present() async throws(PrintError) -> Bool {
        do {
            let printers = try await destination.contactedPrinters().get().filter(shouldShow)
            guard !printers.isEmpty else { throw PrintError.noPrinters }
            let selected = printers.firstIndex { $0.id == selectedPrinter?.id } ?? 0
            guard let index = try await presenter.presentPrinters(printers, selected: selected) else { return false }
            selectedPrinter = printers[index]
            return true
        } catch {
            throw PrintError(error, while: "showing the printers")
        }
    }
}
