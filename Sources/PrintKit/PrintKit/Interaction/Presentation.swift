// One presentation of the printer options.

/// The state of one presentation of the printer options.
///
/// Each call that presents options creates a separate presentation.
final class Presentation {
    /// The task that shows the options, once they are shown.
    var showing: Task<PrinterOptions?, any Error>?
    /// Whether the presentation was hidden.
    private(set) var isHidden = false
    /// The paper for which the pages were counted, so that the paper is chosen only once.
    var paper: (printer: String, paper: PrintPaper)?
    private let (gone, going) = AsyncStream<Never>.makeStream()

    /// Hides the options, or prevents them from being shown.
    func hide() {
        isHidden = true
        showing?.cancel()
    }

    /// Returns the chosen paper if it belongs to the printer of the options.
    func paper(for options: PrinterOptions) -> PrintPaper? {
        options.paper == nil && paper?.printer == options.printer.id ? paper?.paper : nil
    }

    /// Ends the presentation.
    ///
    /// Called after the options have disappeared and the delegate was called.
    func end() { going.finish() }

    /// Waits until the options have disappeared.
    ///
    /// Only one caller may wait.
    nonisolated(nonsending) func untilGone() async {
        for await _ in gone {}
    }
}
