// Lets a person choose a printer without printing.

/// A picker with which a person chooses a printer (`UIPrinterPickerController`).
///
///     let picker = PrinterPicker(destination: spooler)
///     if try await picker.present(), let printer = picker.selectedPrinter { … }
public final class PrinterPicker {
    /// The most recently chosen printer.
    ///
    /// Before a choice, the value is the preselected printer.
    public private(set) var selectedPrinter: Printer?
    /// The closure that returns whether a printer is offered (`printerPickerController(_:shouldShow:)`).
    ///
    /// By default, every printer is offered.
    public var shouldShow: (Printer) -> Bool = { _ in true }
    /// The presenter that shows the printers.
    ///
    /// The default is that of `PrintInteractionController.optionsPresenter`.
    public var presenter: any PrinterOptionsPresenting = LinkedPresenter.options
    private let destination: any PrintDestination

    /// Creates a picker that asks the destination for its printers each time it is presented.
    public init(destination: any PrintDestination, initiallySelected printer: Printer? = nil) {
        (self.destination, selectedPrinter) = (destination, printer)
    }

    /// Shows the printers.
    ///
    /// - Returns: Whether a printer was chosen. The value is false when the person canceled.
    /// - Throws: `printingNotAvailable` when there is no printer, or when the presenter cannot show the printers.
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
