// Draws progress bars on terminals.

import PrintModel
package import SpoolerClient

/// A progress bar: `[#####-----] page 3 of 5`.
package struct ProgressBar: Sendable, Hashable {
    /// The finished fraction of the work, from 0 to 1.
    package let fraction: Double

    /// The minimum width of a terminal that shows a bar, in columns.
    private static let narrowest = 40

    /// Creates a bar.
    ///
    /// A fraction below 0 becomes 0, and a fraction above 1 becomes 1.
    package init(fraction: Double) { self.fraction = min(max(fraction, 0), 1) }

    /// Creates the bar of a job that is being printed; nil if the number of pages is unknown, or the job is not being
    /// printed.
    package init?(_ job: JobView) {
        guard job.isAtPrinter, let progress = job.pageProgress, progress.pages > 0 else { return nil }
        self.init(fraction: Double(progress.completedInAllCopies) / Double(progress.pages * max(1, progress.copies)))
    }

    /// Creates the bar of a job from the printed sides that an event reports; nil if the event reports no progress, or
    /// if the number of sides is unknown.
    package init?(_ event: EventView) {
        guard event.state == .processing, let printed = event.impressionsCompleted, let all = event.impressions, all > 0
        else { return nil }
        self.init(fraction: Double(printed) / Double(all))
    }

    /// Returns the bar and the text in one line, truncated to the width of the terminal.
    ///
    /// A narrow terminal shows only the text.
    package func line(_ words: String, width: Int) -> String {
        guard width >= Self.narrowest else { return words.truncated(to: max(1, width - 1)) }
        let length = min(24, width / 3)
        let done = Int((fraction * Double(length)).rounded(.down))
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: length - done)
        return "[\(bar)] \(words)".truncated(to: width - 1)
    }
}

/// The progress line below the events of `printq watch`.
///
/// Each event has a separate line. The progress line is erased before each event, and drawn again after the event.
package struct WatchProgress: Sendable {
    private let width: Int
    private var shown = false

    /// Creates an empty progress line for a terminal of the given width in columns.
    package init(width: Int) { self.width = width }

    /// Returns the text to write after an event.
    ///
    /// The result is empty if the event does not report the progress of a job.
    package mutating func update(_ event: EventView) -> String {
        guard let id = event.jobID, let bar = ProgressBar(event) else { return "" }
        shown = true
        return bar.line("job \(id): \(event.message)", width: width)
    }

    /// Returns the text to write to erase the line.
    package mutating func clear() -> String {
        defer { shown = false }
        return shown ? "\r\u{1B}[K" : ""
    }
}
