// The presenter that a linked module provides.

import CLinkedDefaults

/// A namespace for the presenters that linked modules provide.
enum LinkedPresenter {
    /// The terminal in a program that is linked with `PrintKitTerminal`, otherwise `MissingOptionsPresenter`.
    static var options: any PrinterOptionsPresenting {
        withUnsafeTemporaryAllocation(of: (any PrinterOptionsPresenting).self, capacity: 1) { place in
            guard let start = place.baseAddress, clinked_options_presenter_make(start) else {
                return MissingOptionsPresenter()
            }
            return start.move()
        }
    }
}

/// The presenter of a program without a surface for printer options, such as a server.
struct MissingOptionsPresenter: PrinterOptionsPresenting {
    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? {
        throw Self.missing("the printer options", "set the controller's optionsPresenter, or print with print(to:)")
    }

    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? {
        throw Self.missing("the printers", "set the picker's presenter")
    }

    private static func missing(_ subject: String, _ alternative: String) -> PrintError {
        PrintError(
            .printingNotAvailable,
            "cannot show \(subject) because the program has no presenter; link the product PrintKitTerminal, "
                + alternative)
    }
}
