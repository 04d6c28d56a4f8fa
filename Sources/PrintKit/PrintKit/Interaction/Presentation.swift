// One showing of the printer options.

/// Options on their way to be shown, shown, or going; each call that presents has one of its own.
final class Presentation {
    /// What shows them, once they are shown.
    var showing: Task<PrinterOptions?, any Error>?
    /// Whether nobody wants to see them any more.
    private(set) var isHidden = false
    /// The paper that a printer's page count was found with, so that it is chosen once.
    var paper: (printer: String, paper: PrintPaper)?
    private let (gone, going) = AsyncStream<Never>.makeStream()

    /// Has them go, or never be shown.
    func hide() {
        isHidden = true
        showing?.cancel()
    }

    /// The paper chosen already, if it is that of the options.
    func paper(for options: PrinterOptions) -> PrintPaper? {
        options.paper == nil && paper?.printer == options.printer.id ? paper?.paper : nil
    }

    /// Is called once they have gone, and the delegate knows.
    func end() { going.finish() }

    /// Waits until they have gone; for one caller.
    nonisolated(nonsending) func untilGone() async {
        for await _ in gone {}
    }
}
