// One presentation of the printer options.

/// The state of one presentation of the printer options.
///
/// Each call of `present` creates a separate presentation.
final class Presentation {
    /// The task that shows the options, or `nil` before the options are shown.
    var showing: Task<PrinterOptions?, any Error>?
    private(set) var isHidden = false
    /// The paper for which the pages were counted.
    ///
    /// The controller uses the stored paper instead of choosing the paper again.
    var paper: (printer: String, paper: PrintPaper)?
    private let (gone, going) = AsyncStream<Never>.makeStream()

    /// Hides the options.
    ///
    /// If the options are not shown yet, the method prevents the controller from showing the options.
    func hide() {
        isHidden = true
        showing?.cancel()
    }

    /// Returns the stored paper if the options contain no paper and the printer has not changed; otherwise `nil`.
    func paper(for options: PrinterOptions) -> PrintPaper? {
        options.paper == nil && paper?.printer == options.printer.id ? paper?.paper : nil
    }

    /// Call this method after the options have disappeared and the delegate was called.
    func end() { going.finish() }

    /// Waits until the options have disappeared.
    ///
    /// Only one caller can wait.
    nonisolated(nonsending) func untilGone() async {
        for await _ in gone {}
    }
}
