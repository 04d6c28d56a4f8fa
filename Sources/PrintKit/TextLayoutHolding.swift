// Laid out text, which belongs to a thread.

/// Keeps text that PrintGraphics has laid out, which must be drawn and freed by the thread that laid it out.
///
/// A task may go on on another thread after each suspension, so a job lays out, draws and lets go without one, unless it
/// runs on the main actor.
protocol TextLayoutHolding: AnyObject {
    /// Lets go of the text; it is laid out anew when it is needed.
    func dropTextLayout()
}

extension PrintPageRenderer {
    /// Lets go of all text that its formatters keep.
    final func dropTextLayouts() {
        for formatter in printFormatters { (formatter as? any TextLayoutHolding)?.dropTextLayout() }
    }
}
