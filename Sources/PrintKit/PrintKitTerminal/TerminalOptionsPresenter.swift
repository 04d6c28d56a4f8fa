// Presents printer options on the terminal.

public import PrintKit

/// A presenter that shows printer options on the terminal of the program.
///
/// The arrow keys choose values, digits set copies and pages, Enter prints, and Escape cancels. The presenter uses
/// `/dev/tty`, so standard input and output remain available to the program.
public struct TerminalOptionsPresenter: PrinterOptionsPresenting {
    private let path: String

    /// Creates a presenter for the program's terminal, or for the terminal at a path.
    public init(terminal path: String = "/dev/tty") { self.path = path }

    /// Shows the options as a form.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? {
        try await Terminal.run(OptionsForm(options), style: options.style, at: path)
    }

    /// Shows the printers as a list.
    ///
    /// - Throws: `PrintError.printingNotAvailable` when there is no terminal.
    public func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? {
        try await Terminal.run(ListForm(printers, selected: selected), style: .automatic, at: path)
    }
}
