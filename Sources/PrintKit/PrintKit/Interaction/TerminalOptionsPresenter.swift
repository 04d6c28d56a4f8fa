// Printer options on the terminal.

/// Shows printer options on the terminal that the program was started from.
///
/// Arrow keys choose, digits type copies and pages, Enter prints, Escape cancels. It reads and writes `/dev/tty`, so that
/// standard input and output stay the program's.
public struct TerminalOptionsPresenter: PrinterOptionsPresenting {
    private let path: String

    /// Options on the program's terminal, or on the one at a path.
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
        try await Terminal.run(PrinterListForm(printers, selected: selected), style: .automatic, at: path)
    }
}
